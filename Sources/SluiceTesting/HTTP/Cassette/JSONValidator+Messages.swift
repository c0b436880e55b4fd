#if HTTP
package import Foundation
package import HTTPTypes
import SluiceHTTP
package import SluiceJSON

/// Checks for the messages in a file: each method notes the problems with their places.
extension JSONValidator {
    /// The maximum number of fields, more than any server sends.
    private static let maximumFieldCount = 10_000

    mutating func request(_ node: JSONNode?) -> TransportRequest? {
        guard let node,
            let fields = object(node, keys: ["method", "url", "headers", "body"], required: ["method", "url"])
        else { return nil }
        let method = method(fields["method"])
        let url = url(fields["url"])
        let headers = headers(fields["headers"])
        let body = body(fields["body"])
        guard let method, let url else { return nil }
        return TransportRequest(method, url, headers: headers, body: body.map { .bytes($0) })
    }

    mutating func response(_ node: JSONNode?) -> TransportResponse? {
        guard let node,
            let fields = object(node, keys: ["status", "reason", "headers", "body"], required: ["status"])
        else { return nil }
        let status = int(fields["status"], in: 100...999)
        let reason = string(fields["reason"]) ?? ""
        let headers = headers(fields["headers"])
        let body = body(fields["body"])
        guard let status else { return nil }
        return TransportResponse(
            status: HTTPResponse.Status(code: status, reasonPhrase: reason),
            headers: headers,
            body: body ?? []
        )
    }

    package mutating func method(_ node: JSONNode?) -> HTTPRequest.Method? {
        guard let node, let text = string(node) else { return nil }
        if let method = HTTPRequest.Method(rawValue: text) { return method }
        note(at: node, "\(JSON.string(text)) is no method")
        return nil
    }

    package mutating func url(_ node: JSONNode?) -> URL? {
        guard let node, let text = string(node) else { return nil }
        if let url = URL(string: text), url.scheme != nil { return url }
        note(at: node, "\(JSON.string(text)) is no address", hint: "an address begins with http:// or https://")
        return nil
    }

    private mutating func headers(_ node: JSONNode?) -> HTTPFields {
        var headers = HTTPFields()
        guard let node, expect(.object, node) else { return headers }
        for member in node.members {
            guard let name = HTTPField.Name(member.key) else {
                note(at: member.keyNode, "\(JSON.string(member.key)) is no name of a header field")
                continue
            }
            let values = member.value.kind == .array ? Array(member.value.elements) : [member.value]
            for node in values {
                guard let value = string(node) else { continue }
                guard headers.count < Self.maximumFieldCount else {
                    note(.limitExceeded, at: node, "more than \(Self.maximumFieldCount) header fields")
                    return headers
                }
                headers.append(HTTPField(name: name, value: value))
            }
        }
        return headers
    }

    private mutating func body(_ node: JSONNode?) -> [UInt8]? {
        guard let node, let member = namedMember(node, names: ["json", "text", "base64"], what: "body") else {
            return nil
        }
        switch member.key {
        case "json": return json(member.value)?.bytes()
        case "text": return string(member.value).map { Array($0.utf8) }
        case "base64": return base64(member.value)
        default: return nil
        }
    }

    package mutating func base64(_ node: JSONNode?) -> [UInt8]? {
        guard let node, let text = string(node) else { return nil }
        if let data = Data(base64Encoded: text) { return Array(data) }
        note(at: node, "the text is not base64")
        return nil
    }
}
#endif
