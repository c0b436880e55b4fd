import SluiceExpressions
import SluiceJSON

extension Flow {
    /// Groups values by a key, applies a transformation to each group, and emits the results, with their keys, as they
    /// come.
    ///
    /// A group opens with the first value of its key and closes with the stream. If its transformed stream ends sooner,
    /// later values of the key are dropped. The groups complete in the order in which they opened.
    ///
    /// - Parameters:
    ///   - idle: The time without a value after which a group closes; the next value of its key opens another. By
    ///     default, groups close with the stream.
    ///   - limit: The maximum number of open groups; one more fails the stream.
    ///   - policy: The treatment of a value for which `key` throws.
    ///   - key: A closure that the run calls once for each value.
    ///   - body: A closure that transforms groups. It is called once, with a stream that represents every group.
    public func grouped<Key: Hashable & SendableMetatype, Output>(
        closingAfter idle: Duration? = nil,
        limit: Int = 100_000,
        onError policy: ErrorPolicy = .fail,
        by key: @escaping @Sendable (Value) throws -> Key,
        _ body: (Flow<Value>) -> Flow<Output>
    ) -> Flow<(key: Key, value: Output)> {
        let idle = idle.map { StreamTime($0) }
        return grouping(
            limit,
            policy,
            idle: idle,
            { _ in key },
            seeing: { _ in .null },
            { _ in nil },
            WindowPipeline(body)
        )
    }

    /// Implements ``grouped(closingAfter:limit:onError:by:_:)``.
    ///
    /// - Parameters:
    ///   - seen: Returns the value of a key that the expressions of the pipeline see.
    ///   - restored: Returns the key for such a value, in a run that resumes from a checkpoint.
    func grouping<Key: Hashable & SendableMetatype, Output>(
        _ limit: Int,
        _ policy: ErrorPolicy,
        idle: StreamTime?,
        path: String = "",
        _ make: @escaping @Sendable (Scope) -> (Value) throws -> Key,
        seeing seen: @escaping @Sendable (Key) -> CELValue,
        _ restored: @escaping @Sendable (CELValue) -> Key?,
        _ pipeline: WindowPipeline<Value, Output>
    ) -> Flow<(key: Key, value: Output)> {
        Flow<(key: Key, value: Output)> { [subscribe] scope, sink in
            let keyOf = make(scope)
            let windows = Windows(pipeline, scope, sink)
            let groups = Cell(Groups<Key, Value>())
            let keys = scope.cell(GroupKeys<Key>(), "keys")
            let reopened = windows.reopened { value in
                let key = restored(value)
                return { output in if let key { sink.receive((key, output)) } }
            }
            keys.state.number((reopened ?? []).map(\.id))
            for window in reopened ?? [] {
                if let key = keys.state.byID[window.id] { groups.state.add(window, key) }
            }
            func close(_ id: Int) {
                guard let group = groups.state.byID[id] else { return }
                windows.close(group.window)
                groups.state.remove(id)
                keys.state.byID[id] = nil
            }
            let timers = idle.map {
                IdleTimers($0, scope, sink.lifetime, open: groups.state.inOrder.map(\.id), close)
            }
            func fail(_ error: any Error) { windows.finish(.failed(error), groups.state.inOrder) }
            let input = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    timers?.removeAll()
                    windows.finish(end, groups.state.inOrder)
                    keys.state = GroupKeys()
                },
                receive: { value in
                    let key: Key
                    do { key = try keyOf(value) } catch {
                        return policy == .fail ? fail(error) : policy.take(error, scope, sink)
                    }
                    if let group = groups.state.byKey[key] {
                        group.receive(value)
                        timers?.touch(group.id)
                        return
                    }
                    guard groups.state.byKey.count < limit else {
                        let text =
                            "more than \(limit) groups: raise \"limit\", or take a key with fewer values"
                        return fail(StreamError(path: path, message: text))
                    }
                    let group = windows.open(for: seen(key)) { sink.receive((key, $0)) }
                    if scope.node != nil { keys.state.byID[group.id] = key }
                    groups.state.add(group, key)
                    group.receive(value)
                    timers?.touch(group.id)
                }
            )
            subscribe(scope, input)
        }
    }
}

