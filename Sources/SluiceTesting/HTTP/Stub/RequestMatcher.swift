internal import Foundation
public import HTTPTypes
public import SluiceHTTP
public import SluiceJSON

/// What a request must have for a stub of ``StubTransport`` to answer it.
///
/// ```swift
/// let isSearch: [RequestMatcher] = [.path("/users/*"), .query("q"), .header(.accept, "application/json")]
/// let isLong = RequestMatcher("a long body") { ($0.body?.count ?? 0) > 1000 }
/// ```
public struct RequestMatcher: Sendable, CustomStringConvertible {
    /// What is asked for, for people.
    public let description: String
    let matches: @Sendable (TransportRequest) -> Bool

    /// Makes a matcher of a closure.
    ///
    /// - Parameters:
    ///   - description: what is asked for, as in `no stub for …: not so: a long body`.
    ///   - matches: called for each request that may be the one, where the transport is called; a body is in memory.
    public init(_ description: String, matches: @escaping @Sendable (TransportRequest) -> Bool) {
        self.description = description
        self.matches = matches
    }

    /// The method.
    public static func method(_ method: HTTPRequest.Method) -> RequestMatcher {
        RequestMatcher("method \(method.rawValue)") { $0.method == method }
    }

    /// The host, and the port if one is given: `example.com`, `localhost:8080`.
    public static func host(_ host: String) -> RequestMatcher {
        RequestMatcher("host \(host)") { request in
            let name = request.url.host ?? ""
            return name == host || request.url.port.map { "\(name):\($0)" } == host
        }
    }

    /// The path, as it goes over the wire; a part that is `*` stands for any one part.
    public static func path(_ path: String) -> RequestMatcher {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return RequestMatcher("path \(path)") { request in
            let text = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
            let asked = (text.isEmpty ? "/" : text).split(separator: "/", omittingEmptySubsequences: false)
            return asked.count == parts.count && zip(parts, asked).allSatisfy { $0 == "*" && !$1.isEmpty || $0 == $1 }
        }
    }

    /// A query item, with this value if one is given.
    public static func query(_ name: String, _ value: String? = nil) -> RequestMatcher {
        RequestMatcher("query \(name)" + (value.map { "=\($0)" } ?? "")) { request in
            let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
            return items.contains { $0.name == name && (value == nil || $0.value == value) }
        }
    }

    /// A header field, with this value if one is given; of fields that are there more than once any.
    public static func header(_ name: HTTPField.Name, _ value: String? = nil) -> RequestMatcher {
        RequestMatcher("header \(name.rawName)" + (value.map { ": \($0)" } ?? "")) { request in
            let values = request.headers[values: name]
            return value.map(values.contains) ?? !values.isEmpty
        }
    }

    /// The body, byte for byte.
    public static func body(_ bytes: [UInt8]) -> RequestMatcher {
        RequestMatcher("a body of \(bytes.count) bytes") { ($0.body?.bytes ?? []) == bytes }
    }

    /// The body, as text in UTF-8.
    public static func body(_ text: String) -> RequestMatcher {
        RequestMatcher("body \(shortened(text))") { ($0.body?.bytes ?? []) == Array(text.utf8) }
    }

    /// The body, as JSON with this value: spaces and the order of members do not count.
    public static func json(_ json: JSON) -> RequestMatcher {
        RequestMatcher("body \(shortened(json.description))") { request in
            (request.body?.bytes).flatMap { try? JSON(parsing: $0) } == json
        }
    }
}

/// The beginning of a text that may be long.
func shortened(_ text: String) -> String { text.count > 200 ? text.prefix(200) + "…" : text }
