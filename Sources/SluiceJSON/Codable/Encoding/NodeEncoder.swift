/// The encoder of one value: three words, so that it travels in an existential without an allocation.
struct NodeEncoder: Encoder {
    let state: EncodingState
    let node: Int
    /// The last steps of the path, where the tree doesn't record them.
    let path: PathStep?

    var codingPath: [any CodingKey] { path?.keys(state.codingPath) ?? state.codingPath(to: node) }

    var userInfo: [CodingUserInfoKey: Any] { state.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        state.makeContainer(node, .object)
        return KeyedEncodingContainer(KeyedTargets<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        state.makeContainer(node, .array)
        return UnkeyedTargets(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Returns the encoder of a new member, its key converted by the key strategy.
    @inline(__always)
    func member(_ key: some CodingKey) -> NodeEncoder {
        if state.usesDefaultKeys, path == nil, key.intValue == nil {
            return NodeEncoder(state: state, node: state.member(of: node, key.stringValue), path: nil)
        }
        return NodeEncoder(state: state, node: state.member(of: node, convert(key)), path: step(key))
    }

    /// Writes a new member, which is removed again if `write` throws.
    @inline(__always)
    func member(_ key: some CodingKey, _ write: (NodeEncoder) throws -> Void) throws {
        let previous = state[node].extent
        let member = member(key)
        do {
            try write(member)
        } catch {
            state.remove(member.node, after: previous, from: node)
            throw error
        }
    }

    /// Writes a new element, which is removed again if `write` throws.
    @inline(__always)
    func element(_ write: (NodeEncoder) throws -> Void) throws {
        let previous = state[node].extent
        let element = element()
        do {
            try write(element)
        } catch {
            state.remove(element.node, after: previous, from: node)
            throw error
        }
    }

    /// Calls `write`, and discards everything that it wrote if it throws, including the elements before the one that
    /// threw.
    func wholly(_ write: () throws -> Void) throws {
        let wasSet = state.isSet(node)
        do {
            try write()
        } catch {
            if !wasSet { state.reset(node) }
            throw error
        }
    }

    /// Returns the step of a child that the tree doesn't record.
    func step(_ key: any CodingKey) -> PathStep { PathStep(parent: path, place: node, key: key) }

    /// Returns the encoder of a nested container: the existing one of the key, or a new member.
    func container(_ key: some CodingKey, _ kind: EncodingState.Kind) -> NodeEncoder {
        if let known = state.container(of: node, convert(key), kind) {
            let needsPath = !state.usesDefaultKeys || path != nil || key.intValue != nil
            return NodeEncoder(state: state, node: known, path: needsPath ? step(key) : nil)
        }
        return member(key)
    }

    /// Returns the encoder of a new element.
    @inline(__always)
    func element() -> NodeEncoder {
        let child = state.element(of: node)
        guard state.usesDefaultKeys, path == nil else {
            let key = AnyKey(intValue: Int(state[node].seen) - 1)
            return NodeEncoder(state: state, node: child, path: step(key))
        }
        return NodeEncoder(state: state, node: child, path: nil)
    }

    private func convert(_ key: some CodingKey) -> String {
        switch state.options.keyEncodingStrategy {
        case .useDefaultKeys: key.stringValue
        case .convertToSnakeCase: SnakeCase.added(to: key.stringValue)
        case .custom(let convert): convert(codingPath + [key]).stringValue
        }
    }
}

extension NodeEncoder: SingleValueEncodingContainer {
    func encodeNil() { state.set(node) { $0.null() } }
    func encode(_ value: Bool) { state.set(node) { $0.bool(value) } }
    func encode(_ value: String) { state.set(node) { $0.string(value) } }
    func encode(_ value: Double) throws {
        guard value.isFinite else { return try nonConforming(value) }
        state.set(node) { $0.double(value, .plain) }
    }
    func encode(_ value: Float) throws {
        guard value.isFinite else { return try nonConforming(value) }
        state.set(node) { $0.float(value, .plain) }
    }
    func encode(_ value: Int) { state.set(node) { $0.integer(Int64(value)) } }
    func encode(_ value: Int8) { state.set(node) { $0.integer(Int64(value)) } }
    func encode(_ value: Int16) { state.set(node) { $0.integer(Int64(value)) } }
    func encode(_ value: Int32) { state.set(node) { $0.integer(Int64(value)) } }
    func encode(_ value: Int64) { state.set(node) { $0.integer(value) } }
    func encode(_ value: Int128) { state.set(node) { $0.verbatim(value.description) } }
    func encode(_ value: UInt) { state.set(node) { $0.integer(UInt64(value)) } }
    func encode(_ value: UInt8) { state.set(node) { $0.integer(UInt64(value)) } }
    func encode(_ value: UInt16) { state.set(node) { $0.integer(UInt64(value)) } }
    func encode(_ value: UInt32) { state.set(node) { $0.integer(UInt64(value)) } }
    func encode(_ value: UInt64) { state.set(node) { $0.integer(value) } }
    func encode(_ value: UInt128) { state.set(node) { $0.verbatim(value.description) } }
    func encode<T: Encodable>(_ value: T) throws {
        try self.value(value)
        fillIfUnset()
    }

    /// Writes a value of any type.
    @inline(__always)
    func value<T: Encodable>(_ value: T) throws {
        guard let plan = TypePlan.plan(of: T.self).encoding else { return try value.encode(to: self) }
        // The plan of `T` reads a `T` there.
        try withUnsafePointer(to: value) { try plan.encode(UnsafeRawPointer($0), self) }
    }

    /// Writes a value of a directly writable type.
    /// - Throws: `EncodingError` for NaN and infinities, whatever the strategy, which the type doesn't know; and when
    ///   the value calls ``JSONWriter/fail(_:)``.
    func direct(_ value: some JSONWritable) throws {
        state.set(node, .direct) { value.write(to: &$0) }
        if let number = state.takeNonFinite() {
            state.reset(node)
            throw invalid(number)
        }
        if let reason = state.takeFailure() {
            state.reset(node)
            throw EncodingError.invalidValue(value, .init(codingPath: codingPath, debugDescription: reason))
        }
    }

    /// Writes an empty object if nothing was written.
    func fillIfUnset() {
        if !state.isSet(node) { state.makeContainer(node, .object) }
    }

    private func nonConforming<T: BinaryFloatingPoint & CustomStringConvertible>(_ value: T) throws {
        guard
            case .convertToString(let positive, let negative, let nan) = state.options
                .nonConformingFloatEncodingStrategy
        else {
            throw invalid(value)
        }
        encode(value.isNaN ? nan : value < 0 ? negative : positive)
    }

    @inline(never)
    func invalid(_ value: Any) -> EncodingError {
        .invalidValue(value, .init(codingPath: codingPath, debugDescription: "JSON has no number \(value)."))
    }
}

extension EncodingState {
    /// Returns the keys from the root to a node.
    /// - Complexity: O(*n*) in the depth and the places among siblings.
    func codingPath(to node: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var node = node
        while node != 0 {
            let parent = Int(self[node].parent)
            if self[node].keyLength > 0 {
                path.append(AnyKey(stringValue: keyText(node)))
            } else {
                var place = 0
                var sibling = self[parent].start
                while sibling != node, sibling != 0 {
                    sibling = Int(self[sibling].next)
                    place += 1
                }
                path.append(AnyKey(intValue: place))
            }
            node = parent
        }
        return path.reversed()
    }
}
