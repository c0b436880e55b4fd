#if HTTP
package import SluiceJSON

/// The body of a webhook's request as an item.
package enum WebhookBody {
    /// The reason for which a body gives no item.
    package enum Failure: Error, Hashable {
        /// The media type is not one of JSON, forms, and plain text.
        case unsupported
        /// The body is not what its media type says.
        case invalid(String)
    }

    /// Returns the item of a body: JSON, a form, or a text.
    ///
    /// - Parameter type: The `Content-Type`; without one, a body is JSON.
    package static func item(_ body: [UInt8], _ type: String?) throws(Failure) -> JSON {
        let essence = (type ?? "application/json").prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        if essence == "application/json" || essence.hasSuffix("+json") {
            do { return try JSON(parsing: body) } catch { throw .invalid("the body is not JSON: \(error)") }
        }
        switch essence {
        case "text/plain":
            guard let text = String(validating: body, as: UTF8.self) else { throw .invalid("the body is not UTF-8") }
            return .string(text)
        case "application/x-www-form-urlencoded": return try form(body)
        default: throw .unsupported
        }
    }

    /// Returns the fields of a form; a field that occurs several times is an array.
    ///
    /// - Complexity: O(*n*) in the number of bytes, with few steps for each: a stranger may send a megabyte of the shortest fields.
    private static func form(_ body: [UInt8]) throws(Failure) -> JSON {
        var (names, values): ([String], [String: [JSON]]) = ([], [:])
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            guard let name = decoded(pair[..<end]), let value = decoded(pair[end...].dropFirst()) else {
                throw .invalid("the form is not percent-encoded UTF-8")
            }
            if values[name] == nil { names.append(name) }
            values[name, default: []].append(.string(value))
        }
        var fields = JSON.Object()
        for name in names {
            let values = values[name] ?? []
            fields[name] = values.count == 1 ? values[0] : .array(values)
        }
        return .object(fields)
    }

    /// Returns a name or a value of a form; `nil` if it is not percent-encoded UTF-8.
    private static func decoded(_ text: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            switch text[index] {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard text.endIndex - index > 2, let high = digit(text[index + 1]), let low = digit(text[index + 2])
                else { return nil }
                bytes.append(high << 4 | low)
                index += 2
            case let byte: bytes.append(byte)
            }
            index += 1
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Returns the value of a hexadecimal digit; `nil` for another byte.
    static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
#endif
