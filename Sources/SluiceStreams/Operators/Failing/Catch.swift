import SluiceExpressions

extension Flow {
    /// Continues with another stream if this one fails.
    ///
    /// - Parameter recover: A closure that the run calls at the failure; an error that it throws fails the stream.
    public func `catch`(_ recover: @escaping @Sendable (any Error) throws -> Flow) -> Flow {
        catching { scope, error, sink in try recover(error).subscribe(scope, sink) }
    }

    /// Continues like ``catch(_:)``, with the subscription left to `start`.
    func catching(_ start: @escaping @Sendable (Scope, any Error, Sink<Value>) throws -> Void) -> Flow {
        Flow { [subscribe] scope, sink in
            let caught = scope.cell(nil as StreamError?)
            if scope.isRestoring, let error = caught.state {
                do { try start(scope, error.underlying ?? error, sink) } catch { sink.finish(.failed(error)) }
                return
            }
            let lifetime = sink.lifetime.child()
            let input = Sink<Value>(
                lifetime: lifetime,
                end: { end in
                    guard case .failed(let error) = end else { return sink.finish(end) }
                    // Its held items are released before the other stream begins.
                    lifetime.close()
                    guard scope.run.spend() else { return }
                    caught.state = StreamError(error)
                    do { try start(scope, error, sink) } catch { sink.finish(.failed(error)) }
                },
                receive: sink.receive
            )
            subscribe(scope, input)
        }
    }
}

extension OperatorKind {
    static let `catch` = OperatorKind(
        "catch",
        synonyms: ["catchError"],
        summary: "Continues with another stream after a failure",
        [.source()]
    ) { stage in
        let source = stage.source(for: ("error", .string))
        if stage.item != source.item { stage.item = .dyn }
        return stage.input.catching { scope, error, sink in
            source.flow.subscribe(scope.inside(.string(StreamError(error).description)), sink)
        }
    }
}

extension Operator {
    /// Continues with another stream if this one fails; the expressions of that stream see `error`, the message of the
    /// error.
    ///
    /// ```marbles
    /// -1-#
    /// other: -8-9|
    /// {"catch": {"source": {"ref": "other"}}}
    /// -1--8-9|
    /// ```
    public static func `catch`(_ source: StreamSource) -> Operator { Operator(.catch, ["source": .source(source)]) }
}
