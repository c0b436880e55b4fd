import SluiceJSON

/// What operators ask of the place where they are subscribed, so that a run that is to be saved knows their states. In
/// any other run each costs a look at a reference that is not there.
extension Scope {
    /// The state of an operator.
    @inlinable func cell<State>(_ state: State, _ name: String = "state") -> Cell<State> {
        let cell = Cell(state)
        if let part { part.keep(cell, name) }
        return cell
    }

    /// The last item of an operator with a state, on which an edit tries a changed expression; `nil` in a run that is
    /// not to be saved.
    @inlinable func lastItem<Value>(of type: Value.Type) -> Cell<Value?>? {
        part == nil ? nil : cell(nil, "last")
    }

    /// A timer that is removed when `lifetime` closes.
    ///
    /// - Parameters:
    ///   - duration: the time that it waits from its arming, by which an edit moves it; `nil` for a timer that its
    ///     operator moves.
    ///   - notes: whether the plan of an edit says `due now` of a timer that moves to now.
    @inlinable func timer(
        for lifetime: Lifetime,
        lasting duration: StreamTime? = nil,
        notes: Bool = true,
        _ fire: @escaping () -> Void
    ) -> Timer {
        let timer = run.timer(for: lifetime, fire)
        if let part { part.keep(timer, lasting: duration, notes: notes) }
        return timer
    }

    /// The count of what an operator holds back.
    @inlinable func holding(for lifetime: Lifetime) -> Holding {
        let holding = run.holding(for: lifetime)
        if let part { part.keep(holding) }
        return holding
    }

    /// Whether the subscription goes on from what was saved: nothing is begun then, and inputs that have ended are
    /// closed.
    var isRestoring: Bool { part?.isRestoring ?? false }

    /// The place at a part of the tree.
    func at(_ part: Part?) -> Scope { Scope(run: run, outer: outer, part: part) }

    /// The place of a stream that is started for an item and lasts as long as `lifetime`.
    func begin<Item>(for item: Item, _ lifetime: Lifetime) -> Scope {
        if let part { at(part.begin(for: item, lifetime)) } else { self }
    }

    /// The streams that ran for items, with the item of each and what gives it its place.
    ///
    /// - Parameter isOne: whether what was saved is an item of that type, where a stage starts streams for several.
    func restored<Item>(
        _ type: Item.Type,
        where isOne: (JSON) -> Bool = { _ in true }
    ) -> [(item: Item, scope: (Lifetime) -> Scope)] {
        guard let part, part.isRestoring else { return [] }
        return part.takeInner(type, where: isOne).map { entry in (entry.item, { at(entry.begin($0)) }) }
    }
}

extension Flow {
    /// The stream as a stage of the stream around, under a key of its own.
    func staged(_ key: String, _ kind: StateKind) -> Flow {
        Flow { [subscribe] scope, sink in
            guard let part = scope.part else { return subscribe(scope, sink) }
            part.beginStage(key, kind, scope, sink, subscribe)
        }
    }

    /// The stream as one within a stage, under a key of its own; `isSource` for the source of the stream around.
    func nested(_ key: String, isSource: Bool = false) -> Flow {
        Flow { [subscribe] scope, sink in
            guard let part = scope.part else { return subscribe(scope, sink) }
            part.beginStream(key, isSource: isSource, scope, sink, subscribe)
        }
    }
}
