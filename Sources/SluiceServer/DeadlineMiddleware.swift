internal import HTTPTypes
public import Hummingbird
internal import Sluice
internal import SluiceFilters

/// Takes the deadline of a request from its headers into ``Sluice/CallContext/deadline``, and ends the handler at it.
///
/// ```swift
/// import Hummingbird
///
/// let router = Router()
/// router.add(middleware: DeadlineMiddleware(atMost: .seconds(30)))
/// ```
///
/// The headers are those of ``RequestDeadline``. A handler that is late is cancelled, and the answer is 504; one that
/// would begin after the deadline, as it waited in a queue, is not called. Filters and request chains within the handler
/// know the deadline: a retry begins no try that could not end in time, and a call further on may pass it on.
///
/// It stands outside of the limits, so that the time in a queue counts. A header that cannot be read is answered with 400.
public struct DeadlineMiddleware<Context: RequestContext>: RouterMiddleware {
    private let limit: Duration
    private let filter: DeadlineFilter<Request, Response>

    /// Makes a middleware.
    ///
    /// - Parameters:
    ///   - limit: how long a request may take at most, also one whose headers ask for more or for nothing.
    ///   - clock: measures it.
    public init(atMost limit: Duration = .seconds(60), clock: any Clock<Duration> = .continuous) {
        self.limit = limit
        filter = DeadlineFilter(clock: clock)
    }

    /// Answers a request.
    ///
    /// - Throws: `HTTPError` with 504 or 400; what the handler throws.
    /// - Cancellation: cancels the handler.
    @concurrent public func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let call: CallContext
        do {
            let time = try RequestDeadline.time(in: request.headers).map { min($0, limit) } ?? limit
            var current = CallContext.current
            current.limitDeadline(to: .now + time)
            call = current
        } catch {
            throw HTTPError(.badRequest, message: "\(error)")
        }
        do {
            return try await RouteNode.around(request, context, next) { request, routes in
                try await withCallContext(call) { try await filter.process(request, next: routes) }
            }
        } catch {
            throw HTTPError(filterError: error) ?? error
        }
    }
}
