import SluiceExpressions
import SluiceJSON

extension SourceKind {
    /// The family of sources of the outside world.
    static let outside = [lines, poll, events, registered]

    /// Emits the lines of a file, or of standard input for the path `-`: as texts, or as values if `format` is `json`.
    ///
    /// In virtual time it fails, unless an input of a test replaces it:
    ///
    /// ```marbles
    /// {"lines": "numbers.txt"}
    /// #
    /// ```
    static let lines = SourceKind(
        "lines",
        [.text("path"), .choice("format", LineFormat.allCases.map(\.rawValue)), .buffer],
        bare: "path"
    ) { stage in
        let isText = stage.choice("format") != LineFormat.json.rawValue
        let lines = stage.outside("lines", standingFor: "path")
        if isText { stage.item = .string }
        return isText ? lines.declared(.string) : lines
    }

    /// Emits the responses of an HTTP address that is requested repeatedly.
    ///
    /// In virtual time it fails, unless an input of a test replaces it:
    ///
    /// ```marbles
    /// {"poll": {"url": "https://example.com/price", "seconds": 5}}
    /// #
    /// ```
    static let poll = SourceKind(
        "poll",
        [
            .text("url"), .seconds(isPositive: true), Parameter(name: "headers", form: .object, isRequired: false),
            .bool("changes"), .buffer,
        ]
    ) { stage in
        stage.outside("poll", standingFor: "url")
    }

    /// Emits the server-sent events of an HTTP address.
    ///
    /// In virtual time it fails, unless an input of a test replaces it:
    ///
    /// ```marbles
    /// {"events": "https://example.com/feed"}
    /// #
    /// ```
    static let events = SourceKind(
        "events",
        [
            .text("url"), .text("event", isRequired: false),
            Parameter(name: "headers", form: .object, isRequired: false), .buffer,
        ],
        bare: "url"
    ) { stage in
        stage.outside("events", standingFor: "url")
    }

    /// Emits the values of a source that the host has registered under a name of its own.
    ///
    /// In virtual time it fails, unless an input of a test replaces it:
    ///
    /// ```marbles
    /// {"outside": "sensor"}
    /// #
    /// ```
    static let registered = SourceKind(
        "outside",
        [.text("name"), Parameter(name: "arguments", form: .object, isRequired: false), .buffer],
        bare: "name"
    ) { stage in
        stage.outside(stage.text("name") ?? "", standingFor: "name")
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
    func outside(_ name: String, standingFor key: String) -> Flow<CELValue> {
        let buffer = buffer
        var arguments = JSON.Object()
        for parameter in parameters where parameter.name != Parameter.buffer.name {
            if let argument = argument(parameter) { arguments[parameter.name] = argument }
        }
        for name in [text(key), name].compactMap(\.self) {
            if case .flow(let flow) = compiler.library?.find(name) { return flow }
        }
        if case .object(let given) = arguments["arguments"] { arguments = given }
        if key == "name" { arguments["name"] = nil }
        return .outside(Outside(name: name, arguments: .object(arguments), buffer: buffer))
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
