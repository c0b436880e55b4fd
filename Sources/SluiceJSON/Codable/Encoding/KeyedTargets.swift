/// The keyed container of an object that is encoded.
struct KeyedTargets<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: NodeEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    /// Writes a scalar, without an encoder of its own.
    @inline(__always)
    private func scalar(_ key: Key, _ write: (inout JSONWriter) -> Void) {
        let state = encoder.state
        let node = state.usesDefaultKeys ? state.member(of: encoder.node, key.stringValue) : encoder.member(key).node
        state.set(node, write)
    }

    func encodeNil(forKey key: Key) { scalar(key) { $0.null() } }
    func encode(_ value: Bool, forKey key: Key) { scalar(key) { $0.bool(value) } }
    func encode(_ value: String, forKey key: Key) { scalar(key) { $0.string(value) } }
    func encode(_ value: Double, forKey key: Key) throws {
        guard value.isFinite else { return try encoder.member(key) { try $0.encode(value) } }
        scalar(key) { $0.double(value, .plain) }
    }
    func encode(_ value: Float, forKey key: Key) throws { try encoder.member(key) { try $0.encode(value) } }
    func encode(_ value: Int, forKey key: Key) { scalar(key) { $0.integer(Int64(value)) } }
    func encode(_ value: Int8, forKey key: Key) { scalar(key) { $0.integer(Int64(value)) } }
    func encode(_ value: Int16, forKey key: Key) { scalar(key) { $0.integer(Int64(value)) } }
    func encode(_ value: Int32, forKey key: Key) { scalar(key) { $0.integer(Int64(value)) } }
    func encode(_ value: Int64, forKey key: Key) { scalar(key) { $0.integer(Int64(value)) } }
    func encode(_ value: Int128, forKey key: Key) { encoder.member(key).encode(value) }
    func encode(_ value: UInt, forKey key: Key) { scalar(key) { $0.integer(UInt64(value)) } }
    func encode(_ value: UInt8, forKey key: Key) { scalar(key) { $0.integer(UInt64(value)) } }
    func encode(_ value: UInt16, forKey key: Key) { scalar(key) { $0.integer(UInt64(value)) } }
    func encode(_ value: UInt32, forKey key: Key) { scalar(key) { $0.integer(UInt64(value)) } }
    func encode(_ value: UInt64, forKey key: Key) { scalar(key) { $0.integer(UInt64(value)) } }
    func encode(_ value: UInt128, forKey key: Key) { encoder.member(key).encode(value) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try encoder.member(key) { try $0.value(value) } }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder.container(key, .object).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.container(key, .array).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.member(AnyKey(stringValue: "super")) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder.member(key) }
}
