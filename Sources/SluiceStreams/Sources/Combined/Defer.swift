import SluiceExpressions

extension Flow {
    /// Creates the stream at each subscription.
    ///
    /// - Parameter make: A closure that the run calls once for each subscription; an error that it throws fails the
    ///   stream.
    public static func `defer`(_ make: @escaping @Sendable () throws -> Flow) -> Flow {
        Flow { scope, sink in
            do { try make().subscribe(scope, sink) } catch { sink.finish(.failed(error)) }
        }
    }
}

extension SourceKind {
    /// Creates the stream again for each subscription, so that only the subscribers within one subscription share its
    /// shared streams.
    ///
    /// ```marbles
    /// a: -1-|
    /// {"defer": {"source": {"ref": "a"}}}
    /// -1-|
    /// ```
    ///
    /// ```marbles
    /// {"source": {"defer": {"source": {"source": {"timer": {"seconds": 1}}, "operators": [{"share": {}}]}}},
    ///  "operators": [{"repeat": {"count": 2}}]}
    /// -0(0|)
    /// ```
    static let `defer` = SourceKind("defer", summary: "Creates a stream when it starts", [.source()]) { stage in
        let inner = stage.source("source", for: ("", .null))
        stage.item = inner.item
        return Flow { scope, sink in inner.flow.subscribe(scope.inside(.null), sink) }
    }
}

extension StreamSource {
    /// Returns a source that is created again for each subscription, so that only the subscribers within one
    /// subscription share its shared streams.
    public static func `defer`(_ source: StreamSource) -> StreamSource {
        .named(NamedSource(.defer, ["source": .source(source)]))
    }
}
