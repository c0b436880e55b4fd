import SluiceExpressions
import SluiceJSON

extension Flow {
    /// Emits, as arrays, the values of parts of this stream; several may be open at the same time.
    ///
    /// Emits the arrays of open parts at the completion. The openings are subscribed before this stream. Their
    /// completion is ignored; an error of any of the streams fails this one.
    ///
    /// - Parameters:
    ///   - openings: A stream that opens a part with each value.
    ///   - start: A closure that the run calls for each opening; the first value of its stream closes the part. An
    ///     error that it throws fails the stream.
    public func collect<Opening, Signal>(
        from openings: Flow<Opening>,
        until start: @escaping @Sendable (Opening) throws -> Flow<Signal>
    ) -> Flow<[Value]> {
        collecting(Toggle(openings) { scope, opening, sink in try start(opening).subscribe(scope, sink) })
    }

    func collecting<Opening, Signal>(_ toggle: Toggle<Opening, Signal>) -> Flow<[Value]> {
        Flow<[Value]> { [subscribe] scope, sink in
            let open = scope.cell([] as [OpenArray<Value>])
            let holding = scope.holding(for: sink.lifetime)
            func emit(_ array: OpenArray<Value>) {
                holding.add(-1 - array.values.count)
                sink.receive(array.values)
            }
            toggle.subscribe(
                scope,
                sink.lifetime,
                opened: { id in
                    open.state.append(OpenArray(id: id))
                    holding.add(1)
                },
                closed: { id in
                    guard let index = open.state.firstIndex(where: { $0.id == id }) else { return }
                    let array = open.state.remove(at: index)
                    emit(array)
                },
                failed: sink.finish
            )
            guard !sink.isClosed else { return }
            let input = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    if case .completed = end {
                        let arrays = open.state
                        open.state = []
                        for array in arrays where !sink.isClosed { emit(array) }
                    }
                    sink.finish(end)
                },
                receive: { value in
                    for index in open.state.indices {
                        guard scope.run.spend() else { return }
                        open.state[index].values.append(value)
                    }
                    holding.add(open.state.count)
                }
            )
            subscribe(scope, input)
        }
    }
}

/// The values of an open part.
private struct OpenArray<Value> {
    let id: Int
    var values: [Value] = []
}

extension OpenArray: Savable where Value: Savable {
    init(saved json: JSON) throws {
        guard case .array(let parts) = json, parts.count == 2 else { throw StreamError.unreadable("a part", json) }
        self.init(id: try Int(saved: parts[0]), values: try [Value](saved: parts[1]))
    }

    var saved: JSON { [id.saved, values.saved] }
}

extension OperatorKind {
    static let collectToggle = OperatorKind(
        "collectToggle",
        synonyms: ["bufferToggle"],
        summary: "Collects values into arrays that one stream opens and another closes",
        [.source(), .source("until")]
    ) { stage in
        let toggle = stage.toggle()
        stage.item = .list(stage.item)
        return stage.input.collecting(toggle).map { .list($0) }
    }
}

extension Operator {
    /// Emits, as an array, the values of each part of the stream. A part begins with each value of another stream, and
    /// lasts until a stream that is started for that value emits its first value. Parts may overlap; open parts are
    /// emitted at the completion. Expressions of `until` see the value that opened the part as `a`.
    ///
    /// ```marbles
    /// -1-2-3-4-5-|
    /// opening: --a---b--
    /// {"collectToggle": {"source": {"ref": "opening"}, "until": {"timer": {"seconds": 3}}}}
    /// -----'[2,3]'---'[4,5]'-|
    /// ```
    ///
    /// RxJS calls it `bufferToggle`.
    public static func collectToggle(_ source: StreamSource, until closing: StreamSource) -> Operator {
        Operator(.collectToggle, ["source": .source(source), "until": .source(closing)])
    }
}
