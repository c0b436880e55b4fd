import SluiceExpressions
package import SluiceJSON

extension SourceKind {
    /// Emits the bodies of the requests that are posted to `/streams/ID/webhook/NAME` on a hub.
    ///
    /// `auth` is `"token"`, for senders with a token of the hub with the role `run`; `"none"`, for all senders; or the form
    /// of a signature of the body:
    ///
    /// `{"hmac": {"header": "X-Hub-Signature-256", "algorithm": "sha256", "secret": "${secret:github}", "prefix": "sha256="}}`
    ///
    /// `algorithm` is `sha256` or `sha512`; `encoding` is `hex` (the default) or `base64`. `key` of a signature is the
    /// form of the key in the secret: `text` (the default), or `base64`, also after `whsec_`, as Standard Webhooks have
    /// it. A secret that can't be decoded fails the stream when it starts. `signed` is the text that is signed, in
    /// which `{body}` is the body as it was sent, `{timestamp}` the time of the request, and `{header:NAME}` a field;
    /// `{body}` is the default. `timestamp` is the field with the time in seconds since 1970; a request is refused if
    /// it is more than `tolerance` (300) seconds from now. Both fields may have several values, separated by commas or
    /// spaces; `prefix` and `timestampPrefix` are the beginnings of those that count.
    ///
    /// A body is JSON, a form (`application/x-www-form-urlencoded`, an object of texts), or plain text. `key` is an
    /// expression of the item `x`: an item is dropped if its key is one of the last 10,000. An item whose key can't be
    /// evaluated, or takes more than 1024 bytes as JSON, is dropped too, and its error is reported.
    ///
    /// A request is answered with 204 when its item is stored. While the stream is paused, does not run, or its buffer is
    /// full, the answer is 503 with `Retry-After`. An item that takes more memory than a value may is refused with 413,
    /// and a body that takes longer than 30 seconds with 408.
    ///
    /// An edit of `name`, `auth`, `key`, or `buffer` resets the source, which forgets its keys.
    ///
    /// In virtual time it fails, unless an input of a test replaces it:
    ///
    /// ```marbles
    /// {"webhook": {"name": "orders", "auth": "none", "key": "x"}}
    /// #
    /// ```
    ///
    /// - **Retries**: those of the sender, of which `key` drops the repeated ones.
    /// - **After a crash**: a request that was answered with 204 is in the journal. One that was not has to be sent again.
    static let webhook = SourceKind(
        "webhook",
        summary: "Emits the requests that are posted to an address of the hub",
        [.text("name"), .value("auth"), .expression("key", isRequired: false), .buffer]
    ) { stage in
        let name = stage.text("name") ?? ""
        if !name.isEmpty, !WebhookAuth.isName(name) {
            stage.note("name", "\(JSON.string(name)) is not a name: use letters, digits, '-', '_', and '.'")
        }
        let auth = stage.written("auth")
        do throws(StreamError) { if let auth { _ = try WebhookAuth(auth) } } catch { stage.note("auth", error.message) }
        var arguments: JSON.Object = ["name": .string(name)]
        arguments["auth"] = auth
        let items = stage.outside("webhook", standingFor: "name", adding: arguments)
        var keyed = stage
        keyed.item = stage.declared
        guard let key = keyed.optionalExpression(.item, "key") else { return items }
        let path = stage.scope.path.description
        // A request from outside must not make the stream fail.
        return items.distinguishing(10_000, .dropOldest, .report, path: path) { scope in
            let key = key.transform(scope)
            return { (item: CELValue) throws -> EqualityKey in
                let value = try EqualityKey(try key(item), path: path)
                let size = value.saved.text().utf8.count
                guard size <= Self.longestKey else {
                    throw StreamError(
                        path: path,
                        message: "the key of an item takes \(size) bytes, and may take \(Self.longestKey)"
                    )
                }
                return value
            }
        }
    }

    /// The longest key of an item of a webhook, in bytes of JSON.
    private static let longestKey = 1024
}

