// Arrays, sets, dictionaries and optionals have their own way: no containers, and the plan of the elements is found
// once.

extension Array: PlannedEncodable where Element: Encodable {
    func encode(planned encoder: NodeEncoder) throws {
        encoder.state.makeContainer(encoder.node, .array)
        guard let plan = TypePlan.plan(of: Element.self).encoding else {
            for element in self { try element.encode(to: encoder.element()) }
            return
        }
        for element in self {
            let target = encoder.element()
            // The plan of `Element` reads an `Element` there.
            try withUnsafePointer(to: element) { try plan.encode(UnsafeRawPointer($0), target) }
        }
    }
}

extension Set: PlannedEncodable where Element: Encodable {
    func encode(planned encoder: NodeEncoder) throws { try Array(self).encode(planned: encoder) }
}

extension Dictionary: PlannedEncodable where Key == String, Value: Encodable {
    /// Keys are written as they are, whatever the key strategy, as in Foundation.
    func encode(planned encoder: NodeEncoder) throws {
        let state = encoder.state
        state.makeContainer(encoder.node, .object)
        let needsPath = encoder.path != nil || !state.usesDefaultKeys
        for (key, value) in self {
            let path = needsPath ? PathStep(parent: encoder.codingPath, key: AnyKey(stringValue: key)) : nil
            let target = NodeEncoder(state: state, node: state.member(of: encoder.node, key), path: path)
            try target.value(value)
        }
        // The keys of a dictionary differ.
        state[encoder.node].needsKeyCheck = false
    }
}

extension Optional: PlannedEncodable where Wrapped: Encodable {
    func encode(planned encoder: NodeEncoder) throws {
        if let self { try encoder.value(self) } else { encoder.encodeNil() }
    }
}
