import SluiceExpressions
import SluiceJSON

extension SourceKind {
    static let reference = SourceKind(
        "ref",
        [.text("id"), Parameter(name: "parameters", form: .object, isRequired: false)],
        bare: "id"
    ) { stage in
        guard let id = stage.text("id") else { return .never }
        let flow = stage.compiler.reference(id, parameters: stage.object("parameters"), stage.place)
        stage.item = flow.item
        return flow.flow
    }
}
