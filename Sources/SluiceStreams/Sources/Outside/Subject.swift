import SluiceExpressions
import SluiceJSON

extension SourceKind {
    /// Emits the messages of a NATS subject that a stream of JetStream keeps.
    ///
    /// `subject` may have wildcards: `orders.in`, `orders.*`, or `orders.>`. With `"format": "json"` (the default) an item is
    /// the JSON of a message, or its text where it isn't JSON; with `text` it is always the text. With `"as": "message"` an
    /// item is an object with `subject`, `sequence`, `id` (its `Nats-Msg-Id`), and `value`. `from` is the place where a stream
    /// that has read nothing begins: `start`, the first message that is kept (the default), or `now`, the first that comes.
    ///
    /// `consumer` names a durable pull consumer, which the source creates. Its messages are acknowledged when the run has
    /// stored them, so that the server shows how far the stream is, and a work queue removes what was stored. One stream
    /// uses a name at a time. A stream with `partition` has none.
    ///
    /// Messages are pulled as the run takes them. A host that is not connected to NATS ends the stream with an error that
    /// says so.
    ///
    /// In virtual time it fails, unless an input of a test replaces it:
    ///
    /// ```marbles
    /// {"subject": "orders.in"}
    /// #
    /// ```
    ///
    /// - **Retries**: while NATS is away, or no stream of JetStream keeps the subject, the stream waits, and says why.
    /// - **After a crash**: continues after the last message that was stored, without a gap or a duplicate.
    static let subject = SourceKind(
        "subject",
        summary: "Reads the messages of a NATS subject",
        [
            .text("subject"), .choice("format", LineFormat.allCases.reversed().map(\.rawValue)),
            .choice("as", ["value", "message"]), .choice("from", ["start", "now"]),
            .text("consumer", isRequired: false),
            .buffer,
        ],
        bare: "subject"
    ) { stage in
        if let text = stage.text("subject"), !MessageSubject.isValid(text, allowsWildcards: true) {
            stage.note(
                "subject",
                "\(JSON.string(text)) is not a subject",
                hint: "such as orders.in, orders.*, or orders.>"
            )
        }
        if let name = stage.text("consumer"), !MessageSubject.isName(name) {
            stage.note("consumer", "\(JSON.string(name)) is not a name: use letters, digits, '-', and '_'")
        }
        let isText =
            stage.arguments["format"] == .string(LineFormat.text.rawValue)
            && stage.arguments["as"] != .string("message")
        let messages = stage.outside("subject", standingFor: "subject")
        if isText { stage.item = .string }
        return isText ? messages.declared(.string) : messages
    }
}
