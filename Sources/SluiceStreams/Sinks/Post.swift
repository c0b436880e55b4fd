import SluiceJSON

extension SinkKind {
    /// `post`: sends outputs to an HTTP address.
    static let post = SinkKind(
        "post",
        [
            .text("url").meaning("the address, http or https"),
            .choice("method", ["POST", "PUT", "PATCH"]).standard("POST").meaning("the method"),
            Parameter(name: "headers", form: .object, isRequired: false)
                .meaning("further fields of the request, each with a text"),
            .expression("body", isRequired: false).standard("x")
                .meaning("the body: a text is sent as it is, any other value as JSON"),
        ],
        implied: ["body": "x"],
        summary: "Sends each output to an HTTP address.",
        documentation: """
            The hub must allow the host (`--allow`); a redirect is followed only to hosts that it allows. A body that is
            a text has the type `text/plain; charset=utf-8`, any other `application/json`, unless `headers` say
            otherwise. `url` and `headers` are the same for all outputs: `${x.id}` in them is an error. An answer with a
            status of 2xx acknowledges the output as soon as it arrives. The request is sent again after a status of 408,
            425, 429, or 5xx, when a connection fails, and when no answer arrives within 30 seconds, redirects included.
            Any other status is final.

            ```json
            {"id": "hook", "post": {"url": "https://hooks.example.com/T1", "body": "{'text': string(x)}"}}
            ```
            """
    )
}
