import SluiceJSON

extension SinkKind {
    /// `publish`: publishes outputs to a NATS subject.
    static let publish = SinkKind(
        "publish",
        [
            .text("subject").meaning("the subject, without wildcards; a partition of a worker adds `.` and its number"),
            .expression("value", isRequired: false).standard("x")
                .meaning("the content: a text is published as it is, any other value as JSON"),
        ],
        implied: ["value": "x"],
        summary: "Publishes each output to a NATS subject that a stream of JetStream keeps.",
        documentation: """
            The host must be connected to NATS (`sluice serve --nats`, `sluice work`). An output counts as delivered when the
            stream of JetStream has stored it. `Nats-Msg-Id` is the key of the delivery, so that a repeated attempt is not
            stored again within the server's window, two minutes by default. The first attempt of a process, and one after a
            failure, look at the last message of the subject: an output that it has, or that came before it, is not published
            again, however long ago that was. So let a sink have its subject for itself, and leave `concurrency` at 1.

            ```json
            {"id": "out", "publish": {"subject": "orders.out"}}
            ```
            """
    ) { stage in
        if let text = stage.text("subject"), !MessageSubject.isValid(text) {
            stage.note("subject", "\(JSON.string(text)) is not a subject without wildcards", hint: "such as orders.out")
        }
        if let count = stage.optionalCount("concurrency"), count > 1 {
            stage.note("concurrency", "must be 1: a subject keeps the outputs in order", hint: "remove it")
        }
    }
}
