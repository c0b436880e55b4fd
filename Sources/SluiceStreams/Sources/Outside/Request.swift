import SluiceExpressions
import SluiceJSON

extension SourceKind {
    /// Sends one HTTP request, emits the response, and completes: for `flatMap`, which starts it for each item.
    ///
    /// In `url`, the values of `headers`, and the texts of `body`, `${EXPRESSION}` is an expression of the item `a`, and
    /// `$${` the text `${`. In the URL, its text is percent-encoded; in the host it may only be part of a name, and what
    /// streams may reach is checked afterward. `method` is `GET` by default, or `POST` with a `body`: a text, or a value
    /// that is sent as JSON. In it, a text that is one expression is the value of that expression. `as` is `body` (the
    /// default), the value of a JSON response or its text; or `response`, an object of `status`, `headers`, and `body`, also
    /// for the statuses from 400.
    ///
    /// The diagram of a test's input begins with the call, its first value is the response, with which the call completes,
    /// and a `#` is a failure for good. Several diagrams are for calls that follow each other.
    ///
    /// In virtual time it fails, unless an input of a test replaces it:
    ///
    /// ```marbles
    /// {"request": "https://example.com/users/1"}
    /// #
    /// ```
    ///
    /// - **Retries**: where the server can't be reached, or answers 408, 425, 429, or 5xx, the request is repeated after
    ///   1 s to 1 min with full jitter, and not before the time in `Retry-After`, up to an hour. Meanwhile the stream waits.
    ///   A `stack` sets other waits, a number of attempts after which the request fails, and filters.
    ///   Any other status from 400, or a response that can't be read, fails the stream.
    /// - **After a crash**: a response that was stored is not requested again. A request whose response was not stored yet is
    ///   repeated.
    static let request = SourceKind(
        "request",
        summary: "Makes one HTTP request and emits its response",
        [
            .text("url"), .text("method", isRequired: false),
            Parameter(name: "headers", form: .object, isRequired: false), .value("body", isRequired: false),
            .choice("as", ResponseForm.allCases.map(\.rawValue)), .stack,
        ],
        bare: "url"
    ) { stage in
        stage.outside("request", standingFor: "url", stage.requestTemplate())
    }
}

/// The form in which a source emits a response.
enum ResponseForm: String, CaseIterable {
    case body, response
}

/// The arguments of a request, with templates.
struct RequestTemplate: Sendable {
    /// A value with templates in place of its texts.
    indirect enum Value: Sendable {
        case template(StreamTemplate)
        case array([Value])
        case object([(key: String, value: Value)])
        case json(JSON)

        func json(_ scope: Scope) throws -> JSON {
            switch self {
            case .template(let template): return try template.value(scope)
            case .array(let elements): return .array(try elements.map { try $0.json(scope) })
            case .object(let members):
                var object = JSON.Object()
                for (key, value) in members { object[key] = try value.json(scope) }
                return .object(object)
            case .json(let json): return json
            }
        }

        /// Returns the text of a header field, in which only the document refers to secrets.
        func field(_ scope: Scope) throws -> JSON {
            guard case .template(let template) = self else { return try json(scope) }
            return .string(try template.field(scope))
        }
    }

    var url = StreamTemplate(parts: [])
    var headers: [(key: String, value: Value)] = []
    var body: Value?
    /// The arguments without templates.
    var rest = JSON.Object()

    /// The names of the arguments.
    static let names: Set = ["url", "method", "headers", "body", "as"]

    /// Returns the arguments for a subscription, and others.
    func arguments(_ scope: Scope, adding others: JSON.Object) throws -> JSON {
        var arguments = others
        for (key, value) in rest { arguments[key] = value }
        let url = try url.text(scope)
        // An item must not lead out of the path in which its text is a segment.
        let path = url.prefix { !"?#".contains($0) }.split(separator: "/", omittingEmptySubsequences: false).dropFirst(
            3
        )
        guard !path.contains(where: { $0 == "." || $0 == ".." }) else {
            throw StreamError(message: "url: '\(url.prefix(100))' has a segment of dots")
        }
        arguments["url"] = .string(url)
        if !headers.isEmpty {
            var fields = JSON.Object()
            for (key, value) in headers { fields[key] = try value.field(scope) }
            arguments["headers"] = .object(fields)
        }
        if let body { arguments["body"] = try body.json(scope) }
        return .object(arguments)
    }
}

extension Stage {
    /// Returns the arguments `url`, `method`, `headers`, `body`, and `as` of a request, checked.
    func requestTemplate() -> RequestTemplate {
        var request = RequestTemplate()
        if case .string(let url) = written("url") { request.url = template(url, "url", isURL: true) }
        if case .object(let headers) = written("headers") {
            for (key, value) in headers {
                request.headers.append((key, self.value(value, "headers")))
            }
        }
        request.body = written("body").map { value($0, "body") }
        if let method = text("method") { request.rest["method"] = .string(method) }
        if let form = choice("as") { request.rest["as"] = .string(form) }
        return request
    }

    private func value(_ json: JSON, _ name: String) -> RequestTemplate.Value {
        switch json {
        case .string(let text): .template(template(text, name))
        case .array(let elements): .array(elements.map { value($0, name) })
        case .object(let object): .object(object.map { ($0.key, value($0.value, name)) })
        default: .json(json)
        }
    }
}