/// The right to send to a webhook.
package enum WebhookAuth: Sendable, Hashable {
    /// Everyone may send.
    case none
    /// A token of the hub is required.
    case token
    /// A signature is required.
    case hmac(WebhookSignature)

    /// Reads `"none"`, `"token"`, or `{"hmac": {…}}`.
    ///
    /// - Throws: ``StreamError`` for anything else.
    package init(_ json: JSON) throws(StreamError) {
        switch json {
        case "none": self = .none
        case "token": self = .token
        case .object(let members) where members.count == 1 && json["hmac"] != nil:
            self = .hmac(try WebhookSignature(json["hmac"] ?? nil))
        default:
            throw StreamError(message: #"expected "token", "none", or {"hmac": {…}}, found \#(json)"#)
        }
    }

    /// Returns a Boolean value that indicates whether a text can be the name of a webhook: it is a part of its path.
    static func isName(_ text: String) -> Bool {
        text.utf8.count <= 100 && text != "." && text != ".."
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}

/// The form of the signature of a webhook's requests.
package struct WebhookSignature: Sendable, Hashable {
    /// The hash function.
    package enum Algorithm: String, Sendable, CaseIterable {
        case sha256, sha512
    }

    /// The text form of a signature.
    package enum Encoding: String, Sendable, CaseIterable {
        case hex, base64
    }

    /// The form of the key in the secret.
    package enum KeyForm: String, Sendable, CaseIterable {
        /// The key is the text itself.
        case text
        /// The key is written in base64, perhaps after `whsec_`.
        case base64
    }

    /// A part of the signed bytes.
    package enum Part: Sendable, Hashable {
        case text(String)
        case header(String)
        case timestamp, body
    }

    package let header: String
    package let algorithm: Algorithm
    /// The name of the secret.
    package let secret: String
    package let keyForm: KeyForm
    package let prefix: String
    package let encoding: Encoding
    /// The field with the time of the request; `nil` for none.
    package let timestamp: String?
    package let timestampPrefix: String
    /// The largest difference from now, in seconds.
    package let tolerance: Int64
    package let signed: [Part]

    init(_ json: JSON) throws(StreamError) {
        guard case .object(let members) = json else { throw StreamError(message: "hmac: expected an object") }
        let keys = [
            "header", "algorithm", "secret", "key", "prefix", "encoding", "timestamp", "timestampPrefix", "tolerance",
            "signed",
        ]
        var texts: [String: String] = [:]
        for (key, value) in members where key != "tolerance" {
            guard keys.contains(key) else {
                let known = keys.joined(separator: ", ")
                throw StreamError(message: "hmac: unknown key \(JSON.string(key)) (known: \(known))")
            }
            guard let text = value.string else { throw StreamError(message: "hmac: \(key): expected a string") }
            texts[key] = text
        }
        guard let header = texts["header"], Self.isField(header) else {
            throw StreamError(message: "hmac: \"header\" is missing, or is not the name of a header field")
        }
        guard let algorithm = Algorithm(rawValue: texts["algorithm"] ?? "") else {
            throw StreamError(message: "hmac: \"algorithm\" must be sha256 or sha512")
        }
        guard let secret = texts["secret"].flatMap(StreamSecret.init(reference:)) else {
            throw StreamError(message: "hmac: \"secret\" must be the name of a secret: ${secret:NAME}")
        }
        guard let keyForm = KeyForm(rawValue: texts["key"] ?? "text") else {
            throw StreamError(message: "hmac: \"key\" must be text or base64")
        }
        guard let encoding = Encoding(rawValue: texts["encoding"] ?? "hex") else {
            throw StreamError(message: "hmac: \"encoding\" must be hex or base64")
        }
        if let timestamp = texts["timestamp"], !Self.isField(timestamp) {
            throw StreamError(message: "hmac: \"timestamp\" must be the name of a header field")
        }
        guard let tolerance = (json["tolerance"] ?? 300).int, (1...86_400).contains(tolerance) else {
            throw StreamError(message: "hmac: \"tolerance\" must be a whole number of seconds from 1 to 86400")
        }
        (self.header, self.algorithm, self.encoding) = (header, algorithm, encoding)
        (timestamp, self.tolerance) = (texts["timestamp"], Int64(tolerance))
        (prefix, timestampPrefix) = (texts["prefix"] ?? "", texts["timestampPrefix"] ?? "")
        (self.secret, self.keyForm) = (secret.name, keyForm)
        signed = try Self.parts(texts["signed"] ?? "{body}")
        guard signed.contains(.body) else { throw StreamError(message: "hmac: \"signed\" must contain {body}") }
        guard signed.contains(.timestamp) == (timestamp != nil) else {
            throw StreamError(
                message: "hmac: \"timestamp\" and {timestamp} in \"signed\" belong together: a time that is not signed "
                    + "proves nothing"
            )
        }
    }

    private static func parts(_ text: String) throws(StreamError) -> [Part] {
        var (parts, rest) = ([Part](), Substring(text))
        while let start = rest.firstIndex(of: "{") {
            if start > rest.startIndex { parts.append(.text(String(rest[..<start]))) }
            guard let end = rest[start...].firstIndex(of: "}") else {
                throw StreamError(message: "hmac: \"signed\": a brace is not closed")
            }
            let name = rest[rest.index(after: start)..<end]
            switch name {
            case "body": parts.append(.body)
            case "timestamp": parts.append(.timestamp)
            default:
                let field = name.dropFirst("header:".count)
                guard name.hasPrefix("header:"), isField(String(field)) else {
                    throw StreamError(message: "hmac: \"signed\": expected {body}, {timestamp}, or {header:NAME}")
                }
                parts.append(.header(String(field)))
            }
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        return parts
    }

    private static func isField(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count)
            && text.utf8.allSatisfy { ($0 | 0x20 >= 97 && $0 | 0x20 <= 122) || (48...57).contains($0) || $0 == 45 }
    }
}
