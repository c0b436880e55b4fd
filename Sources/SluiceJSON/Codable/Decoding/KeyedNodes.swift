/// An object, seen through the keys of a type. Three words: the standard library's box is the only allocation.
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
        keys.reserveCapacity(Tape.count(state.text.tape[decoder.index + 1]))
        if Tape.kind(state.text.tape[decoder.index]) == .objectWithDuplicates {
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

    /// The index of a key's value, or nil.
    @inline(__always)
    private func find(_ key: Key) -> Int? { find(key.stringValue) }

    @inline(__always)
    private func find(_ key: String) -> Int? {
        if decoder.state.usesDefaultKeys { return decoder.state.find(key, in: decoder.index) }
        return decoder.state.convertedKeys(of: decoder.index) { decoder.codingPath }[key]
    }

    /// The decoder of a key's value.
    @inline(__always)
    private func node(_ key: Key) throws -> NodeDecoder {
        guard let index = find(key) else { throw decoder.notFound(key) }
        return decoder.child(index, key)
    }

    /// The decoder of a key's value, or nil if it is not there or null.
    @inline(__always)
    private func nodeIfPresent(_ key: Key) -> NodeDecoder? {
        guard let index = find(key), Tape.kind(decoder.state.text.tape[index]) != .null else { return nil }
        return decoder.child(index, key)
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try node(key).decodeNil() }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try node(key).bool() }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try node(key).string() }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try node(key).double() }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try node(key).float() }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try node(key).integer() }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try node(key).integer() }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try node(key).integer() }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try node(key).integer() }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try node(key).integer() }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try node(key).wideInteger() }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try node(key).integer() }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try node(key).integer() }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try node(key).integer() }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try node(key).integer() }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try node(key).integer() }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try node(key).wideInteger() }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try node(key).value(type) }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try nodeIfPresent(key)?.bool() }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try nodeIfPresent(key)?.string() }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try nodeIfPresent(key)?.double() }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try nodeIfPresent(key)?.float() }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try nodeIfPresent(key)?.integer() }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try nodeIfPresent(key)?.integer() }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try nodeIfPresent(key)?.integer() }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try nodeIfPresent(key)?.integer() }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try nodeIfPresent(key)?.integer() }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try nodeIfPresent(key)?.integer() }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try nodeIfPresent(key)?.integer() }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try nodeIfPresent(key)?.integer() }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try nodeIfPresent(key)?.integer() }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try nodeIfPresent(key)?.integer() }
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
        decoder.child(find("super") ?? -1, AnyKey(stringValue: "super"))
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { decoder.child(find(key) ?? -1, key) }
}
