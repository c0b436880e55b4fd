public import HTTPTypes

/// Which parts of requests and answers are secrets that no file and no log may hold.
///
/// ```swift
/// var redaction = Redaction.standard
/// redaction.queryItems.insert("signature")
/// redaction.members += ["user.email", "cards.*.number", "**.pin"]
/// let request = TransportRequest(.get, URL(string: "http://example.com/?signature=abc&page=2")!)
/// print(redaction.redacted(request).url)  // http://example.com/?signature=REDACTED&page=2
/// ```
///
/// A secret keeps its shape: `Bearer REDACTED`, `session=REDACTED; Path=/`, a JSON string for any member but `null`.
/// What is redacted at one place of an exchange, and has at least eight bytes, is redacted wherever else its bodies,
/// addresses and fields have it, for the first hundred of them: a server that echoes a token gives nothing away.
/// Credentials in addresses are always secrets. Members are found in JSON, in lines of JSON and in server-sent events;
/// the parts of multipart bodies have none.
public struct Redaction: Sendable, Equatable {
    /// Header fields whose value is a secret.
    public var headers: Set<HTTPField.Name>
    /// Query items whose value is a secret, also where they are fields of a form in a body; upper and lower case alike.
    public var queryItems: Set<String>
    /// Members of JSON bodies and fields of forms whose value is a secret, by path: keys and indices between dots, `*`
    /// for any one of them, `**` for any number; upper and lower case alike.
    public var members: [String]
    /// What stands in place of a secret.
    public var replacement = "REDACTED"
    /// Whether nothing at all is redacted, not even credentials in addresses.
    var isOff = false

    /// Makes a redaction.
    public init(headers: Set<HTTPField.Name> = [], queryItems: Set<String> = [], members: [String] = []) {
        self.headers = headers
        self.queryItems = queryItems
        self.members = members
    }

    /// The usual secrets: Authorization, Proxy-Authorization, Cookie, Set-Cookie, X-API-Key, X-Auth-Token and
    /// X-CSRF-Token; tokens, keys, signatures and passwords in queries and, under their usual names, in bodies.
    public static let standard = Redaction(
        headers: Set(
            [
                "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-API-Key", "X-Auth-Token",
                "X-CSRF-Token",
            ].compactMap { HTTPField.Name($0) }
        ),
        queryItems: [
            "access_token", "api_key", "apikey", "client_secret", "password", "refresh_token", "sig",
            "signature", "token", "x-amz-credential", "x-amz-security-token", "x-amz-signature",
        ],
        members: [
            "**.access_token", "**.api_key", "**.client_secret", "**.id_token", "**.password", "**.refresh_token",
        ]
    )

    /// Nothing is a secret.
    public static let none: Redaction = {
        var redaction = Redaction()
        redaction.isOff = true
        return redaction
    }()

    /// The request without its secrets.
    ///
    /// - Complexity: O(*n*) in its size, for each secret that it holds.
    public func redacted(_ request: TransportRequest) -> TransportRequest {
        var redactor = Redactor(self)
        var request = request
        redactor.cover(&request)
        redactor.scrub(&request)
        return request
    }

    /// The exchange without its secrets, with those of the request gone from the answer too.
    ///
    /// - Complexity: O(*n*) in its size, for each secret that it holds.
    public func redacted(_ exchange: RecordedExchange) -> RecordedExchange {
        var redactor = Redactor(self)
        var exchange = exchange
        redactor.cover(&exchange.request)
        redactor.cover(&exchange.response)
        redactor.scrub(&exchange.request)
        redactor.scrub(&exchange.response)
        return exchange
    }
}