/// The open groups.
private struct Groups<Key: Hashable, Value> {
    private(set) var byKey: [Key: Window<Value>] = [:]
    private(set) var byID: [Int: (key: Key, window: Window<Value>)] = [:]

    /// The groups in the order in which they opened.
    var inOrder: [Window<Value>] { byID.keys.sorted().compactMap { byID[$0]?.window } }

    mutating func add(_ window: Window<Value>, _ key: Key) {
        byKey[key] = window
        byID[window.id] = (key, window)
    }

    mutating func remove(_ id: Int) {
        guard let group = byID.removeValue(forKey: id) else { return }
        byKey[group.key] = nil
    }
}

/// The keys of the open groups, by the numbers of their windows, in whose order they are saved.
private struct GroupKeys<Key> {
    var byID: [Int: Key] = [:]
    private var restored: [Key] = []

    init() {}

    /// Assigns the numbers of the open windows to saved keys.
    mutating func number(_ ids: [Int]) {
        for (id, key) in zip(ids, restored) { byID[id] = key }
        restored = []
    }
}

extension GroupKeys: Savable where Key: Savable {
    init(saved json: JSON) throws { restored = try [Key](saved: json) }

    var saved: JSON { .array(byID.sorted { $0.key < $1.key }.map(\.value.saved)) }
}

extension OperatorKind {
    static let groupBy = OperatorKind(
        "groupBy",
        summary: "Groups values by an expression, and runs operators on each group",
        [
            .expression("key").resetting, .operators(), .seconds(isPositive: true, isRequired: false),
            .count("limit", least: 1, isRequired: false), .onError,
        ]
    ) { stage in
        let key = stage.expression(.item, "key")
        let pipeline = stage.windowPipeline(for: ("key", key.type))
        stage.item = .list(.dyn)
        let path = stage.scope.path.description
        let grouped = stage.input.grouping(
            stage.optionalCount("limit") ?? 100_000,
            stage.errorPolicy,
            idle: stage.optionalSeconds(),
            path: path,
            { scope in
                let function = key.transform(scope)
                return { try EqualityKey(function($0), path: path) }
            },
            seeing: { $0.value },
            { try? EqualityKey($0, path: path) },
            pipeline
        )
        return grouped.map { .list([$0.key.value, $0.value]) }
    }
}

extension Operator {
    /// Groups values by an expression, applies operators to each group, and emits `[key, result]` for their results as
    /// they come. Expressions of the operators see `key` too.
    ///
    /// ```marbles
    /// 1-2-3-4-|
    /// {"groupBy": {"key": "x % 2", "operators": [{"scan": {"expression": "acc + x + key"}}]}}
    /// '[1,1]'-'[0,2]'-'[1,5]'-'[0,6]'-|
    /// ```
    ///
    /// A group opens with the first value of its key and closes with the stream. If its operators end sooner, later
    /// values of the key are dropped. The groups complete in the order in which they opened.
    ///
    /// With `seconds`, a group closes after that time without a value of its key. The next value of the key opens
    /// another group.
    ///
    /// ```marbles
    /// 1-3-----1---|
    /// {"groupBy": {"key": "0", "seconds": 3, "operators": [{"sum": {}}]}}
    /// -----'[0,4]'-----'[0,1]'|
    /// ```
    ///
    /// - Parameters:
    ///   - key: The expression of the key: `x` is the value, `i` its index.
    ///   - operators: The operators that are applied; `nil` for none.
    ///   - seconds: The time without a value after which a group closes.
    ///   - limit: The maximum number of open groups, from 1; 100,000 by default. One more fails the stream.
    ///   - onError: The treatment of a value for which the expression fails.
    public static func groupBy(
        _ key: String,
        _ operators: [Operator],
        seconds: Double? = nil,
        limit: Int? = nil,
        onError: ErrorPolicy = .fail
    ) -> Operator {
        Operator(
            .groupBy,
            [
                "key": .string(key), "operators": .operators(operators),
                "seconds": seconds.map { .double($0) }, "limit": limit.map { .int($0) },
                "onError": onError.argument,
            ]
        )
    }
}
