#if HTTP
import HTTPTypes
public import SluiceJSON

/// A problem described by a server (RFC 9457), `application/problem+json`.
///
/// ```swift
/// func tell(_ error: HTTPError) {
///     guard let problem = error.problem, problem.type == "https://example.com/probs/out-of-credit" else { return }
///     print(problem["balance"]?.int ?? 0)
/// }
/// ```
public struct ProblemDetails: Sendable, Equatable, CustomStringConvertible {
    /// The kind of problem, a URI; `about:blank` if it is missing.
    public let type: String
    /// A short summary of the kind.
    public let title: String?
    /// The status that the server wrote into the body.
    public let status: Int?
    /// The explanation for this request.
    public let detail: String?
    /// The URI of this occurrence.
    public let instance: String?
    /// The whole object, including custom members.
    public let members: JSON

    /// Reads the problem of an answer; returns `nil` if its Content-Type is not that of a problem, or its body is not
    /// an object.
    ///
    /// Members of a wrong type are left out, as the RFC requires.
    public init?(_ response: TransportResponse) {
        guard let type = response.headers[.contentType]?.prefix(while: { $0 != ";" }),
            type.trimmed.lowercased() == "application/problem+json",
            let body = response.body.bytes, let members = try? JSON(parsing: body), members.object != nil
        else { return nil }
        self.type = members["type"]?.string ?? "about:blank"
        title = members["title"]?.string
        status = members["status"]?.int
        detail = members["detail"]?.string
        instance = members["instance"]?.string
        self.members = members
    }

    /// Returns a custom member.
    public subscript(name: String) -> JSON? { members[name] }

    /// The detail, or else the title, or else the type.
    public var description: String { detail ?? title ?? type }
}

extension Substring {
    /// The text without spaces and tabs around it.
    package var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
#endif
