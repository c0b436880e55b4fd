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

    static func choosing(
        _ condition: @escaping @Sendable (Scope) throws -> Bool,
        _ first: Flow,
        _ second: Flow
    ) -> Flow {
        Flow { scope, sink in
            let isFirst = scope.cell(false)
            if !scope.isRestoring {
                do { isFirst.state = try condition(scope) } catch { return sink.finish(.failed(error)) }
            }
            (isFirst.state ? first : second).subscribe(scope, sink)
        }
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
    /// The condition sees the parameters of the document, and the item for which the stream is started.
    ///
    /// ```marbles
    /// {"source": {"values": [1, 5]}, "operators": [
    ///     {"flatMap": {"to": {"iif": {"condition": "a > 3", "then": {"timer": {"seconds": 2}}}}, "expression": "a"}}
    /// ]}
    /// --(5|)
    /// ```
    static let iif = SourceKind(
        "iif",
        [.expression("condition"), .source("then"), .source("else", isRequired: false)]
    ) { stage in
        let condition = stage.expression(.joined([]), "condition", answering: .bool)
        let first = stage.source("then")
        let second = stage.has("else") ? stage.source("else") : TypedFlow(.empty, first.item)
        stage.item = TypedFlow.common([first, second])
        let path = stage.scope.path.appending("condition").description
        return .choosing(
            { scope in
                guard case .bool(let value) = try condition.join(scope)([]) else {
                    throw StreamError(path: path, message: "the condition is not true or false")
                }
                return value
            },
            first.flow,
            second.flow
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
