#if Hub
import Foundation
import HTTPTypes
import SluiceHTTP
import SluiceJSON
import SluiceStreams

extension TransportRequest {
    /// The request that a document asks for with `url` and `headers`.
    ///
    /// - Throws: `StreamError` if the URL or a header field is invalid.
    init(ofDocument arguments: JSON) throws(StreamError) {
        let text = arguments["url"]?.string ?? ""
        guard text.utf8.count <= 8192, let url = URL(string: text), url.host?.isEmpty == false else {
            throw StreamError(message: "url: '\(Problem.shown(text))' is not a URL")
        }
        self.init(.get, url)
        for (name, value) in arguments["headers"]?.object ?? [:] {
            guard let field = HTTPField.Name(name), let value = value.string, HTTPField.isValidValue(value),
                headers.count < 32, value.utf8.count <= 8192
            else {
                throw StreamError(
                    message: "headers: '\(Problem.shown(name))' is not a valid header field with a string value"
                )
            }
            guard !Self.isOfConnection(field.canonicalName) else {
                throw StreamError(message: "headers: a document can't set '\(name)'")
            }
            headers[field] = value
        }
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
