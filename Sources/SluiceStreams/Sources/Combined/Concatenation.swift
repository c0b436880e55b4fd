import SluiceExpressions

extension Flow {
    /// Emits the values of this stream, then those of another.
    public func append(_ other: Flow) -> Flow { .concatenated([self, other]) }

    /// Returns a stream that emits the values of streams one after another: it subscribes to each when the previous one
    /// has completed.
    public static func append(_ flows: [Flow]) -> Flow { .concatenated(flows) }

    /// Emits the values of another stream, then those of this one.
    public func prepend(_ other: Flow) -> Flow { .concatenated([other, self]) }
}

extension Flow where Value: Sendable {
    /// Emits the values of this stream, then these values.
    public func append(_ values: Value...) -> Flow { append(.values(contentsOf: values)) }

    /// Emits these values, then those of this stream.
    public func prepend(_ values: Value...) -> Flow { prepend(.values(contentsOf: values)) }
}

extension Flow {
    /// Returns a stream of streams one after another.
    ///
    /// - Parameter resumes: A Boolean value that indicates whether the next stream begins after an error too. The
    ///   result then completes after the last stream, whether that completed or failed.
    static func concatenated(_ flows: [Flow], resumesAfterErrors resumes: Bool = false) -> Flow {
        Flow { scope, sink in
            let position = scope.cell(0)
            let isStarting = Cell(false)
            // A loop, since a stream that ends immediately would nest the next one within it.
            func start() {
                if isStarting.state { return }
                isStarting.state = true
                defer { isStarting.state = false }
                while !sink.isClosed {
                    let index = position.state
                    guard index < flows.count else { return sink.finish(.completed) }
                    guard scope.run.spend() else { return }
                    let lifetime = sink.lifetime.child()
                    let input = Sink<Value>(
                        lifetime: lifetime,
                        end: { end in
                            if !resumes, case .failed = end { return sink.finish(end) }
                            // A shared stream is left before the next one is subscribed.
                            lifetime.close()
                            position.state = index + 1
                            start()
                        },
                        receive: sink.receive
                    )
                    flows[index].subscribe(scope, input)
                    if position.state == index { return }
                }
            }
            start()
        }
    }
}

extension Flow {
    /// Returns a stream that emits the values of streams one after another, whether the previous one has completed or
    /// failed; then it completes.
    public static func onErrorResumeNext(_ flows: [Flow]) -> Flow {
        .concatenated(flows, resumesAfterErrors: true)
    }
}

extension SourceKind {
    /// Emits the values of streams one after another: it subscribes to each when the previous one has completed.
    ///
    /// ```marbles
    /// a: -1-2|
    /// b: -3-4|
    /// {"append": [{"ref": "a"}, {"ref": "b"}]}
    /// -1-2-3-4|
    /// ```
    static let append = SourceKind(
        "append",
        synonyms: ["concat"],
        summary: "Emits the values of streams one after another",
        [.sources],
        bare: "sources"
    ) { stage in
        let sources = stage.sources
        stage.item = TypedFlow.common(sources)
        return .concatenated(sources.map(\.flow))
    }

    /// Emits the values of streams one after another, whether the previous one has completed or failed; then completes.
    ///
    /// ```marbles
    /// a: -1-#
    /// b: -2-|
    /// c: -3-#
    /// {"onErrorResumeNext": [{"ref": "a"}, {"ref": "b"}, {"ref": "c"}]}
    /// -1--2--3-|
    /// ```
    static let onErrorResumeNext = SourceKind(
        "onErrorResumeNext",
        summary: "Emits the values of streams one after another, and ignores failures",
        [.sources],
        bare: "sources"
    ) { stage in
        let sources = stage.sources
        stage.item = TypedFlow.common(sources)
        return .onErrorResumeNext(sources.map(\.flow))
    }
}

extension StreamSource {
    /// Returns a source that emits the values of streams one after another: it subscribes to each when the previous one
    /// has completed.
    public static func append(_ sources: StreamSource...) -> StreamSource {
        .named(NamedSource(.append, ["sources": .sources(sources)]))
    }

    /// Returns a source that emits the values of streams one after another, whether the previous one has completed or
    /// failed; then it completes.
    public static func onErrorResumeNext(_ sources: StreamSource...) -> StreamSource {
        .named(NamedSource(.onErrorResumeNext, ["sources": .sources(sources)]))
    }
}
