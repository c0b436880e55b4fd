#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A type that the encoder treats specially: the standard library's scalars and containers, and Foundation's types.
protocol PlannedEncodable {
    func encode(planned encoder: NodeEncoder) throws
}

/// Encodes a type that is ``PlannedEncodable`` or ``JSONWritable``.
///
/// `@unchecked Sendable`: neither this class nor its subclasses have stored properties.
class EncodingPlan: @unchecked Sendable {
    /// Writes the value in the memory at `value`, which has the plan's type.
    func encode(_ value: UnsafeRawPointer, _ encoder: NodeEncoder) throws {}

    /// Returns the plan of a type, or nil if the type is encoded by its `encode(to:)`.
    static func find(_ type: Any.Type) -> EncodingPlan? {
        func planned<T: PlannedEncodable>(_ type: T.Type) -> EncodingPlan { Planned<T>() }
        func writable<T: JSONWritable>(_ type: T.Type) -> EncodingPlan { Writable<T>() }
        switch type {
        case is [String].Type: return Strings()
        case is [Int].Type: return Integers()
        case is [Double].Type: return Doubles()
        // References to each file with conformances, as in `DecodingPlan.find`.
        case is Date.Type: return planned(Date.self)
        case is [Bool].Type: return planned([Bool].self)
        case is Bool.Type: return planned(Bool.self)
        case is JSON.Type: return writable(JSON.self)
        default: break
        }
        if let type = type as? any PlannedEncodable.Type { return planned(type) }
        if let type = type as? any JSONWritable.Type { return writable(type) }
        return nil
    }

    private final class Planned<T: PlannedEncodable>: EncodingPlan, @unchecked Sendable {
        override func encode(_ value: UnsafeRawPointer, _ encoder: NodeEncoder) throws {
            try value.assumingMemoryBound(to: T.self).pointee.encode(planned: encoder)
        }
    }

    private final class Writable<T: JSONWritable>: EncodingPlan, @unchecked Sendable {
        override func encode(_ value: UnsafeRawPointer, _ encoder: NodeEncoder) throws {
            try encoder.direct(value.assumingMemoryBound(to: T.self).pointee)
        }
    }

    // The most frequent arrays, in code that is not generic, and as one node where no element needs its own line.

    private final class Strings: EncodingPlan, @unchecked Sendable {
        override func encode(_ value: UnsafeRawPointer, _ encoder: NodeEncoder) throws {
            let strings = value.assumingMemoryBound(to: [String].self).pointee
            guard encoder.state.isCompact else { return try strings.encode(planned: encoder) }
            encoder.state.set(encoder.node) { writer in
                writer.open(UInt8(ascii: "["))
                for string in strings { writer.string(string) }
                writer.close(UInt8(ascii: "]"))
            }
        }
    }

    private final class Integers: EncodingPlan, @unchecked Sendable {
        override func encode(_ value: UnsafeRawPointer, _ encoder: NodeEncoder) throws {
            let integers = value.assumingMemoryBound(to: [Int].self).pointee
            guard encoder.state.isCompact else { return try integers.encode(planned: encoder) }
            encoder.state.set(encoder.node) { writer in
                writer.open(UInt8(ascii: "["))
                for integer in integers { writer.integer(Int64(integer)) }
                writer.close(UInt8(ascii: "]"))
            }
        }
    }

    private final class Doubles: EncodingPlan, @unchecked Sendable {
        override func encode(_ value: UnsafeRawPointer, _ encoder: NodeEncoder) throws {
            let doubles = value.assumingMemoryBound(to: [Double].self).pointee
            guard encoder.state.isCompact, doubles.allSatisfy(\.isFinite) else {
                return try doubles.encode(planned: encoder)
            }
            encoder.state.set(encoder.node) { writer in
                writer.open(UInt8(ascii: "["))
                for double in doubles { writer.double(double, .plain) }
                writer.close(UInt8(ascii: "]"))
            }
        }
    }
}
