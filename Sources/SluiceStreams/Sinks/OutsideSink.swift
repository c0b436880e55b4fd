import SluiceJSON

extension SinkKind {
    /// `outside`: hands outputs to a receiver that the program has registered.
    static let outside = SinkKind(
        "outside",
        [
            .text("name").meaning("the name under which the program has registered the receiver"),
            Parameter(name: "arguments", form: .object, isRequired: false).meaning("arguments of the receiver"),
            .expression("value", isRequired: false).standard("x").meaning("the value that the receiver gets"),
        ],
        registered: "name",
        implied: ["value": "x"],
        summary: "Hands each output to a receiver that the program has registered.",
        documentation: """
            An embedding program registers receivers by name. A delivery is acknowledged when the receiver returns. An
            error is tried again, unless it is a `SinkRefusalError`, which is final.

            ```json
            {"id": "desk", "outside": {"name": "notify", "arguments": {"sound": "bell"}}}
            ```
            """
    )
}
