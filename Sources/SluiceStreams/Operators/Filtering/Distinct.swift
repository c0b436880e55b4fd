import SluiceExpressions

/// What ``Operator/distinct(_:limit:whenFull:onError:)`` does with a new value when it remembers as many as it may.
public enum FullMemory: String, Sendable, Hashable, CaseIterable {
    /// The stream fails.
    case fail
    /// The oldest is forgotten: it may come again.
    case dropOldest
}

extension Flow {
    /// How many values ``distinct(limit:whenFull:)`` remembers where nothing is said.
    public static var distinctLimit: Int { 100_000 }

    /// Leaves out each value whose key came before.
    ///
    /// - Parameters:
    ///   - limit: how many keys are remembered, from 1.
    ///   - whenFull: what happens at one more.
    ///   - onError: what becomes of a value at which `key` throws.
    ///   - key: called by the run once for each value.
    public func distinct<Key: Hashable & Sendable>(
        limit: Int = Flow.distinctLimit,
        whenFull: FullMemory = .fail,
        onError route: ErrorRoute = .fail,
        by key: @escaping @Sendable (Value) throws -> Key
    ) -> Flow {
        distinguishing(limit, whenFull, route, path: "") { _ in key }
    }

    func distinguishing<Key: Hashable & Sendable>(
        _ limit: Int,
        _ whenFull: FullMemory,
        _ route: ErrorRoute,
        path: String,
        _ make: @escaping @Sendable (Scope) -> (Value) throws -> Key
    ) -> Flow {
        lift { scope, sink in
            let key = make(scope)
            let cell = scope.cell(Memory<Key>())
            let holding = scope.holding(for: sink.lifetime)
            return sink.receiving { value in
                do {
                    let key = try key(value)
                    if cell.state.keys.contains(key) { return }
                    // A NaN equals nothing, itself neither: no use to remember it, and no set could forget it.
                    guard key == key else { return sink.receive(value) }
                    if cell.state.keys.count < limit {
                        holding.add(1)
                    } else if whenFull == .fail {
                        let message =
                            "distinct remembers \(limit) values already; raise its limit or let it drop the oldest"
                        return sink.finish(.failed(StreamError(path: path, message: message)))
                    } else if let oldest = cell.state.order.popFirst() {
                        cell.state.keys.remove(oldest)
                    }
                    cell.state.keys.insert(key)
                    if whenFull == .dropOldest { cell.state.order.append(key) }
                } catch {
                    return route.take(error, scope, sink)
                }
                sink.receive(value)
            }
        }
    }
}

extension Flow where Value: Hashable & Sendable {
    /// Leaves out each value that came before.
    ///
    /// - Parameters:
    ///   - limit: how many values are remembered, from 1.
    ///   - whenFull: what happens at one more.
    public func distinct(limit: Int = Flow.distinctLimit, whenFull: FullMemory = .fail) -> Flow {
        distinct(limit: limit, whenFull: whenFull, by: { $0 })
    }
}

/// The keys that came; in their order too, where the oldest is to be forgotten.
private struct Memory<Key: Hashable> {
    var keys: Set<Key> = []
    var order = FIFO<Key>()
}

extension Memory: SavableState where Key: Savable {
    static var fields: [SavedField<Self>] {
        // In one order, so that equal states are equal texts.
        [SavedField("keys", \.sortedKeys), SavedField("order", \.order)]
    }

    private var sortedKeys: [Key] {
        get { keys.map { (text: "\($0.saved)", key: $0) }.sorted { $0.text < $1.text }.map(\.key) }
        set { keys = Set(newValue) }
    }
}

extension OperatorKind {
    static let distinct = OperatorKind(
        "distinct",
        [
            .expression(isRequired: false), .count("limit", least: 1, isRequired: false),
            .choice("whenFull", FullMemory.allCases.map(\.rawValue)), .onError,
        ]
    ) { stage in
        let transform = stage.key
        let path = stage.path
        return stage.input.distinguishing(
            stage.optionalCount("limit") ?? Flow<CELValue>.distinctLimit,
            stage.choice("whenFull").flatMap(FullMemory.init) ?? .fail,
            stage.errorRoute,
            path: path
        ) { scope in
            let key = transform(scope)
            return { try EqualityKey(try key($0), path: path) }
        }
    }
}

extension Operator {
    /// Leaves out each value that is equal to one that came before, as the expression language's `==` has it: `1`
    /// equals `1.0`.
    ///
    /// ```marbles
    /// -1-2-1-3-2-|
    /// {"distinct": {}}
    /// -1-2---3---|
    /// ```
    ///
    /// ```marbles
    /// -1-2-1-3-2-1-|
    /// {"distinct": {"limit": 2, "whenFull": "dropOldest"}}
    /// -1-2---3---1-|
    /// ```
    ///
    /// - Parameters:
    ///   - expression: what is compared in place of the value: `x` is the value, `i` its index.
    ///   - limit: how many values are remembered, from 1; 100,000 where nothing is said.
    ///   - whenFull: what happens at one more: the stream fails where nothing is said.
    public static func distinct(
        _ expression: String? = nil,
        limit: Int? = nil,
        whenFull: FullMemory = .fail,
        onError: ErrorRoute = .fail
    ) -> Operator {
        Operator(
            .distinct,
            [
                "expression": expression.map { .string($0) }, "limit": limit.map { .int($0) },
                "whenFull": whenFull == .fail ? nil : .string(whenFull.rawValue), "onError": onError.argument,
            ]
        )
    }
}
