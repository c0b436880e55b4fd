// Arrays, sets, dictionaries, and optionals are encoded without containers, and the plan of their elements is found
// once.

extension Array: PlannedEncodable where Element: Encodable {
    func encode(planned encoder: NodeEncoder) throws {
        encoder.state.makeContainer(encoder.node, .array)
        guard let plan = TypePlan.plan(of: Element.self).encoding else {
            for element in self { try encoder.element { try element.encode(to: $0) } }
            return
        }
        for element in self {
            try encoder.element { target in
                // The plan of `Element` reads an `Element` there.
                try withUnsafePointer(to: element) { try plan.encode(UnsafeRawPointer($0), target) }
            }
        }
    }
}

extension Set: PlannedEncodable where Element: Encodable {
    func encode(planned encoder: NodeEncoder) throws { try Array(self).encode(planned: encoder) }
}

extension Dictionary: PlannedEncodable where Key == String, Value: Encodable {
    /// Keys are written unchanged, whatever the key strategy, as in Foundation.
    func encode(planned encoder: NodeEncoder) throws {
        if encoder.state.usesDefaultKeys {
            try encode(into: encoder)
        } else {
            // Foundation builds such a dictionary separately: a failure leaves nothing behind.
            try encoder.wholly { try encode(into: encoder) }
        }
    }

    private func encode(into encoder: NodeEncoder) throws {
        let state = encoder.state
        state.makeContainer(encoder.node, .object)
        let needsPath = encoder.path != nil || !state.usesDefaultKeys
        for (key, value) in self {
            let path = needsPath ? encoder.step(AnyKey(stringValue: key)) : nil
            let previous = state[encoder.node].extent
            let target = NodeEncoder(state: state, node: state.member(of: encoder.node, key), path: path)
            do {
                try target.value(value)
            } catch {
                state.remove(target.node, after: previous, from: encoder.node)
                throw error
            }
        }
        // The keys of a dictionary are distinct.
        state[encoder.node].needsKeyCheck = false
    }
}

extension Optional: PlannedEncodable where Wrapped: Encodable {
    func encode(planned encoder: NodeEncoder) throws {
        if let self { try encoder.value(self) } else { encoder.encodeNil() }
    }
}
