/// The decoder of one value: three words, so that it travels in an existential without an allocation.
///
/// An `index` of -1 represents a missing value that reads as null (a missing `super`).
struct NodeDecoder: Decoder {
    let state: DecodingState
    let index: Int
    /// The last steps of the path, where the tape doesn't record them.
    let path: PathStep?

    var codingPath: [any CodingKey] {
        path?.keys { state.codingPath(to: max($0, 0)) } ?? state.codingPath(to: max(index, 0))
    }

    var userInfo: [CodingUserInfoKey: Any] { state.options.userInfo }

    @inline(__always)
    var word: UInt64 { index < 0 ? Tape.word(.null, offset: 0, length: 0) : state.tape[index] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard Tape.isObject(word) else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(KeyedNodes<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard Tape.isArray(word) else { throw mismatch([Any].self) }
        return UnkeyedNodes(decoder: self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    /// Returns the decoder of a child whose key the text records unchanged: an element, or a member of a dictionary.
    @inline(__always)
    func child(_ index: Int, _ key: @autoclosure () -> AnyKey) -> NodeDecoder {
        let needsPath = path != nil || index < 0 || !state.usesDefaultKeys
        return NodeDecoder(state: state, index: index, path: needsPath ? step(key()) : nil)
    }

    /// Returns the decoder of a child with a key of a type's own, which is stored if the tape doesn't record all of it.
    @inline(__always)
    func child(_ index: Int, of key: some CodingKey) -> NodeDecoder {
        let needsPath = path != nil || index < 0 || !state.usesDefaultKeys || key.intValue != nil
        return NodeDecoder(state: state, index: index, path: needsPath ? step(key) : nil)
    }

    private func step(_ key: any CodingKey) -> PathStep { PathStep(parent: path, place: index, key: key) }
}

extension NodeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { Tape.isNull(word) }
    func decode(_ type: Bool.Type) throws -> Bool { try bool() }
    func decode(_ type: String.Type) throws -> String { try string() }
    func decode(_ type: Double.Type) throws -> Double { try double() }
    func decode(_ type: Float.Type) throws -> Float { try float() }
    func decode(_ type: Int.Type) throws -> Int { try integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    func decode(_ type: Int128.Type) throws -> Int128 { try wideInteger() }
    func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try wideInteger() }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try value(type) }
}
