import Sluice
import SluiceExpressions

/// The behavior of ``Operator/distinct(_:limit:whenFull:onError:)`` for a new value when its memory is full.
public enum FullMemory: String, Sendable, Hashable, CaseIterable {
    /// The stream fails.
    case fail
    /// The oldest value is forgotten, and may be emitted again.
    case dropOldest
}

extension Flow {
    /// The default number of values that ``distinct(limit:whenFull:)`` remembers.
    public static var distinctLimit: Int { 100_000 }

    /// Drops each value whose key came before.
    ///
    /// - Parameters:
    ///   - limit: The number of keys that are remembered, from 1.
    ///   - whenFull: The behavior for a new key when the memory is full.
    ///   - policy: The treatment of a value for which `key` throws.
    ///   - key: A closure that the run calls once for each value.
    public func distinct<Key: Hashable & Sendable>(
        limit: Int = Flow.distinctLimit,
        whenFull: FullMemory = .fail,
        onError policy: ErrorPolicy = .fail,
        by key: @escaping @Sendable (Value) throws -> Key
    ) -> Flow {
        distinguishing(limit, whenFull, policy, path: "") { _ in key }
    }

    func distinguishing<Key: Hashable & Sendable>(
        _ limit: Int,
        _ whenFull: FullMemory,
        _ policy: ErrorPolicy,
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
                    // A NaN is not equal to anything, including itself: remembering it is useless, and no set could
                    // remove it.
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
                    return policy.take(error, scope, sink)
                }
                sink.receive(value)
            }
        }
    }
}

extension Flow where Value: Hashable & Sendable {
    /// Drops each value that came before.
    ///
    /// - Parameters:
    ///   - limit: The number of values that are remembered, from 1.
    ///   - whenFull: The behavior for a new value when the memory is full.
    public func distinct(limit: Int = Flow.distinctLimit, whenFull: FullMemory = .fail) -> Flow {
        distinct(limit: limit, whenFull: whenFull, by: { $0 })
    }
}

/// The keys that came; also in order, if the oldest one is to be forgotten.
private struct Memory<Key: Hashable> {
    var keys: Set<Key> = []
    var order = Deque<Key>()
}

extension Memory: SavableState where Key: Savable {
    static var fields: [SavedField<Self>] {
        // In order, so that equal states have equal texts.
        [SavedField("keys", \.sortedKeys), SavedField("order", \.savedOrder)]
    }

    private var sortedKeys: [Key] {
        // Those in order are saved with it, and once.
        get {
            let others = order.isEmpty ? keys : keys.subtracting(order.all)
            return others.map { (text: "\($0.saved)", key: $0) }.sorted { $0.text < $1.text }.map(\.key)
        }
        set { keys.formUnion(newValue) }
    }

    private var savedOrder: Deque<Key> {
        get { order }
        set {
            order = newValue
            keys.formUnion(newValue.all)
        }
    }
}

extension OperatorKind {
    static let distinct = OperatorKind(
        "distinct",
        summary: "Drops each value that is equal to an earlier one",
        [
            .expression(isRequired: false).resetting, .count("limit", least: 1, isRequired: false),
            .choice("whenFull", FullMemory.allCases.map(\.rawValue)).resetting, .onError,
        ]
    ) { stage in
        let transform = stage.key
        let path = stage.path
        return stage.input.distinguishing(
            stage.optionalCount("limit") ?? Flow<CELValue>.distinctLimit,
            stage.choice("whenFull").flatMap(FullMemory.init) ?? .fail,
            stage.errorPolicy,
            path: path
        ) { scope in
            let key = transform(scope)
            return { try EqualityKey(try key($0), path: path) }
        }
    }
}

extension Operator {
    /// Drops each value that is equal to an earlier one, by the expression language's `==`: `1` equals `1.0`.
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
    ///   - expression: An expression whose result is compared in place of the value: `x` is the value, `i` its index.
    ///   - limit: The number of values that are remembered, from 1; 100,000 by default.
    ///   - whenFull: The behavior for a new value when the memory is full; by default the stream fails.
    ///   - onError: The treatment of a value for which the expression fails.
    public static func distinct(
        _ expression: String? = nil,
        limit: Int? = nil,
        whenFull: FullMemory = .fail,
        onError: ErrorPolicy = .fail
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
