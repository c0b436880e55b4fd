#if HTTP
import Foundation
import HTTPTypes
import SluiceHTTP
import SluiceJSON
import SluiceStreams

extension TransportRequest {
    /// The longest body, in bytes.
    private static let longestBody = 1 << 20

    /// Creates the request of a document: `url`, `method`, `headers`, and `body`, a text or a value that is sent as JSON.
    ///
    /// - Throws: `StreamError` if one of them is invalid.
    init(ofDocument arguments: JSON) throws(StreamError) {
        let text = arguments["url"]?.string ?? ""
        guard text.utf8.count <= 8192, let url = URL(string: text), url.host?.isEmpty == false else {
            throw StreamError(message: "url: '\(text.shortened)' is not a URL")
        }
        self.init(try Self.method(arguments), url)
        for (name, value) in arguments["headers"]?.object ?? [:] {
            guard let field = HTTPField.Name(name), let value = value.string, HTTPField.isValidValue(value),
                headers.count < 32, value.utf8.count <= 8192
            else {
                throw StreamError(
                    message: "headers: '\(name.shortened)' is not a valid header field with a string value"
                )
            }
            guard !Self.isOfConnection(field.canonicalName) else {
                throw StreamError(message: "headers: a document can't set '\(name)'")
            }
            headers[field] = value
        }
        guard let body = arguments["body"] else { return }
        let (content, type) = body.string.map { ($0, "text/plain; charset=utf-8") } ?? (body.text(), "application/json")
        guard content.utf8.count <= Self.longestBody else {
            throw StreamError(message: "body: it has more than \(Self.longestBody) bytes")
        }
        self.body = .bytes(Array(content.utf8))
        if headers[.contentType] == nil { headers[.contentType] = type }
    }

    private static func method(_ arguments: JSON) throws(StreamError) -> HTTPRequest.Method {
        guard let name = arguments["method"]?.string else { return arguments["body"] == nil ? .get : .post }
        guard let method = HTTPRequest.Method(rawValue: name.uppercased()), name.utf8.count <= 32,
            method != .connect, method != .trace
        else { throw StreamError(message: "method: '\(name.shortened)' is not a method that a stream may use") }
        return method
    }

    /// Returns a Boolean value that indicates whether a field says where a request goes or where it ends. It could hide
    /// one request in another.
    private static func isOfConnection(_ name: String) -> Bool {
        [
            "host", "connection", "content-length", "transfer-encoding", "te", "trailer", "upgrade", "keep-alive",
            "expect",
        ].contains(name) || name.hasPrefix("proxy-")
    }
}
#endif
