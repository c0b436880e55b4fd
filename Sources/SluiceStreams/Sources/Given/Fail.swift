extension Flow {
    /// Returns a stream that fails immediately.
    public static func fail(_ error: any Error) -> Flow { Flow { _, sink in sink.finish(.failed(error)) } }
}

extension SourceKind {
    /// Fails immediately, with a message.
    ///
    /// ```marbles
    /// {"fail": "no such sensor"}
    /// #
    /// ```
    static let failure = SourceKind(
        "fail",
        synonyms: ["throwError"],
        summary: "Fails at once with a message",
        [.text("message")],
        bare: "message"
    ) { stage in
        .fail(StreamError(message: stage.text("message") ?? ""))
    }
}
