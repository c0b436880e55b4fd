import SluiceExpressions
import SluiceJSON

extension Flow {
    /// Sorts values into groups by a key and passes on what is made of each group, with its key, as it comes.
    ///
    /// A group opens with the first value of its key and closes with the stream; when what is made of it ends sooner,
    /// later values of the key are dropped. The groups complete in the order in which they opened.
    ///
    /// - Parameters:
    ///   - limit: how many groups there may be; one more fails the stream.
    ///   - onError: what becomes of a value at which `key` throws.
    ///   - key: called by the run once for each value.
    ///   - body: called once, with a stream that stands for every group.
    public func grouped<Key: Hashable & SendableMetatype, Output>(
        limit: Int = 100_000,
        onError route: ErrorRoute = .fail,
        by key: @escaping @Sendable (Value) throws -> Key,
        _ body: (Flow<Value>) -> Flow<Output>
    ) -> Flow<(key: Key, value: Output)> {
        grouping(limit, route, { _ in key }, seeing: { _ in .null }, WindowPipeline(body))
    }

    func grouping<Key: Hashable & SendableMetatype, Output>(
        _ limit: Int,
        _ route: ErrorRoute,
        path: String = "",
        _ make: @escaping @Sendable (Scope) -> (Value) throws -> Key,
        seeing seen: @escaping @Sendable (Key) -> CELValue,
        _ pipeline: WindowPipeline<Value, Output>
    ) -> Flow<(key: Key, value: Output)> {
        Flow<(key: Key, value: Output)> { [subscribe] scope, sink in
            let keyOf = make(scope)
            let windows = Windows(pipeline, scope, sink)
            let cell = Cell(Groups<Key, Value>())
            // The windows are numbered as their keys: none closes before the end.
            let keys = scope.cell([] as [Key], "keys")
            let reopened = windows.reopened { id in
                { if keys.state.indices.contains(id - 1) { sink.receive((keys.state[id - 1], $0)) } }
            }
            for window in reopened ?? [] where keys.state.indices.contains(window.id - 1) {
                cell.state.byKey[keys.state[window.id - 1]] = window
                cell.state.inOrder.append(window)
            }
            func fail(_ error: any Error) { windows.finish(.failed(error), cell.state.inOrder) }
            let input = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in windows.finish(end, cell.state.inOrder) },
                receive: { value in
                    let key: Key
                    do { key = try keyOf(value) } catch {
                        return route == .fail ? fail(error) : route.take(error, scope, sink)
                    }
                    if let group = cell.state.byKey[key] { return group.receive(value) }
                    guard cell.state.inOrder.count < limit else {
                        let text =
                            "more than \(limit) groups: raise \"limit\", or take a key with fewer values"
                        return fail(StreamError(path: path, message: text))
                    }
                    if scope.part != nil { keys.state.append(key) }
                    let group = windows.open(for: seen(key)) { sink.receive((key, $0)) }
                    cell.state.byKey[key] = group
                    cell.state.inOrder.append(group)
                    group.receive(value)
                }
            )
            subscribe(scope, input)
        }
    }
}

/// The groups that were opened.
private struct Groups<Key: Hashable, Value> {
    var byKey: [Key: Window<Value>] = [:]
    var inOrder: [Window<Value>] = []
}

extension OperatorKind {
    static let groupBy = OperatorKind(
        "groupBy",
        [.expression("key"), .operators(), .count("limit", least: 1, isRequired: false), .onError]
    ) { stage in
        let key = stage.expression(.item, "key")
        let pipeline = stage.windowPipeline(for: ("key", key.type))
        stage.item = .list(.dyn)
        let path = stage.place.path.description
        let grouped = stage.input.grouping(
            stage.optionalCount("limit") ?? 100_000,
            stage.errorRoute,
            path: path,
            { scope in
                let function = key.transform(scope)
                return { try EqualityKey(function($0), path: path) }
            },
            seeing: { $0.value },
            pipeline
        )
        return grouped.map { .list([$0.key.value, $0.value]) }
    }
}

extension Operator {
    /// Sorts values into groups by an expression, runs operators on each group and passes on `[key, result]` for what they
    /// give, as it comes. Expressions of the operators see `key` too.
    ///
    /// ```marbles
    /// 1-2-3-4-|
    /// {"groupBy": {"key": "x % 2", "operators": [{"scan": {"expression": "acc + x + key"}}]}}
    /// '[1,1]'-'[0,2]'-'[1,5]'-'[0,6]'-|
    /// ```
    ///
    /// A group opens with the first value of its key and closes with the stream; when its operators end sooner, later
    /// values of the key are dropped. The groups complete in the order in which they opened.
    ///
    /// - Parameters:
    ///   - key: `x` is the value, `i` its index.
    ///   - limit: how many groups there may be, from 1, 100,000 where nothing is said; one more fails the stream.
    public static func groupBy(
        _ key: String,
        _ operators: [Operator],
        limit: Int? = nil,
        onError: ErrorRoute = .fail
    ) -> Operator {
        Operator(
            .groupBy,
            [
                "key": .string(key), "operators": .operators(operators), "limit": limit.map { .int($0) },
                "onError": onError.argument,
            ]
        )
    }
}
