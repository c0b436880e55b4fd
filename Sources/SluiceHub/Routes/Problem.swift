#if Hub
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import SluiceJSON
import SluiceRuns
import SluiceStore

/// An error as the hub answers it: a problem document (RFC 9457).
struct Problem: Error, Equatable, HTTPResponseError {
    let status: HTTPResponse.Status
    let detail: String
    /// Further members of the document.
    private var members: JSON.Object = [:]
    /// Further fields of the answer.
    private(set) var headers: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ detail: String, headers: HTTPFields = [:]) {
        self.status = status
        self.detail = detail
        self.headers = headers
    }

    static func noStream(_ id: String) -> Problem { Problem(.notFound, "there is no stream '\(shown(id))'") }
    /// The answer to a request for a document that does not exist.
    static func none(_ id: String, _ kind: DocumentKind) -> Problem {
        kind == .stream ? noStream(id) : Problem(.notFound, "there is no stack '\(shown(id))'")
    }
    static func noPage(_ name: String) -> Problem { Problem(.notFound, "there is no page '\(shown(name))'") }
    static func noGroup(_ name: String) -> Problem {
        Problem(.notFound, "there is no group '\(shown(name))': make it with PUT /groups/NAME")
    }
    static func `default`(_ name: String) -> Problem {
        Problem(.conflict, "'\(shown(name))' is a default stream: default streams cannot be deleted")
    }
    static func tooLong(_ size: Int) -> Problem {
        Problem(.contentTooLarge, "the body is longer than \(size) bytes")
    }
    static let noRoom = Problem(.insufficientStorage, "too many documents: delete some")
    static let ending = Problem(.serviceUnavailable, "the hub is shutting down", headers: [.retryAfter: "5"])

    static let tooManySubscribers = Problem(
        .serviceUnavailable,
        "too many subscribers: close others, or try again later",
        headers: [.retryAfter: "5"]
    )

    /// A name in a message.
    static func shown(_ text: String) -> String { text.count > 100 ? text.prefix(100) + "…" : text }

    subscript(name: String) -> JSON? {
        get { members[name] }
        set { members[name] = newValue }
    }

    /// The problem behind any error.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let errors as JSONErrors: self.init(errors)
        case let error as JSONError: self.init(JSONErrors([error]))
        case let error as StoreError: self.init(error)
        case let error as RunError:
            switch error {
            case .completed: self.init(.conflict, "\(error)")
            case .notStored: self.init(.serviceUnavailable, "\(error)")
            }
        // A chunk without a valid size, for example.
        case let error as HTTPParserError:
            self.init(.badRequest, "the request is not HTTP: \(error)", headers: [.connection: "close"])
        case let error as HTTPError:
            self.init(error.status, error.body ?? error.status.reasonPhrase, headers: error.headers)
        default: self.init(.internalServerError, "\(error)")
        }
    }

    /// A document that does not check.
    init(_ errors: JSONErrors) {
        self.init(.unprocessableContent, errors.description)
        members["errors"] = .array(errors.errors.map(\.json))
    }

    private init(_ error: StoreError) {
        let status: HTTPResponse.Status =
            switch error.kind {
            case .missing, .missingGroup: .notFound
            case .taken: .conflict
            case .conflict: .preconditionFailed
            case .full, .readOnly, .moved: .insufficientStorage
            case .busy, .unavailable: .serviceUnavailable
            default: .internalServerError
            }
        self.init(status, error.reason)
    }

    var text: String {
        var problem: JSON.Object = [
            "title": .string(status.reasonPhrase), "status": .int(Int64(status.code)), "detail": .string(detail),
        ]
        for (key, value) in members { problem[key] = value }
        return JSON.object(problem).description
    }

    func response(from request: Request, context: some RequestContext) throws -> Response { response }

    var response: Response {
        var headers = headers
        headers[.contentType] = "application/problem+json"
        headers[.cacheControl] = "no-store"
        return Response(
            status: status,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
#endif
