#if HTTP
internal import Foundation
public import HTTPTypes
public import SluiceHTTP
public import SluiceJSON

/// A condition that a request must meet for a stub of ``StubTransport`` to respond to it.
///
/// ```swift
/// let isSearch: [RequestMatcher] = [.path("/users/*"), .query("q"), .header(.accept, "application/json")]
/// let isLong = RequestMatcher("a long body") { ($0.body?.count ?? 0) > 1000 }
/// ```
public struct RequestMatcher: Sendable, CustomStringConvertible {
    /// A description of the condition for messages.
    public let description: String
    let matches: @Sendable (TransportRequest) -> Bool

    /// Creates a matcher from a closure.
    ///
    /// - Parameters:
    ///   - description: A description of the condition, as in `no stub for …: not so: a long body`.
    ///   - matches: A closure that is called for each candidate request, where the transport is called; its body is in
    ///     memory.
    public init(_ description: String, matches: @escaping @Sendable (TransportRequest) -> Bool) {
        self.description = description
        self.matches = matches
    }

    /// Returns a matcher of the method.
    public static func method(_ method: HTTPRequest.Method) -> RequestMatcher {
        RequestMatcher("method \(method.rawValue)") { $0.method == method }
    }

    /// Returns a matcher of the host, and of the port if one is given: `example.com`, `localhost:8080`.
    public static func host(_ host: String) -> RequestMatcher {
        RequestMatcher("host \(host)") { request in
            let name = request.url.host ?? ""
            return name == host || request.url.port.map { "\(name):\($0)" } == host
        }
    }

    /// Returns a matcher of the path as sent over the wire; a part that is `*` matches any single part.
    public static func path(_ path: String) -> RequestMatcher {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return RequestMatcher("path \(path)") { request in
            let text = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
            let asked = (text.isEmpty ? "/" : text).split(separator: "/", omittingEmptySubsequences: false)
            return asked.count == parts.count && zip(parts, asked).allSatisfy { $0 == "*" && !$1.isEmpty || $0 == $1 }
        }
    }

    /// Returns a matcher of a query item, with this value if one is given.
    public static func query(_ name: String, _ value: String? = nil) -> RequestMatcher {
        RequestMatcher("query \(name)" + (value.map { "=\($0)" } ?? "")) { request in
            let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
            return items.contains { $0.name == name && (value == nil || $0.value == value) }
        }
    }

    /// Returns a matcher of a header field, with this value if one is given; it matches any of several fields of that
    /// name.
    public static func header(_ name: HTTPField.Name, _ value: String? = nil) -> RequestMatcher {
        RequestMatcher("header \(name.rawName)" + (value.map { ": \($0)" } ?? "")) { request in
            let values = request.headers[values: name]
            return value.map(values.contains) ?? !values.isEmpty
        }
    }

    /// Returns a matcher of the body, byte for byte.
    public static func body(_ bytes: [UInt8]) -> RequestMatcher {
        RequestMatcher("a body of \(bytes.count) bytes") { ($0.body?.bytes ?? []) == bytes }
    }

    /// Returns a matcher of the body as text in UTF-8.
    public static func body(_ text: String) -> RequestMatcher {
        RequestMatcher("body \(shortened(text))") { ($0.body?.bytes ?? []) == Array(text.utf8) }
    }

    /// Returns a matcher of the body as JSON with this value, regardless of spaces and the order of members.
    public static func json(_ json: JSON) -> RequestMatcher {
        RequestMatcher("body \(shortened(json.description))") { request in
            (request.body?.bytes).flatMap { try? JSON(parsing: $0) } == json
        }
    }
}

/// Returns the beginning of a text that may be long.
func shortened(_ text: String) -> String { text.count > 200 ? text.prefix(200) + "…" : text }
#endif
