import HTTPTypes
import Hummingbird
import NIOCore
import SluiceJSON

/// An error as the hub answers it: a problem document (RFC 9457).
struct Problem: Error, Equatable, HTTPResponseError {
    let status: HTTPResponse.Status
    let detail: String

    static func noStream(_ id: String) -> Problem { Problem(status: .notFound, detail: "there is no stream '\(id)'") }
    static func noPage(_ name: String) -> Problem { Problem(status: .notFound, detail: "there is no page '\(name)'") }

    /// The problem behind any error.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let errors as JSONErrors:
            self.init(status: .unprocessableContent, detail: errors.description)
        case let error as HTTPError:
            self.init(status: error.status, detail: error.body ?? error.status.reasonPhrase)
        default: self.init(status: .internalServerError, detail: "\(error)")
        }
    }

    init(status: HTTPResponse.Status, detail: String) {
        self.status = status
        self.detail = detail
    }

    var text: String {
        let problem: JSON = [
            "title": .string(status.reasonPhrase), "status": .int(Int64(status.code)), "detail": .string(detail),
        ]
        return problem.description
    }

    func response(from request: Request, context: some RequestContext) throws -> Response { response }

    var response: Response {
        Response(
            status: status,
            headers: [.contentType: "application/problem+json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}

/// Answers every error with a problem document.
struct ProblemMiddleware<Context: RequestContext>: RouterMiddleware {
    @concurrent func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do { return try await next(request, context) } catch {
            let response = Problem(error).response
            // The answer to a HEAD has no body: one would be taken for the next answer.
            return request.method == .head ? response.createHeadResponse() : response
        }
    }
}
