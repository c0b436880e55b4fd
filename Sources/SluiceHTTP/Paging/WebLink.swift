#if HTTP
public import Foundation
import HTTPTypes

/// A link in a `Link` field (RFC 8288).
///
/// ```swift
/// let response = TransportResponse(headers: [HTTPField.Name("Link")!: "</users?page=2>; rel=\"next\""])
/// print(response.links.map(\.target))  // ["/users?page=2"]
/// ```
public struct WebLink: Sendable, Equatable {
    /// The target as written, which may be relative.
    public let target: String
    /// The relations of the target: `next`, `prev`, …, in lowercase.
    public let relations: [String]
    /// All parameters, with names in lowercase; the first of several with the same name counts.
    public let parameters: [String: String]

    /// Reads a field; an invalid link is left out, together with everything after it.
    ///
    /// The algorithm is that of RFC 8288, appendix B.2.
    public static func parse(_ field: String) -> [WebLink] {
        var rest = Substring(field)
        var links: [WebLink] = []
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
            guard rest.first == "<", let end = rest.firstIndex(of: ">") else { return links }
            let target = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
            var parameters: [String: String] = [:]
            while let (name, value) = parameter(&rest) {
                if parameters[name] == nil { parameters[name] = value }
            }
            let relations = (parameters["rel"] ?? "").lowercased().split { $0 == " " || $0 == "\t" }.map(String.init)
            links.append(WebLink(target: String(target), relations: relations, parameters: parameters))
        }
    }

    /// Removes `; name=value` from the front and returns it.
    private static func parameter(_ rest: inout Substring) -> (String, String)? {
        rest = rest.drop { $0 == " " || $0 == "\t" }
        guard rest.first == ";" else { return nil }
        rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" || $0 == ";" }
        let name = rest.prefix { !" \t=;,".contains($0) }
        rest = rest[name.endIndex...].drop { $0 == " " || $0 == "\t" }
        guard rest.first == "=" else { return (name.lowercased(), "") }
        rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
        guard rest.first == "\"" else {
            let value = rest.prefix { !" \t;,".contains($0) }
            rest = rest[value.endIndex...]
            return (name.lowercased(), String(value))
        }
        var value = ""
        rest = rest.dropFirst()
        while let character = rest.popFirst(), character != "\"" {
            if character == "\\", let escaped = rest.popFirst() {
                value.append(escaped)
            } else {
                value.append(character)
            }
        }
        return (name.lowercased(), value)
    }
}

extension TransportResponse {
    /// The links of the `Link` fields, in order.
    public var links: [WebLink] { headers[values: .link].flatMap(WebLink.parse) }

    /// Returns the target of the first link with this relation; `nil` if there is no such link, or its target is not an
    /// address of a web server.
    ///
    /// - Parameters:
    ///   - relation: `next`, `prev`, …, case-insensitive.
    ///   - url: the address of the request, the base of relative links.
    public func link(_ relation: String, relativeTo url: URL) -> URL? {
        // A link with an anchor describes another resource.
        let link = links.first { $0.relations.contains(relation.lowercased()) && $0.parameters["anchor"] == nil }
        guard let link, let target = URL(string: link.target, relativeTo: url)?.absoluteURL,
            Address.origin(target) != nil
        else { return nil }
        return target
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    /// `Link` (RFC 8288).
    static let link = HTTPField.Name("Link")!
}
#endif
