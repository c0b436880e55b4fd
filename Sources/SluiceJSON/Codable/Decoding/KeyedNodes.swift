/// The keyed container of an object. Three words: the standard library's box is the only allocation.
struct KeyedNodes<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: NodeDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] {
        let state = decoder.state
        if !state.usesDefaultKeys {
            let keys = state.convertedKeys(of: decoder.index) { decoder.codingPath }
            return keys.sorted { $0.value < $1.value }.compactMap { Key(stringValue: $0.key) }
        }
        var keys: [Key] = []
        keys.reserveCapacity(Tape.count(state.tape[decoder.index + 1]))
        if Tape.hasDuplicates(state.tape[decoder.index]) {
            var seen: Set<String> = []
            state.forEachMember(of: decoder.index) { key, _ in
                let text = state.text.string(key)
                if seen.insert(text).inserted, let key = Key(stringValue: text) { keys.append(key) }
            }
        } else {
            state.forEachMember(of: decoder.index) { key, _ in
                if let key = Key(stringValue: state.text.string(key)) { keys.append(key) }
            }
        }
        return keys
    }

    /// Returns the index of a key's value, or nil.
    @inline(__always)
    private func find(_ key: Key) -> Int? { find(key.stringValue) }

    @inline(__always)
    private func find(_ key: String) -> Int? {
        if decoder.state.usesDefaultKeys { return decoder.state.find(key, in: decoder.index) }
        return decoder.state.convertedKeys(of: decoder.index) { decoder.codingPath }[key]
    }

    /// Returns the decoder of a key's value.
    @inline(__always)
    private func node(_ key: Key) throws -> NodeDecoder {
        guard let index = find(key) else { throw decoder.notFound(key) }
        return decoder.child(index, of: key)
    }

    /// Returns the decoder of a key's value, or nil if the key is missing or null.
    @inline(__always)
    private func nodeIfPresent(_ key: Key) -> NodeDecoder? {
        guard let index = find(key), !Tape.isNull(decoder.state.tape[index]) else { return nil }
        return decoder.child(index, of: key)
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool {
        guard let index = find(key) else { throw decoder.notFound(key) }
        return Tape.isNull(decoder.state.tape[index])
    }

    // Scalars of the requested kind need no decoder of their own.

    @inline(__always)
    private func scalar<T>(
        _ key: Key,
        _ fast: (DecodingState, Int) -> T?,
        _ slow: (NodeDecoder) throws -> T
    ) throws -> T {
        guard let index = find(key) else { throw decoder.notFound(key) }
        if let value = fast(decoder.state, index) { return value }
        return try slow(decoder.child(index, of: key))
    }

    @inline(__always)
    private func scalarIfPresent<T>(
        _ key: Key,
        _ fast: (DecodingState, Int) -> T?,
        _ slow: (NodeDecoder) throws -> T
    ) throws -> T? {
        guard let index = find(key) else { return nil }
        if let value = fast(decoder.state, index) { return value }
        if Tape.isNull(decoder.state.tape[index]) { return nil }
        return try slow(decoder.child(index, of: key))
    }

    @inline(__always)
    private func integer<T: FixedWidthInteger>(_ key: Key) throws -> T {
        try scalar(key, { $0.integer($1) }, { try $0.integer() })
    }

    @inline(__always)
    private func integerIfPresent<T: FixedWidthInteger>(_ key: Key) throws -> T? {
        try scalarIfPresent(key, { $0.integer($1) }, { try $0.integer() })
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try scalar(key, { $0.bool($1) }, { try $0.bool() })
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try scalar(key, { $0.string($1) }, { try $0.string() })
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try scalar(key, { $0.double($1) }, { try $0.double() })
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try node(key).float() }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try node(key).wideInteger() }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try node(key).wideInteger() }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try node(key).value(type) }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try scalarIfPresent(key, { $0.bool($1) }, { try $0.bool() })
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try scalarIfPresent(key, { $0.string($1) }, { try $0.string() })
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try scalarIfPresent(key, { $0.double($1) }, { try $0.double() })
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try nodeIfPresent(key)?.float() }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try integerIfPresent(key) }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try nodeIfPresent(key)?.value(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try node(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try node(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        decoder.child(find("super") ?? -1, of: AnyKey(stringValue: "super"))
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { decoder.child(find(key) ?? -1, of: key) }
}
