import SluiceExpressions

extension Flow {
    /// Completes at once.
    public static var empty: Flow { Flow { _, sink in sink.finish(.completed) } }

    /// Gives nothing and never ends.
    public static var never: Flow { Flow { _, _ in } }

    /// Fails at once.
    public static func fail(_ error: any Error) -> Flow { Flow { _, sink in sink.finish(.failed(error)) } }
}

extension Flow where Value: Sendable {
    /// Gives values at once, in order, and completes.
    @inlinable public static func values(_ values: Value...) -> Flow { Flow.values(values) }

    /// Gives values at once, in order, and completes.
    @inlinable public static func values(_ values: [Value]) -> Flow {
        Flow { scope, sink in
            for value in values {
                guard !sink.isClosed, scope.run.spend() else { return }
                sink.receive(value)
            }
            sink.finish(.completed)
        }
    }
}

extension SourceKind {
    static let values = SourceKind("values", synonyms: ["of", "just", "from"], [.values()], bare: "values") { stage in
        .values(stage.values())
    }

    static let empty = SourceKind("empty") { _ in .empty }

    static let never = SourceKind("never") { _ in .never }

    static let failure = SourceKind("fail", synonyms: ["throwError"], [.text("message")], bare: "message") { stage in
        .fail(StreamError(message: stage.text("message") ?? ""))
    }
}
