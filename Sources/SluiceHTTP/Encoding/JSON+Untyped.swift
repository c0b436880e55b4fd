#if HTTP
import Foundation
package import SluiceJSON

extension JSON {
    /// Creates JSON from a value of unknown type, as in queries of the first users: dictionaries (sorted) and arrays of
    /// any values, optionals, `NSNull`, the numbers and Booleans of `JSONSerialization`, and `Encodable` values. Any
    /// other value becomes its description, as before.
    package init(untyped value: Any) {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            self = mirror.children.first.map { JSON(untyped: $0.value) } ?? .null
            return
        }
        switch value {
        case let members as [String: Any]:
            var object = JSON.Object()
            for (key, member) in members.sorted(by: { $0.key < $1.key }) { object[key] = JSON(untyped: member) }
            self = .object(object)
        case let elements as [Any]: self = .array(elements.map { JSON(untyped: $0) })
        case is NSNull: self = .null
        case let number as NSNumber where type(of: value) is NSNumber.Type: self = JSON(number)
        case let value as Double: self = .double(value)
        case let value as Float: self = .double(Double(value))
        case let value as any Encodable:
            self = (try? JSON(parsing: SluiceJSONEncoder().bytes(value))) ?? .string("\(value)")
        default: self = .string("\(value)")
        }
    }
}

extension JSON {
    /// Creates JSON from a number of Foundation: a Boolean, an integer, or a double.
    private init(_ number: NSNumber) {
        switch UInt8(bitPattern: number.objCType.pointee) {
        // `JSONSerialization` has no one-byte numbers.
        case UInt8(ascii: "B"), UInt8(ascii: "c"): self = .bool(number.boolValue)
        case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .double(number.doubleValue)
        case UInt8(ascii: "Q"):
            self = Int64(exactly: number.uint64Value).map { .int($0) } ?? .unsigned(number.uint64Value)
        default: self = .int(number.int64Value)
        }
    }
}
#endif
