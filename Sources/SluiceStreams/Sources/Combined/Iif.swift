import SluiceExpressions
import SluiceJSON

extension Flow {
    /// Returns a stream that reads one of two streams, chosen by a condition at the subscription.
    ///
    /// - Parameters:
    ///   - condition: A closure that the run calls once for each subscription; an error that it throws fails the
    ///     stream.
    ///   - first: The stream that is read if the condition is true.
    ///   - second: The stream that is read if the condition is false.
    public static func iif(
        _ condition: @escaping @Sendable () throws -> Bool,
        then first: Flow,
        else second: Flow = .empty
    ) -> Flow { choosing({ _ in try condition() }, first, second) }

    /// - Parameter branches: The keys of the two streams, with which an edit of a document chooses again; `nil` for a
    ///   condition that may answer differently when it is called again.
    static func choosing(
        _ condition: @escaping @Sendable (Scope) throws -> Bool,
        _ first: Flow,
        _ second: Flow,
        _ branches: Branches? = nil
    ) -> Flow {
        Flow { scope, sink in
            let isFirst = scope.cell(false)
            do {
                if !scope.isRestoring {
                    isFirst.state = try condition(scope)
                } else if let branches, let node = scope.node, node.isEdited {
                    let former = isFirst.state
                    isFirst.state = try condition(scope)
                    node.noteChoice(isOther: isFirst.state != former, branches.key(isFirst.state))
                    if isFirst.state != former { branches.drop(former, scope, node) }
                }
            } catch {
                guard scope.isRestoring else { return sink.finish(.failed(error)) }
                scope.node?.noteFailure("the condition fails: \(StreamError(error).message)")
                return scope.run.begin(for: sink.lifetime) { sink.finish(.failed(error)) }
            }
            (isFirst.state ? first : second).subscribe(scope, sink)
        }
    }
}

/// The keys of the two streams of which a condition chooses one.
struct Branches {
    /// The beginning of the keys of the shared streams in all of the stage's streams.
    let shared: String

    /// Returns the key of the stream that the condition chooses.
    func key(_ isFirst: Bool) -> String { isFirst ? "then" : "else" }

    /// Drops the stream that was chosen before, so that the other one begins.
    func drop(_ isFirst: Bool, _ scope: Scope, _ node: StateNode) {
        let key = key(isFirst)
        node.begin(self.key(!isFirst), insteadOf: key)
        for holder in [scope.run.root, scope.outer?.node] { holder?.dropShared("\(shared).\(key).") }
    }
}

extension SourceKind {
    /// Reads the stream `then` if a condition is true at the subscription, otherwise `else`, or nothing without it.
    ///
    /// ```marbles
    /// a: -1-|
    /// b: -2-|
    /// {"iif": {"condition": "1 > 2", "then": {"ref": "a"}, "else": {"ref": "b"}}}
    /// -2-|
    /// ```
    ///
    /// The condition sees the parameters of the document, and the item for which the stream is started. An edit of the
    /// condition evaluates it again: if it chooses the other stream, that one begins.
    ///
    /// ```marbles
    /// {"source": {"values": [1, 5]}, "operators": [
    ///     {"flatMap": {"to": {"iif": {"condition": "a > 3", "then": {"timer": {"seconds": 2}}}}, "expression": "a"}}
    /// ]}
    /// --(5|)
    /// ```
    static let iif = SourceKind(
        "iif",
        summary: "Starts one of two streams, chosen by an expression",
        [.expression("condition"), .source("then"), .source("else", isRequired: false)]
    ) { stage in
        let condition = stage.expression(.joined([]), "condition", answering: .bool)
        let first = stage.source("then")
        let second =
            stage.has("else") ? stage.source("else") : TypedFlow(stage.compiler.nested(.empty, "else"), first.item)
        stage.item = TypedFlow.common([first, second])
        let path = stage.scope.path.appending("condition").description
        stage.tries(condition, .choice)
        return .choosing(
            { scope in
                guard case .bool(let value) = try condition.join(scope)([]) else {
                    throw StreamError(path: path, message: "the condition is not true or false")
                }
                return value
            },
            first.flow,
            second.flow,
            Branches(shared: stage.compiler.sharedPrefix(stage.scope))
        )
    }
}

extension StreamSource {
    /// Returns a source that reads one of two streams, chosen by a condition at the subscription; without the second,
    /// nothing.
    public static func iif(
        _ condition: String,
        then first: StreamSource,
        else second: StreamSource? = nil
    ) -> StreamSource {
        .named(
            NamedSource(
                .iif,
                [
                    "condition": .string(condition), "then": .source(first), "else": second.map { .source($0) },
                ]
            )
        )
    }
}
