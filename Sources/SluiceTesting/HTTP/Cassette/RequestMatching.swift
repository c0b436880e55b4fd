#if HTTP
import Foundation
public import HTTPTypes
import SluiceHTTP
import SluiceJSON

/// The rule for when two requests are the same to a ``Cassette``: by default, when method, address, and body are equal.
///
/// ```swift
/// var matching = RequestMatching()
/// matching.ignoredQueryItems = ["timestamp"]
/// matching.headers = [.accept]
/// ```
///
/// JSON bodies are compared by value, so that the order of members does not count. The boundary of multipart bodies
/// does not count either, since it differs in each request. Secrets are redacted on both sides first.
public struct RequestMatching: Sendable, Equatable {
    /// The header fields that must also be equal.
    public var headers: Set<HTTPField.Name> = []
    /// The names of the query items that do not count.
    public var ignoredQueryItems: Set<String> = []
    /// A Boolean value that indicates whether the bodies must be equal.
    public var comparesBody = true

    /// Makes a rule that compares method, address, and body.
    public init() {}

    /// Returns the parts of a request that count.
    func key(_ request: TransportRequest) -> Key {
        Key(
            method: request.method.rawValue,
            url: url(request.url.absoluteString),
            headers: headers.map { "\($0.canonicalName): \(request.headers[$0] ?? "")" }.sorted(),
            body: comparesBody ? body(request) : .none
        )
    }

    /// The parts of a request that count.
    struct Key: Hashable {
        let method: String
        let url: String
        let headers: [String]
        let body: Body
    }

    enum Body: Hashable {
        case none
        case json(JSON)
        case bytes([UInt8])

        /// The beginning of the body as text for people.
        var text: String {
            switch self {
            case .none: "none"
            case .json(let json): Self.short(json.description)
            case .bytes(let bytes):
                String(validating: bytes, as: UTF8.self).map(Self.short) ?? "\(bytes.count) bytes that are not UTF-8"
            }
        }

        private static func short(_ text: String) -> String {
            text.count > 200 ? text.prefix(200) + "…" : text
        }
    }

    private func url(_ text: String) -> String {
        guard !ignoredQueryItems.isEmpty, let mark = text.firstIndex(of: "?") else { return text }
        let end = text[mark...].firstIndex(of: "#") ?? text.endIndex
        let items = text[text.index(after: mark)..<end].split(separator: "&").filter { item in
            let name = item.prefix { $0 != "=" }
            return !ignoredQueryItems.contains(name.removingPercentEncoding ?? String(name))
        }
        return text[..<mark] + (items.isEmpty ? "" : "?" + items.joined(separator: "&")) + text[end...]
    }

    private func body(_ request: TransportRequest) -> Body {
        guard let bytes = request.body?.bytes, !bytes.isEmpty else { return .none }
        if request.headers.mediaType.contains("json"), let json = try? JSON(parsing: bytes) { return .json(json) }
        if let boundary = boundary(request.headers), let text = String(validating: bytes, as: UTF8.self) {
            return .bytes(Array(text.replacingOccurrences(of: boundary, with: "boundary").utf8))
        }
        return .bytes(bytes)
    }

    /// Returns the boundary of a multipart body.
    private func boundary(_ headers: HTTPFields) -> String? {
        guard headers.mediaType.hasPrefix("multipart/"), let type = headers[.contentType] else { return nil }
        for parameter in type.split(separator: ";").dropFirst() {
            let parameter = parameter.trimmed
            guard parameter.lowercased().hasPrefix("boundary=") else { continue }
            let boundary = parameter.dropFirst("boundary=".count).filter { $0 != "\"" }
            return boundary.isEmpty ? nil : boundary
        }
        return nil
    }
}
#endif
