/// The unkeyed container of an array that is encoded.
struct UnkeyedTargets: UnkeyedEncodingContainer {
    let encoder: NodeEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { Int(truncatingIfNeeded: encoder.state[encoder.node].seen) }

    func encodeNil() { encoder.element().encodeNil() }
    func encode(_ value: Bool) { encoder.element().encode(value) }
    func encode(_ value: String) { encoder.element().encode(value) }
    func encode(_ value: Double) throws { try encoder.element { try $0.encode(value) } }
    func encode(_ value: Float) throws { try encoder.element { try $0.encode(value) } }
    func encode(_ value: Int) { encoder.element().encode(value) }
    func encode(_ value: Int8) { encoder.element().encode(value) }
    func encode(_ value: Int16) { encoder.element().encode(value) }
    func encode(_ value: Int32) { encoder.element().encode(value) }
    func encode(_ value: Int64) { encoder.element().encode(value) }
    func encode(_ value: Int128) { encoder.element().encode(value) }
    func encode(_ value: UInt) { encoder.element().encode(value) }
    func encode(_ value: UInt8) { encoder.element().encode(value) }
    func encode(_ value: UInt16) { encoder.element().encode(value) }
    func encode(_ value: UInt32) { encoder.element().encode(value) }
    func encode(_ value: UInt64) { encoder.element().encode(value) }
    func encode(_ value: UInt128) { encoder.element().encode(value) }
    func encode<T: Encodable>(_ value: T) throws { try encoder.element { try $0.value(value) } }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        encoder.element().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.element().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder.element() }
}
