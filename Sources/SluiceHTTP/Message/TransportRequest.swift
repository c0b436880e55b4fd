#if HTTP
public import Foundation
public import HTTPTypes

/// A request as sent on the wire.
///
/// ```swift
/// let request = TransportRequest(.get, URL(string: "http://example.com/?token=1")!)
/// print(request.summary)  // GET http://example.com/
/// ```
public struct TransportRequest: Sendable {
    /// The method.
    public var method: HTTPRequest.Method
    /// The address.
    public var url: URL
    /// The header fields.
    public var headers: HTTPFields
    /// The body; `nil` if there is no body.
    public var body: RequestBody?
    /// The pattern from which the address was made, such as `/users/{id}`, which names metrics and spans.
    public var template: String?
    /// The notes that stages leave for each other about the request; `nil` without notes.
    var box: RequestNotes.Box?

    /// Makes a request.
    public init(_ method: HTTPRequest.Method, _ url: URL, headers: HTTPFields = [:], body: RequestBody? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// A summary such as `GET http://example.com/`, without a query and credentials, which may be secret.
    public var summary: String {
        var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        components?.query = nil
        components?.fragment = nil
        components?.user = nil
        components?.password = nil
        return "\(method.rawValue) \(components?.string ?? url.host ?? "")"
    }

    /// A Boolean value that indicates whether the method is idempotent: sending it twice has the same effect as sending
    /// it once (RFC 9110, 9.2.2).
    public var isIdempotent: Bool { Self.idempotent.contains(method) }

    /// A Boolean value that indicates whether the request may be sent again: its body can be, and either the method is
    /// idempotent or the request has an `Idempotency-Key`.
    public var isRepeatable: Bool {
        (body?.isReplayable ?? true) && (isIdempotent || headers[.idempotencyKey] != nil)
    }

    /// A Boolean value that indicates whether the method changes nothing (RFC 9110, 9.2.1).
    var isSafe: Bool { [.get, .head, .options, .trace].contains(method) }

    private static let idempotent: Set<HTTPRequest.Method> = [.get, .head, .put, .delete, .options, .trace]
}

extension HTTPField.Name {
    /// The field `Idempotency-Key`, by which a server recognizes attempts of the same call.
    public static let idempotencyKey = name("Idempotency-Key")

    /// Returns the name for a text that is known to be valid.
    static func name(_ text: StaticString) -> HTTPField.Name {
        guard let name = HTTPField.Name("\(text)") else { preconditionFailure("'\(text)' is no name of a field") }
        return name
    }
}
#endif
