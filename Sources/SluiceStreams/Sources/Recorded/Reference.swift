import SluiceExpressions
import SluiceJSON

extension SourceKind {
    /// Reads the stream of another document, by its id or unique name.
    ///
    /// ```marbles
    /// numbers: -1-2-3|
    /// {"ref": "numbers"}
    /// -1-2-3|
    /// ```
    ///
    /// `parameters` gives values to the parameters of that document. In a stream that is started for an item, `"${a}"`
    /// gives the item: the parameter is then a variable in the document's expressions.
    static let reference = SourceKind(
        "ref",
        summary: "Inserts the stream of another document, by its id or unique name",
        [.text("id"), Parameter(name: "parameters", form: .object, isRequired: false)],
        bare: "id"
    ) { stage in
        let parameters = stage.givenParameters()
        guard let id = stage.text("id") else { return .never }
        let flow = stage.compiler.reference(id, parameters, stage.scope)
        stage.item = flow.item
        return stage.compiler.nested(flow.flow, StageKey.reference)
    }
}
