// Arrays, sets, dictionaries and optionals have their own way: no containers, and the plan of the elements is found
// once.

extension Array: PlannedDecodable where Element: Decodable {
    init(planned decoder: NodeDecoder) throws {
        guard Tape.kind(decoder.word) == .array else { throw decoder.mismatch([Any].self) }
        let state = decoder.state
        let count = Tape.count(state.tape[decoder.index + 1])
        self = try Array(unsafeUninitializedCapacity: count) { buffer, initialized in
            guard let base = buffer.baseAddress else { return }
            // The array destroys the `initialized` elements before one that throws.
            if Element.self == String.self {
                try fill(UnsafeMutableRawPointer(base), decoder, count, &initialized, { state.string($0) }, { try $0.string() })
            } else if Element.self == Int.self {
                try fill(
                    UnsafeMutableRawPointer(base), decoder, count, &initialized, { state.integer($0) as Int? },
                    { try $0.integer() })
            } else if Element.self == Double.self {
                try fill(UnsafeMutableRawPointer(base), decoder, count, &initialized, { state.double($0) }, { try $0.double() })
            } else {
                try fillAny(base, decoder, count, &initialized)
            }
        }
    }
}

/// Reads an array of scalars. The memory at `target` has room for `count` values of the type.
@inline(__always)
private func fill<T>(
    _ target: UnsafeMutableRawPointer, _ decoder: NodeDecoder, _ count: Int, _ initialized: inout Int,
    _ fast: (Int) -> T?, _ slow: (NodeDecoder) throws -> T
) throws {
    let base = target.assumingMemoryBound(to: T.self)
    let state = decoder.state
    var at = decoder.index + 2
    while initialized < count {
        let value = try fast(at) ?? slow(decoder.child(at, AnyKey(intValue: initialized)))
        (base + initialized).initialize(to: value)
        initialized += 1
        at = state.skip(at)
    }
}

private func fillAny<T: Decodable>(
    _ base: UnsafeMutablePointer<T>, _ decoder: NodeDecoder, _ count: Int, _ initialized: inout Int
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
    /// Keys are taken as they are, whatever the key strategy, as in Foundation; of keys that repeat the first counts.
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
