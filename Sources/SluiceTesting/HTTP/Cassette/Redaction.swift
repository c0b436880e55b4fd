#if HTTP
public import HTTPTypes
public import SluiceHTTP

/// The parts of requests and answers that are secrets, which must not appear in files and logs.
///
/// ```swift
/// var redaction = Redaction.standard
/// redaction.queryItems.insert("signature")
/// redaction.members += ["user.email", "cards.*.number", "**.pin"]
/// let request = TransportRequest(.get, URL(string: "http://example.com/?signature=abc&page=2")!)
/// print(redaction.redacted(request).url)  // http://example.com/?signature=REDACTED&page=2
/// ```
///
/// A secret keeps its shape: `Bearer REDACTED`, `session=REDACTED; Path=/`, a JSON string for any member except `null`.
/// A secret of at least eight bytes that is redacted at one place of an exchange is redacted wherever else it occurs in
/// its bodies, addresses, and fields, for the first hundred secrets: even a server that echoes a token doesn't reveal
/// it. Credentials in addresses are always secrets, and so are the codes and assertions of OAuth: `code` in a form or an
/// object with `grant_type`, and in a query or a fragment with `state`. Members are found in JSON, in lines of JSON, and in server-sent
/// events, but not in the parts of multipart bodies.
public struct Redaction: Sendable, Equatable {
    /// The header fields whose values are secrets.
    public var headers: Set<HTTPField.Name>
    /// The query items whose values are secrets, also as fields of a form in a body; case-insensitive.
    public var queryItems: Set<String>
    /// The members of JSON bodies and fields of forms whose values are secrets, by path: keys and indices separated by
    /// dots, `*` for any single one, `**` for any number; case-insensitive.
    public var members: [String]
    /// The text that replaces a secret.
    public var replacement = "REDACTED"
    /// A Boolean value that indicates whether nothing is redacted, not even credentials in addresses.
    var isOff = false

    /// Makes a redaction.
    public init(headers: Set<HTTPField.Name> = [], queryItems: Set<String> = [], members: [String] = []) {
        self.headers = headers
        self.queryItems = queryItems
        self.members = members
    }

    /// The usual secrets: Authorization, Proxy-Authorization, Cookie, Set-Cookie, X-API-Key, X-Auth-Token and
    /// X-CSRF-Token; tokens, keys, signatures, proof keys of logins, and passwords in queries and, under their
    /// usual names, in bodies.
    public static let standard = Redaction(
        headers: Set(
            [
                "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-API-Key", "X-Auth-Token",
                "X-CSRF-Token",
            ].compactMap { HTTPField.Name($0) }
        ),
        queryItems: [
            "access_token", "api_key", "apikey", "client_assertion", "client_secret", "code_verifier",
            "id_token", "password", "refresh_token", "sig", "signature", "token", "x-amz-credential",
            "x-amz-security-token", "x-amz-signature",
        ],
        members: [
            "**.access_token", "**.api_key", "**.client_assertion", "**.client_secret", "**.code_verifier",
            "**.device_code", "**.id_token", "**.password", "**.refresh_token",
        ]
    )

    /// A redaction without any secrets.
    public static let none: Redaction = {
        var redaction = Redaction()
        redaction.isOff = true
        return redaction
    }()

    /// Returns the request without its secrets.
    ///
    /// - Complexity: O(*n*) in its size, for each secret that it holds.
    public func redacted(_ request: TransportRequest) -> TransportRequest {
        var redactor = Redactor(self)
        var request = request
        redactor.cover(&request)
        redactor.scrub(&request)
        return request
    }

    /// Returns the exchange without its secrets; secrets of the request are also removed from the answer.
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
#endif
