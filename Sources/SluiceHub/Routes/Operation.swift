#if Hub
import HTTPTypes
import Hummingbird
import SluiceJSON

/// A route of the hub with its description. The router and `openapi.json` both come from it.
struct Operation: Sendable {
    typealias Handler = @Sendable (Request, HubRequestContext) async throws -> Response

    /// A parameter in the path, the query, or a header.
    struct Parameter: Sendable {
        enum Location: String {
            case path, query, header
        }

        let name: String
        let location: Location
        let text: String
        var isRequired = false
        var schema: JSON = ["type": "string"]
    }

    let method: HTTPRequest.Method
    /// The path with its parameters in braces: `/streams/{id}`.
    let path: String
    /// The name of the route in programs: `listStreams`.
    let id: String
    /// The role that a token needs; `nil` for a route that needs no token.
    let role: Role?
    let summary: String
    var parameters: [Parameter] = []
    /// The name of the schema of the request's body, or its media type if that is not JSON.
    var body: String?
    var isBodyRequired = true
    /// The status of a successful response.
    var status = HTTPResponse.Status.ok
    var result = Result.none
    /// The statuses of its problems, besides those that every route may return.
    var problems: [HTTPResponse.Status] = []
    /// Schemas that the description of the API gets besides those in `OpenAPISchemas`.
    var schemas: JSON.Object = [:]
    /// A Boolean value that indicates whether `HubClient` gets a method that is generated from this description.
    var hasClientMethod = false
    let handler: Handler

    /// The body of a response.
    enum Result: Sendable, Equatable {
        case none
        /// JSON of a schema.
        case json(String)
        case text(String)
        case events
    }

    /// The path as the router has it.
    var pattern: RouterPath { RouterPath(path) }

    /// The operation with the parameters of its path.
    var whole: Operation {
        var copy = self
        let texts = [
            "id": path.hasPrefix("/stacks") ? "the id of the stack" : "the id of the stream",
            "group": "the name of the group", "worker": "the id of the worker", "token": "the name of the token",
            "sink": "the id of the sink", "lease": "the number of the lease", "letter": "the number of the dead letter",
        ]
        let names = path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
        copy.parameters =
            names.map { name in
                let schema: JSON =
                    ["revision", "letter", "lease"].contains(name)
                    ? ["type": "integer", "minimum": 1] : ["type": "string"]
                return Parameter(
                    name: name,
                    location: .path,
                    text: texts[name] ?? "the \(name)",
                    isRequired: true,
                    schema: schema
                )
            } + parameters
        return copy
    }
}

extension Operation.Parameter {
    static let author = Self(
        name: "X-Sluice-Author",
        location: .header,
        text: "the author of the write, for the history: up to 100 characters",
        schema: ["type": "string", "maxLength": 100]
    )
    static let ifMatch = Self(
        name: "If-Match",
        location: .header,
        text: "the revision that is replaced, as ETag has it: \"4\"",
        schema: ["type": "string", "examples": ["\"1\""]]
    )
    static let ifNoneMatch = Self(
        name: "If-None-Match",
        location: .header,
        text: "* where there must be no such stream",
        schema: ["type": "string", "examples": ["*"]]
    )
    static let knownList = Self(
        name: "If-None-Match",
        location: .header,
        text: "the ETag of the list that was read before: where it has not changed, the answer is 304"
    )
    static let dependents = Self(
        name: "dependents",
        location: .query,
        text: "keep: streams that refer to this one and would no longer run keep running on the texts that they were "
            + "started with",
        schema: ["type": "string", "enum": ["keep"]]
    )
    static let references = Self(
        name: "references",
        location: .query,
        text: "rewrite: where the document is renamed, references of other streams to its old name become references "
            + "to its id, in the same transaction",
        schema: ["type": "string", "enum": ["rewrite"]]
    )
    static let lastEventID = Self(
        name: "Last-Event-ID",
        location: .header,
        text: "the id of the last event that was received"
    )
}
#endif
