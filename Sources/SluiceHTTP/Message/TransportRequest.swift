public import Foundation
public import HTTPTypes

/// A request as it goes over the wire.
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
    /// The body; `nil` is none.
    public var body: RequestBody?
    /// The pattern that the address was made from, such as `/users/{id}`: what metrics and spans are named by.
    public var template: String?
    /// The notes that stages leave for each other about the request; `nil` if there are none.
    var box: RequestNotes.Box?

    /// Makes a request.
    public init(_ method: HTTPRequest.Method, _ url: URL, headers: HTTPFields = [:], body: RequestBody? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// `GET http://example.com/`, without what a query or credentials may give away.
    public var summary: String {
        var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        components?.query = nil
        components?.fragment = nil
        components?.user = nil
        components?.password = nil
        return "\(method.rawValue) \(components?.string ?? url.host ?? "")"
    }

    /// Whether its method promises that sending it twice does what sending it once does (RFC 9110, 9.2.2).
    public var isIdempotent: Bool { Self.idempotent.contains(method) }

    /// Whether it may be sent again: the body can be, and either the method is idempotent or the request bears an
    /// `Idempotency-Key`.
    public var isRepeatable: Bool {
        (body?.isReplayable ?? true) && (isIdempotent || headers[.idempotencyKey] != nil)
    }

    /// A Boolean value that indicates whether the method changes nothing (RFC 9110, 9.2.1).
    var isSafe: Bool { [.get, .head, .options, .trace].contains(method) }

    private static let idempotent: Set<HTTPRequest.Method> = [.get, .head, .put, .delete, .options, .trace]
}

extension HTTPField.Name {
    /// `Idempotency-Key`, by which a server knows tries of the same call.
    public static let idempotencyKey = name("Idempotency-Key")

    /// A name that is known to be one.
    static func name(_ text: StaticString) -> HTTPField.Name {
        guard let name = HTTPField.Name("\(text)") else { preconditionFailure("'\(text)' is no name of a field") }
        return name
    }
}
