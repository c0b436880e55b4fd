import SluiceExpressions
import SluiceJSON

/// The bounds of the source `poll`.
package enum StreamPolling {
    /// The shortest time between two requests, in seconds.
    package static let shortestInterval = 0.1
}

extension SourceKind {
    /// The family of sources of the outside world.
    static let outside = [lines, poll, request, events, webhook, subject, subscribe, registered]

    /// Emits the lines of a file, or of standard input for the path `-`: as texts, or as values if `format` is `json`.
    ///
    /// With `follow`, the lines that are written later follow: the file is looked at twice a second. A file that was
    /// renamed is read to its end, then the file that was created in its place; a file that was truncated is read from its
    /// first byte, also where it was copied before. A line counts when it ends, or when its file was renamed.
    ///
    /// In virtual time it fails, unless an input of a test replaces it:
    ///
    /// ```marbles
    /// {"lines": "numbers.txt"}
    /// #
    /// ```
    ///
    /// - **Retries**: none; a file that can't be read fails the stream. With `follow`, a file that doesn't exist is waited for.
    /// - **After a crash**: reads the file again, without the lines that were stored. With `follow`, continues after the last
    ///   line that was stored, by the identity of the file and the byte: also in a file that was renamed meanwhile to
    ///   `NAME.1`, or `NAME-20260102`, and in those that were written after it. A file that was removed or compressed before
    ///   it was read is lost.
    static let lines = SourceKind(
        "lines",
        summary: "Reads the lines of a file",
        [.text("path"), .choice("format", LineFormat.allCases.map(\.rawValue)), .bool("follow"), .buffer],
        bare: "path"
    ) { stage in
        if stage.bool("follow", default: false), stage.text("path") == "-" {
            stage.note("path", "standard input can't be followed: name a file")
        }
        let isText = stage.choice("format") != LineFormat.json.rawValue
        let lines = stage.outside("lines", standingFor: "path")
        if isText { stage.item = .string }
        return isText ? lines.declared(.string) : lines
    }

    /// Emits the responses of an HTTP address that is requested repeatedly.
    ///
    /// `method`, `headers`, `body`, and `as` are those of `request`. With `changes`, a value that equals the one before is
    /// left out. A server that knows conditional requests sends what has not changed only once.
    ///
    /// With `paging`, each poll reads all pages, from the first one, and emits each as an item. `{"link": "next"}` follows
    /// the `Link` field with that relation, within the origin of `url`. `{"cursor": "x.next", "query": "cursor"}` evaluates
    /// an expression of the page `x`, and sends its value as a parameter of the query, or with `"field"` in place of
    /// `"query"` as a member of the body; a cursor that is `null`, `""`, or the same as before ends the poll. A poll has up
    /// to `maxPages` pages, 100 by default.
    ///
    /// In virtual time it fails, unless an input of a test replaces it:
    ///
    /// ```marbles
    /// {"poll": {"url": "https://example.com/price", "seconds": 5}}
    /// #
    /// ```
    ///
    /// - **Retries**: as those of `request`, but without end; an interval begins with the attempt that succeeds.
    /// - **After a crash**: stored responses are not requested again. One that was received and not stored is lost, and the
    ///   next one follows at once. A run that resumes between the pages of a poll continues with the next page, as long as the
    ///   server still has it; a page that was received and not stored is requested again.
    static let poll = SourceKind(
        "poll",
        summary: "Requests an HTTP address at a regular interval",
        [
            .text("url"), .seconds(from: StreamPolling.shortestInterval), .text("method", isRequired: false),
            Parameter(name: "headers", form: .object, isRequired: false), .value("body", isRequired: false),
            .choice("as", ResponseForm.allCases.map(\.rawValue)),
            Parameter(name: "paging", form: .object, isRequired: false), .bool("changes"), .stack, .buffer,
        ]
    ) { stage in
        let paging = stage.paging().map { paging -> JSON.Object in ["paging": paging] }
        return stage.outside("poll", standingFor: "url", stage.requestTemplate(), adding: paging ?? [:])
    }

    /// Emits the server-sent events of an HTTP address.
    ///
    /// In virtual time it fails, unless an input of a test replaces it:
    ///
    /// ```marbles
    /// {"events": "https://example.com/feed"}
    /// #
    /// ```
    ///
    /// - **Retries**: a connection that breaks, or can't be made, is made again after 1 s to 1 min with full jitter, and not
    ///   before the time that the server asks for. Meanwhile the stream waits. The `backoff` of a `stack` sets other waits.
    /// - **After a crash**: continues after the last event that was stored (`Last-Event-ID`).
    static let events = SourceKind(
        "events",
        summary: "Reads the server-sent events of an HTTP address",
        [
            .text("url"), .text("event", isRequired: false),
            Parameter(name: "headers", form: .object, isRequired: false), .stack, .buffer,
        ],
        bare: "url"
    ) { stage in
        stage.outside("events", standingFor: "url", stage.requestTemplate())
    }

