import SluiceExpressions

extension Flow {
    /// Gives the values of this stream, then those of another.
    public func append(_ other: Flow) -> Flow { .concatenated([self, other]) }

    /// The streams one after another: each is subscribed when the one before has completed.
    public static func append(_ flows: [Flow]) -> Flow { .concatenated(flows) }

    /// Gives the values of another stream, then those of this.
    public func prepend(_ other: Flow) -> Flow { .concatenated([other, self]) }
}

extension Flow where Value: Sendable {
    /// Gives the values of this stream, then these.
    public func append(_ values: Value...) -> Flow { append(.values(values)) }

    /// Gives these values, then those of this stream.
    public func prepend(_ values: Value...) -> Flow { prepend(.values(values)) }
}

extension Flow {
    /// The streams one after another.
    ///
    /// - Parameter resumes: whether the next begins after an error too; after the last it completes, whichever way that
    ///   ended.
    static func concatenated(_ flows: [Flow], resumesAfterErrors resumes: Bool = false) -> Flow {
        Flow { scope, sink in
            let position = scope.cell(0)
            let isStarting = Cell(false)
            // A loop, since a stream that ends at once would nest the next within it.
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
                            // A stream that several read is left before the next is subscribed.
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
    /// The streams one after another, whether the one before has completed or failed; then it completes.
    public static func onErrorResumeNext(_ flows: [Flow]) -> Flow {
        .concatenated(flows, resumesAfterErrors: true)
    }
}

extension SourceKind {
    /// The streams one after another: each is subscribed when the one before has completed.
    ///
    /// ```marbles
    /// a: -1-2|
    /// b: -3-4|
    /// {"append": [{"ref": "a"}, {"ref": "b"}]}
    /// -1-2-3-4|
    /// ```
    static let append = SourceKind("append", synonyms: ["concat"], [.sources], bare: "sources") { stage in
        let sources = stage.sources
        stage.item = TypedFlow.common(sources)
        return .concatenated(sources.map(\.flow))
    }

    /// The streams one after another, whether the one before has completed or failed; then it completes.
    ///
    /// ```marbles
    /// a: -1-#
    /// b: -2-|
    /// c: -3-#
    /// {"onErrorResumeNext": [{"ref": "a"}, {"ref": "b"}, {"ref": "c"}]}
    /// -1--2--3-|
    /// ```
    static let onErrorResumeNext = SourceKind("onErrorResumeNext", [.sources], bare: "sources") { stage in
        let sources = stage.sources
        stage.item = TypedFlow.common(sources)
        return .onErrorResumeNext(sources.map(\.flow))
    }
}

extension StreamSource {
    /// The streams one after another: each is subscribed when the one before has completed.
    public static func append(_ sources: StreamSource...) -> StreamSource {
        .named(NamedSource(.append, ["sources": .sources(sources)]))
    }

    /// The streams one after another, whether the one before has completed or failed; then it completes.
    public static func onErrorResumeNext(_ sources: StreamSource...) -> StreamSource {
        .named(NamedSource(.onErrorResumeNext, ["sources": .sources(sources)]))
    }
}
