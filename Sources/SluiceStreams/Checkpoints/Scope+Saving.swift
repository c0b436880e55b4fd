import SluiceJSON

/// The services that operators use at the place of their subscription, so that a run that can be saved knows their
/// states. In any other run, each costs one check of a reference that is nil.
extension Scope {
    /// Returns a cell with the state of an operator.
    @inlinable func cell<State>(_ state: State, _ name: String = "state") -> Cell<State> {
        let cell = Cell(state)
        if let node { node.keep(cell, name) }
        return cell
    }

    /// Returns a cell for the last item of an operator with a state, on which an edit tries a changed expression; `nil`
    /// in a run that isn't saved.
    @inlinable func lastItem<Value>(of type: Value.Type) -> Cell<Value?>? {
        node == nil ? nil : cell(nil, "last")
    }

    /// Returns a timer that is removed when `lifetime` closes.
    ///
    /// - Parameters:
    ///   - duration: The time from its arming to its firing, by which an edit moves it; `nil` for a timer that its
    ///     operator moves.
    ///   - notes: A Boolean value that indicates whether the plan of an edit says `due now` of a timer that moves to
    ///     now.
    @inlinable func timer(
        for lifetime: Lifetime,
        lasting duration: StreamTime? = nil,
        notes: Bool = true,
        _ fire: @escaping () -> Void
    ) -> Timer {
        let timer = run.timer(for: lifetime, fire)
        if let node { node.keep(timer, lasting: duration, notes: notes) }
        return timer
    }

    /// Returns the counter of the items that an operator holds back.
    @inlinable func holding(for lifetime: Lifetime) -> Holding {
        let holding = run.holding(for: lifetime)
        if let node { node.keep(holding) }
        return holding
    }

    /// A Boolean value that indicates whether the subscription resumes from a saved state. Then nothing is begun, and
    /// inputs that have ended are closed.
    var isRestoring: Bool { node?.isRestoring ?? false }

    /// Returns the scope at a node of the tree.
    func at(_ node: StateNode?) -> Scope { Scope(run: run, outer: outer, node: node) }

    /// Returns the scope of a stream that is started for an item and lasts as long as `lifetime`.
    func begin<Item>(for item: Item, _ lifetime: Lifetime) -> Scope {
        if let node { at(node.begin(for: item, lifetime)) } else { self }
    }

    /// Returns the streams that were running for items, each with its item and the closure that gives it its scope.
    ///
    /// - Parameter isOne: A closure that returns whether a saved value is an item of that type, for a stage that starts
    ///   streams for several types.
    func restored<Item>(
        _ type: Item.Type,
        where isOne: (JSON) -> Bool = { _ in true }
    ) -> [(item: Item, scope: (Lifetime) -> Scope)] {
        guard let node, node.isRestoring else { return [] }
        return node.takeInner(type, where: isOne).map { entry in (entry.item, { at(entry.begin($0)) }) }
    }
}

extension Flow {
    /// Returns the stream as a stage of the enclosing stream, under its own key.
    func staged(_ key: String, _ kind: StateKind) -> Flow {
        Flow { [subscribe] scope, sink in
            guard let node = scope.node else { return subscribe(scope, sink) }
            node.beginStage(key, kind, scope, sink, subscribe)
        }
    }

    /// Returns the stream as one within a stage, under its own key; `isSource` for the source of the enclosing stream.
    func nested(_ key: String, isSource: Bool = false) -> Flow {
        Flow { [subscribe] scope, sink in
            guard let node = scope.node else { return subscribe(scope, sink) }
            node.beginStream(key, isSource: isSource, scope, sink, subscribe)
        }
    }
}
