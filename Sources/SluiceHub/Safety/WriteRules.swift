#if Hub
import HTTPTypes
import Hummingbird

/// Refuses writes that a page of another site can make a browser send.
///
/// A page may send forms and plain text to any address without asking. It can't send JSON so: for that the browser asks
/// the hub first, which never agrees.
enum WriteRules {
    /// Refuses a write from another site's page.
    ///
    /// - Throws: ``Problem``: 403.
    static func checkSite(_ request: Request) throws(Problem) {
        guard isWrite(request.method), let name = HTTPField.Name.fetchSite else { return }
        for site in request.headers[values: name] where site != "same-origin" && site != "none" {
            throw Problem(.forbidden, "requests that a page of another site sends are refused")
        }
    }

    /// Refuses a write whose body is not JSON.
    ///
    /// - Throws: ``Problem``: 415.
    static func checkType(_ request: Request) throws(Problem) {
        guard isWrite(request.method) else { return }
        let types = request.headers[values: .contentType]
        if types.isEmpty, !hasBody(request) { return }
        guard types.count == 1, isJSON(types[0]) else {
            throw Problem(.unsupportedMediaType, "a body here is JSON: send it with Content-Type: application/json")
        }
    }

    static func isWrite(_ method: HTTPRequest.Method) -> Bool {
        switch method {
        case .get, .head, .options, .trace: false
        default: true
        }
    }

    private static func hasBody(_ request: Request) -> Bool {
        if request.headers.contains(.transferEncoding) { return true }
        return request.headers[.contentLength].map { $0 != "0" } ?? false
    }

    /// Returns whether a media type, with or without parameters, is JSON's.
    private static func isJSON(_ type: String) -> Bool {
        type.prefix { $0 != ";" }.lowercased().split(separator: " ") == ["application/json"]
    }
}
#endif
