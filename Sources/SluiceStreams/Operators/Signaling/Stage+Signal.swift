import SluiceExpressions
import SluiceJSON

extension Stage {
    /// Returns the stream of an argument, whose expressions see several items for which it is started.
    ///
    /// - Parameter items: The names and types of the items, the outermost first.
    func source(_ key: String, within items: [(name: String, type: CELType)]) -> TypedFlow {
        guard case .source(let source) = arguments[key] else { return TypedFlow(.never) }
        var inner = scope.at(scope.path.appending(key))
        for item in items { inner = inner.inside(item.name, item.type) }
        var flow = compiler.source(source, inner.deeper())
        flow.flow = compiler.nested(flow.flow, key)
        return flow
    }

    /// Returns a function that starts the stream of `source` for an item, which its expressions see as `a`.
    func signal() -> @Sendable (Scope, CELValue, Sink<CELValue>) throws -> Void {
        let flow = source("source", for: ("a", item)).flow
        return { scope, value, sink in flow.subscribe(scope.inside(value), sink) }
    }

    /// Returns a Boolean value that indicates whether the operator waits for `source` in scope of `seconds`; records an
    /// error unless exactly one of them is given.
    ///
    /// - Parameter isRequired: A Boolean value that indicates whether one of them is required.
    func waitsForSource(isRequired: Bool = true) -> Bool {
        switch (has("seconds"), has("source")) {
        case (true, true):
            compiler.note(scope.path, "\"seconds\" and \"source\" exclude each other", hint: "remove one of them")
        case (false, false) where isRequired:
            compiler.note(scope.path, "\"seconds\" is missing", hint: "give \"seconds\", or \"source\" in its place")
        default: break
        }
        return has("source")
    }
}
