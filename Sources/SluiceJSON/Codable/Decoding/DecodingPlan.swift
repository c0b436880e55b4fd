/// A type that the decoder treats in a way of its own: the standard library's scalars and containers, Foundation's types.
protocol PlannedDecodable {
    init(planned decoder: NodeDecoder) throws
}

/// Decodes a type that is ``PlannedDecodable`` or ``JSONReadable``.
///
/// `@unchecked Sendable`: neither this class nor its subclasses have stored properties.
class DecodingPlan: @unchecked Sendable {
    /// Initializes the memory at `target`, which is that of the plan's type, or throws and leaves it as it is.
    func decode(_ decoder: NodeDecoder, _ target: UnsafeMutableRawPointer) throws {}

    /// The plan of a type, or nil if its `init(from:)` is the way.
    static func find(_ type: Any.Type) -> DecodingPlan? {
        func planned<T: PlannedDecodable>(_ type: T.Type) -> DecodingPlan { Planned<T>() }
        func readable<T: JSONReadable>(_ type: T.Type) -> DecodingPlan { Readable<T>() }
        // An array of direct values is planned too: read element by element its errors have the decoder's paths.
        if let type = type as? any PlannedDecodable.Type { return planned(type) }
        if let type = type as? any JSONReadable.Type { return readable(type) }
        return nil
    }

    private final class Planned<T: PlannedDecodable>: DecodingPlan, @unchecked Sendable {
        override func decode(_ decoder: NodeDecoder, _ target: UnsafeMutableRawPointer) throws {
            target.initializeMemory(as: T.self, to: try T(planned: decoder))
        }
    }

    private final class Readable<T: JSONReadable>: DecodingPlan, @unchecked Sendable {
        override func decode(_ decoder: NodeDecoder, _ target: UnsafeMutableRawPointer) throws {
            target.initializeMemory(as: T.self, to: try decoder.direct(T.self))
        }
    }
}
