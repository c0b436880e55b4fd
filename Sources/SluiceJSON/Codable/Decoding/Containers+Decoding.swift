// Arrays, sets, dictionaries and optionals have their own way: no containers, and the plan of the elements is found
// once.

extension Array: PlannedDecodable where Element: Decodable {
    init(planned decoder: NodeDecoder) throws {
        guard Tape.kind(decoder.word) == .array else { throw decoder.mismatch([Any].self) }
        let text = decoder.state.text
        let count = Tape.count(text.tape[decoder.index + 1])
        let plan = TypePlan.plan(of: Element.self).decoding
        let keepsPath = decoder.path != nil || !decoder.state.usesDefaultKeys
        var at = decoder.index + 2
        self = try Array(unsafeUninitializedCapacity: count) { buffer, initialized in
            guard let base = buffer.baseAddress else { return }
            while initialized < count {
                let child =
                    keepsPath
                    ? decoder.child(at, AnyKey(intValue: initialized))
                    : NodeDecoder(state: decoder.state, index: at, path: nil)
                // If this throws the array destroys the `initialized` elements before it.
                if let plan {
                    try plan.decode(child, UnsafeMutableRawPointer(base + initialized))
                } else {
                    (base + initialized).initialize(to: try Element(from: child))
                }
                initialized += 1
                at = text.skip(at)
            }
        }
    }
}

extension Set: PlannedDecodable where Element: Decodable {
    init(planned decoder: NodeDecoder) throws {
        self.init(try [Element](planned: decoder))
    }
}

extension Dictionary: PlannedDecodable where Key == String, Value: Decodable {
    /// Keys are taken as they are, whatever the key strategy, as in Foundation; of keys that repeat the first counts.
    init(planned decoder: NodeDecoder) throws {
        guard Tape.isObject(decoder.word) else { throw decoder.mismatch([String: Any].self) }
        let state = decoder.state
        self.init(minimumCapacity: Tape.count(state.text.tape[decoder.index + 1]))
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
