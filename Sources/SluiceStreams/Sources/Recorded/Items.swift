import SluiceExpressions
import SluiceJSON

extension SourceKind {
    static let stream = SourceKind(
        "stream",
        [Parameter(name: "items", form: .items)],
        bare: "items"
    ) { stage in stage.items }
}

extension Stage {
    /// The items of a `stream` source, one after another: each is armed when the one before it has been passed on.
    var items: Flow<CELValue> {
        guard case .items(let items) = arguments["items"] else { return .never }
        let flows = items.enumerated().map { index, item -> Flow<CELValue> in
            let path = place.path.appending(index)
            let value: CELValue
            do throws(CELError) { value = try CELValue(item.value) } catch {
                compiler.note(path.appending("value"), error.issues.first?.message ?? "\(error)")
                value = .null
            }
            return compiler.operators(
                item.operators,
                on: TypedFlow(.values([value])),
                place.at(path.appending("operators"))
            ).flow
        }
        return .concatenated(flows)
    }
}

extension Flow {
    /// The streams one after another.
    static func concatenated(_ flows: [Flow]) -> Flow {
        Flow { scope, sink in
            let position = Cell(0)
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
                    let input = Sink<Value>(
                        lifetime: sink.lifetime.child(),
                        end: { end in
                            guard case .completed = end else { return sink.finish(end) }
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
