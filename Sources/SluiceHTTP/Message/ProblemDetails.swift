import HTTPTypes
public import SluiceJSON

/// A problem as servers describe it (RFC 9457), `application/problem+json`.
///
/// ```swift
/// func tell(_ error: HTTPError) {
///     guard let problem = error.problem, problem.type == "https://example.com/probs/out-of-credit" else { return }
///     print(problem["balance"]?.int ?? 0)
/// }
/// ```
public struct ProblemDetails: Sendable, Equatable, CustomStringConvertible {
    /// The kind of problem, a URI; `about:blank` if nothing is said.
    public let type: String
    /// The kind in a few words.
    public let title: String?
    /// The status as the server wrote it into the body.
    public let status: Int?
    /// What is wrong with this request.
    public let detail: String?
    /// The URI of this occurrence.
    public let instance: String?
    /// The whole object, with members of the server's own.
    public let members: JSON

    /// Reads the problem of an answer; `nil` if its Content-Type says that it describes none, or its body is no object.
    ///
    /// Members of a wrong type are left out, as the RFC says.
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

    /// A member of the server's own.
    public subscript(name: String) -> JSON? { members[name] }

    /// The detail, or else the title, or else the type.
    public var description: String { detail ?? title ?? type }
}

extension Substring {
    /// The text without spaces and tabs around it.
    var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
