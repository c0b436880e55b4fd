/// The unkeyed container of an array.
struct UnkeyedNodes: UnkeyedDecodingContainer {
    let decoder: NodeDecoder
    /// The index of the next element on the tape.
    private var cursor: Int
    private(set) var currentIndex = 0

    init(decoder: NodeDecoder) {
        self.decoder = decoder
        cursor = decoder.index + 2
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { Tape.count(decoder.state.tape[decoder.index + 1]) }
    var isAtEnd: Bool { cursor >= Tape.end(decoder.state.tape[decoder.index + 1]) }

    /// Reads the next element, without advancing if that fails.
    private mutating func next<T>(_ type: Any.Type, _ read: (NodeDecoder) throws -> T) throws -> T {
        guard !isAtEnd else {
            let path = decoder.codingPath + [AnyKey(intValue: currentIndex)]
            throw DecodingError.valueNotFound(
                type,
                .init(
                    codingPath: path,
                    debugDescription: "The array has only \(currentIndex) elements.",
                    underlyingError: DecodingPlace(
                        text: decoder.state.text,
                        index: decoder.index,
                        message: "the array has only \(currentIndex) elements"
                    )
                )
            )
        }
        let value = try read(decoder.child(cursor, AnyKey(intValue: currentIndex)))
        cursor = decoder.state.skip(cursor)
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { return try next(Never.self) { $0.decodeNil() } }
        guard Tape.kind(decoder.state.tape[cursor]) == .null else { return false }
        cursor += 1
        currentIndex += 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type) { try $0.bool() } }
    mutating func decode(_ type: String.Type) throws -> String { try next(type) { try $0.string() } }
    mutating func decode(_ type: Double.Type) throws -> Double { try next(type) { try $0.double() } }
    mutating func decode(_ type: Float.Type) throws -> Float { try next(type) { try $0.float() } }
    mutating func decode(_ type: Int.Type) throws -> Int { try next(type) { try $0.integer() } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next(type) { try $0.integer() } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next(type) { try $0.integer() } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next(type) { try $0.integer() } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next(type) { try $0.integer() } }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type) { try $0.wideInteger() } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next(type) { try $0.integer() } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next(type) { try $0.integer() } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next(type) { try $0.integer() } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next(type) { try $0.integer() } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next(type) { try $0.integer() } }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type) { try $0.wideInteger() } }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next(type) { try $0.value(type) } }

    /// Decodes the next element, or returns nil at the end or for null.
    ///
    /// The protocol's default implementation would decode `T` itself where `type` is a subclass of it.
    mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
        if isAtEnd { return nil }
        return try decodeNil() ? nil : decode(type)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next(KeyedDecodingContainer<NestedKey>.self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next((any Decoder).self) { $0 } }
}
