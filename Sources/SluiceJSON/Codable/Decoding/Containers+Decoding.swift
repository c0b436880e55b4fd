// Arrays, sets, dictionaries, and optionals are decoded without containers, and the plan of their elements is found
// once.

extension Array: PlannedDecodable where Element: Decodable {
    init(planned decoder: NodeDecoder) throws {
        guard Tape.isArray(decoder.word) else { throw decoder.mismatch([Any].self) }
        let state = decoder.state
        let count = Tape.count(state.tape[decoder.index + 1])
        self = try Array(filling: count) { buffer, initialized in
            guard let base = buffer.baseAddress else { return }
            // If an element throws, the array destroys the `initialized` elements before it.
            try fill(base, decoder, count, &initialized)
        }
    }
}

private func fill<T: Decodable>(
    _ base: UnsafeMutablePointer<T>,
    _ decoder: NodeDecoder,
    _ count: Int,
    _ initialized: inout Int
) throws {
    let plan = TypePlan.plan(of: T.self).decoding
    let state = decoder.state
    let keepsPath = decoder.path != nil || !state.usesDefaultKeys
    var at = decoder.index + 2
    while initialized < count {
        let child =
            keepsPath
            ? decoder.child(at, AnyKey(intValue: initialized)) : NodeDecoder(state: state, index: at, path: nil)
        if let plan {
            try plan.decode(child, UnsafeMutableRawPointer(base + initialized))
        } else {
            (base + initialized).initialize(to: try T(from: child))
        }
        initialized += 1
        at = state.skip(at)
    }
}

extension Set: PlannedDecodable where Element: Decodable {
    init(planned decoder: NodeDecoder) throws {
        self.init(try [Element](planned: decoder))
    }
}

extension Dictionary: PlannedDecodable where Key == String, Value: Decodable {
    /// Keys are used unchanged, whatever the key strategy, as in Foundation; of repeated keys the first counts.
    init(planned decoder: NodeDecoder) throws {
        guard Tape.isObject(decoder.word) else { throw decoder.mismatch([String: Any].self) }
        let state = decoder.state
        self.init(minimumCapacity: Tape.count(state.tape[decoder.index + 1]))
        try state.forEachMember(of: decoder.index) { key, value in
            let key = state.text.string(key)
            let child = decoder.child(value, AnyKey(stringValue: key))
            if let earlier = updateValue(try child.value(Value.self), forKey: key), !state.text.lastWins {
                self[key] = earlier
            }
        }
    }
}

extension Optional: PlannedDecodable where Wrapped: Decodable {
    init(planned decoder: NodeDecoder) throws {
        self = decoder.decodeNil() ? nil : try decoder.value(Wrapped.self)
    }
}
