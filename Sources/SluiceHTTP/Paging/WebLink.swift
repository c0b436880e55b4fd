public import Foundation
import HTTPTypes

/// A link to something else, as the `Link` field bears it (RFC 8288).
///
/// ```swift
/// let response = TransportResponse(headers: [HTTPField.Name("Link")!: "</users?page=2>; rel=\"next\""])
/// print(response.links.map(\.target))  // ["/users?page=2"]
/// ```
public struct WebLink: Sendable, Equatable {
    /// Where it leads, as it stands there; it may be relative.
    public let target: String
    /// What it leads to: `next`, `prev`, …, in lower case.
    public let relations: [String]
    /// All that is said of it, names in lower case; of several with one name the first.
    public let parameters: [String: String]

    /// Reads a field; what is no link is left out, with all that stands behind it.
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

    /// Takes `; name=value` off the front.
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
    /// The links of its `Link` fields, in their order.
    public var links: [WebLink] { headers[values: .link].flatMap(WebLink.parse) }

    /// Where the first link with this relation leads; `nil` if there is none, or no address of a web server.
    ///
    /// - Parameters:
    ///   - relation: `next`, `prev`, …, whatever the case.
    ///   - url: the address of the request, which relative links start from.
    public func link(_ relation: String, relativeTo url: URL) -> URL? {
        // A link with an anchor is one of something else.
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
