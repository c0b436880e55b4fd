/// A type that the encoder treats in a way of its own: the standard library's scalars and containers, Foundation's types.
protocol PlannedEncodable {
    func encode(planned encoder: NodeEncoder) throws
}

/// Encodes a type that is ``PlannedEncodable`` or ``JSONWritable``.
///
/// `@unchecked Sendable`: neither this class nor its subclasses have stored properties.
class EncodingPlan: @unchecked Sendable {
    /// Writes the value in the memory at `value`, which is that of the plan's type.
    func encode(_ value: UnsafeRawPointer, _ encoder: NodeEncoder) throws {}

    /// The plan of a type, or nil if its `encode(to:)` is the way.
    static func find(_ type: Any.Type) -> EncodingPlan? {
        func planned<T: PlannedEncodable>(_ type: T.Type) -> EncodingPlan { Planned<T>() }
        func writable<T: JSONWritable>(_ type: T.Type) -> EncodingPlan { Writable<T>() }
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
            encoder.direct(value.assumingMemoryBound(to: T.self).pointee)
        }
    }
}
