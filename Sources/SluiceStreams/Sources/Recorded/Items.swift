import SluiceExpressions
import SluiceJSON

extension SourceKind {
    /// Items, one after another, each with operators of its own that decide whether, when and as what it is passed on.
    ///
    /// ```marbles
    /// {"stream": [
    ///     {"value": 1, "operators": [{"delay": {"seconds": 1}}]},
    ///     {"value": 2, "operators": [{"filter": {"expression": "x > 2"}}]},
    ///     {"value": 3, "operators": [{"delay": {"seconds": 2}}, {"map": {"expression": "x + 1"}}]}
    /// ]}
    /// -1-(4|)
    /// ```
    ///
    /// An item begins when the one before it has completed: delays add up.
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
