/// An object to encode into.
struct KeyedTargets<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: NodeEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.member(key).encodeNil() }
    func encode(_ value: Bool, forKey key: Key) { encoder.member(key).encode(value) }
    func encode(_ value: String, forKey key: Key) { encoder.member(key).encode(value) }
    func encode(_ value: Double, forKey key: Key) throws { try encoder.member(key).encode(value) }
    func encode(_ value: Float, forKey key: Key) throws { try encoder.member(key).encode(value) }
    func encode(_ value: Int, forKey key: Key) { encoder.member(key).encode(value) }
    func encode(_ value: Int8, forKey key: Key) { encoder.member(key).encode(value) }
    func encode(_ value: Int16, forKey key: Key) { encoder.member(key).encode(value) }
    func encode(_ value: Int32, forKey key: Key) { encoder.member(key).encode(value) }
    func encode(_ value: Int64, forKey key: Key) { encoder.member(key).encode(value) }
    func encode(_ value: Int128, forKey key: Key) { encoder.member(key).encode(value) }
    func encode(_ value: UInt, forKey key: Key) { encoder.member(key).encode(value) }
    func encode(_ value: UInt8, forKey key: Key) { encoder.member(key).encode(value) }
    func encode(_ value: UInt16, forKey key: Key) { encoder.member(key).encode(value) }
    func encode(_ value: UInt32, forKey key: Key) { encoder.member(key).encode(value) }
    func encode(_ value: UInt64, forKey key: Key) { encoder.member(key).encode(value) }
    func encode(_ value: UInt128, forKey key: Key) { encoder.member(key).encode(value) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try encoder.member(key).value(value) }

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