    /// Emits the values of a source that the host has registered under a name of its own.
    ///
    /// In virtual time it fails, unless an input of a test replaces it:
    ///
    /// ```marbles
    /// {"outside": "sensor"}
    /// #
    /// ```
    ///
    /// - **Retries**, and what survives a crash: as the program has registered it.
    static let registered = SourceKind(
        "outside",
        summary: "Reads a source that the host has registered under a name of its own",
        [.text("name"), Parameter(name: "arguments", form: .object, isRequired: false), .buffer],
        bare: "name"
    ) { stage in
        stage.outside(stage.text("name") ?? "", kind: "outside", standingFor: "name")
    }
}

/// The format of the lines of a `lines` source.
enum LineFormat: String, CaseIterable {
    case text, json
}

extension Parameter {
    /// The buffer between a source and the run.
    static let buffer = Parameter(name: "buffer", form: .object, isRequired: false)
}

extension Stage {
    /// Returns the source of the outside world with a name, or the stream of a test's input that replaces it, by the
    /// text at `key`, such as the path, or by the name.
    ///
    /// - Parameters:
    ///   - kind: The name of the kind of the source, if the host knows it under another one.
    ///   - request: The arguments with templates, which are evaluated for each subscription.
    ///   - others: Further arguments.
    func outside(
        _ name: String,
        kind: String? = nil,
        standingFor key: String,
        _ request: RequestTemplate? = nil,
        adding others: JSON.Object = [:]
    ) -> Flow<CELValue> {
        let buffer = buffer
        var arguments = others
        if has(Parameter.stack.name) { _ = connectorStack(of: name == "events" ? .connection : .source) }
        for parameter in parameters where parameter.name != Parameter.buffer.name && others[parameter.name] == nil {
            if request != nil, RequestTemplate.names.contains(parameter.name) { continue }
            if let argument = argument(parameter) { arguments[parameter.name] = argument }
        }
        let given = standIn(kind ?? name, for: key)
        if let given, request == nil { return given.flow }
        if case .object(let given) = arguments["arguments"] { arguments = given }
        if key == "name", others.isEmpty { arguments["name"] = nil }
        guard let request else { return .outside(Outside(name: name, arguments: .object(arguments), buffer: buffer)) }
        let (rest, inputs, used) = (arguments, compiler.library?.inputs ?? [:], compiler.inputs)
        return Flow { scope, sink in
            do {
                let arguments = try request.arguments(scope, adding: rest)
                // The address as it is written, then as it is requested, then the kind of the source.
                if given?.isExact != true, let url = arguments["url"]?.string, let flow = inputs[url] {
                    used.use(url)
                    return (name == "request" ? flow.answering() : flow).subscribe(scope, sink)
                }
                if let given { return given.flow.subscribe(scope, sink) }
                Flow<CELValue>.outside(Outside(name: name, arguments: arguments, buffer: buffer)).subscribe(scope, sink)
            } catch {
                sink.finish(.failed(error))
            }
        }
    }

    /// Returns the stream of a test's input that replaces a source, by the text at `key` or by the kind of the source.
    func standIn(_ kind: String, for key: String) -> (flow: Flow<CELValue>, isExact: Bool)? {
        let exact = text(key)
        var found: (flow: Flow<CELValue>, isExact: Bool)?
        for name in [exact, kind].compactMap(\.self) {
            compiler.inputs.know(name)
            guard found == nil, case .flow(let flow) = compiler.library?.find(name) else { continue }
            compiler.inputs.use(name)
            // A call ends with its response.
            found = (kind == "request" ? flow.answering() : flow, name == exact)
        }
        return found
    }

    /// Returns the document's argument for a parameter, checked.
    private func argument(_ parameter: Parameter) -> JSON? {
        guard has(parameter.name) else { return nil }
        switch parameter.form {
        case .text: return text(parameter.name).map { .string($0) }
        case .choice: return choice(parameter.name).map { .string($0) }
        case .seconds:
            guard let seconds = optionalSeconds(parameter.name)?.seconds else { return nil }
            return seconds == seconds.rounded() ? .int(Int64(seconds)) : .double(seconds)
        case .bool: return .bool(bool(parameter.name, default: false))
        case .stack:
            guard case .json(let json) = arguments[parameter.name] else { return nil }
            return json
        case .object:
            var object = JSON.Object()
            for (key, value) in self.object(parameter.name).sorted(by: { $0.key < $1.key }) { object[key] = value }
            return .object(object)
        default: return nil
        }
    }

    /// The buffer that the document requests.
    private var buffer: StreamBuffer {
        var buffer = StreamBuffer()
        for (key, value) in object("buffer").sorted(by: { $0.key < $1.key }) {
            switch (key, value) {
            case ("size", .int(let size)) where (1...Int64(StreamBuffer.largestSize)).contains(size):
                buffer.size = Int(size)
            case ("size", _):
                note("buffer", "size: expected a whole number from 1 to \(StreamBuffer.largestSize), found \(value)")
            case ("whenFull", .string(let text)):
                guard let policy = StreamBuffer.WhenFull(rawValue: text) else { fallthrough }
                buffer.whenFull = policy
            case ("whenFull", _):
                let names = StreamBuffer.WhenFull.allCases.map(\.rawValue).joined(separator: ", ")
                note("buffer", "whenFull: expected one of \(names), found \(value)")
            default:
                note("buffer", "unknown key \(JSON.string(key))", hint: "known: size, whenFull")
            }
        }
        return buffer
    }
}
