#if HTTP
internal import Foundation
internal import HTTPTypes
internal import SluiceHTTP
internal import SluiceJSON

/// A reader of archives from any program that records all errors with their places.
struct HARReader {
    var check = JSONValidator()

    private static let maximumFieldCount = 10_000
    /// The greatest time of an archive: a year, in milliseconds.
    private static let longestTime = 3.2e10

    mutating func exchanges(_ root: JSONNode) -> [RecordedExchange] {
        guard let file = object(root, required: ["log"]), let node = file["log"],
            let log = object(node, required: ["entries"]), let entries = log["entries"]
        else { return [] }
        if entries.count > HAR.maximumEntryCount {
            check.note(.limitExceeded, at: entries, "more than \(HAR.maximumEntryCount) entries")
            return []
        }
        return check.elements(entries).compactMap { exchange($0) }
    }

    private mutating func exchange(_ node: JSONNode) -> RecordedExchange? {
        guard let entry = object(node, required: ["request", "response"]), let requestNode = entry["request"],
            let responseNode = entry["response"]
        else { return nil }
        let request = request(requestNode)
        let response = response(responseNode)
        guard let request, let response else { return nil }
        var exchange = RecordedExchange(request, response)
        exchange.started = entry["startedDateTime"]?.string.flatMap(Self.date)
        if let timings = entry["timings"] {
            let parts = ["send", "wait"].compactMap { Self.duration(timings[$0]) }
            exchange.waited = parts.isEmpty ? nil : parts.reduce(.zero, +)
            exchange.received = Self.duration(timings["receive"])
        }
        return exchange
    }

    private mutating func request(_ node: JSONNode) -> TransportRequest? {
        guard let request = object(node, required: ["method", "url"]) else { return nil }
        let method = check.method(request["method"])
        let headers = headers(request["headers"])
        let body = request["postData"].flatMap { postData($0) }
        // Browsers also save requests that don't use the network: `data:`, `blob:`, `chrome-extension:`.
        let address = request["url"]?.string?.lowercased() ?? ""
        if address.contains(":"), !address.hasPrefix("http://"), !address.hasPrefix("https://") { return nil }
        guard let url = check.url(request["url"]), let method else { return nil }
        return TransportRequest(method, url, headers: headers, body: body.map { .bytes($0) })
    }

    /// Returns the response; `nil` without an error if there was no response, which browsers save as the status 0.
    private mutating func response(_ node: JSONNode) -> TransportResponse? {
        guard let response = object(node, required: ["status"]) else { return nil }
        let headers = headers(response["headers"])
        var body: [UInt8] = []
        if let content = response["content"], check.expect(.object, content) {
            body = text(content, encoding: "encoding") ?? []
        }
        if response["status"]?.int == 0 { return nil }
        guard let status = check.int(response["status"], in: 100...999) else { return nil }
        let reason = response["statusText"]?.string ?? ""
        return TransportResponse(
            status: HTTPResponse.Status(code: status, reasonPhrase: reason),
            headers: headers,
            body: body
        )
    }

    private mutating func postData(_ node: JSONNode) -> [UInt8]? {
        if node.isNull { return nil }
        guard check.expect(.object, node) else { return nil }
        if let bytes = text(node, encoding: "_encoding") { return bytes }
        guard let parameters = node["params"], check.expect(.array, parameters) else { return nil }
        let pairs = parameters.elements.map { parameter in
            [parameter["name"], parameter["value"]].map { Self.encoded($0?.string ?? "") }.joined(separator: "=")
        }
        return pairs.isEmpty ? nil : Array(pairs.joined(separator: "&").utf8)
    }

    private mutating func text(_ node: JSONNode, encoding: String) -> [UInt8]? {
        guard let text = node["text"], !text.isNull else { return nil }
        if let encoding = node[encoding], encoding.string?.isEmpty == false {
            guard check.string(encoding, oneOf: ["base64"]) != nil else { return nil }
            return check.base64(text)
        }
        return check.string(text).map { Array($0.utf8) }
    }

    private mutating func headers(_ node: JSONNode?) -> HTTPFields {
        var headers = HTTPFields()
        guard let node else { return headers }
        for element in check.elements(node) {
            guard let field = object(element, required: ["name", "value"]), let name = check.string(field["name"]),
                let value = check.string(field["value"])
            else { continue }
            guard headers.count < Self.maximumFieldCount else {
                check.note(.limitExceeded, at: element, "more than \(Self.maximumFieldCount) header fields")
                return headers
            }
            // HTTP/2 has names that are invalid elsewhere, such as `:authority`.
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
        }
        return headers
    }

    private mutating func object(_ node: JSONNode, required: [String]) -> JSONNode? {
        check.object(node, keys: [], required: required, unknown: .kept)?.node
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(
            withAllowedCharacters: .alphanumerics.intersection(.init(charactersIn: "\0"..."\u{7F}"))
        )
            ?? ""
    }

    private static func date(_ text: String) -> Date? {
        (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle()))
    }

    private static func duration(_ node: JSONNode?) -> Duration? {
        guard let milliseconds = node?.double, (0...longestTime).contains(milliseconds) else { return nil }
        return .nanoseconds(Int64(milliseconds * 1e6))
    }
}
#endif
