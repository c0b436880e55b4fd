#if Server
internal import HTTPTypes
public import Hummingbird
internal import Sluice
internal import SluiceFilters

/// A middleware that reads the deadline of a request from its headers into ``Sluice/CallContext/deadline``, and ends
/// the handler at it.
///
/// ```swift
/// import Hummingbird
///
/// let router = Router()
/// router.add(middleware: DeadlineMiddleware(atMost: .seconds(30)))
/// ```
///
/// The headers are those of ``RequestDeadline``. A handler that is late is canceled, and the answer is 504; a handler
/// that would begin after the deadline, because of a wait in a queue, is not called. Filters and request chains within
/// the handler know the deadline: a retry starts no attempt that could not end in time, and an outgoing call may pass
/// it on.
///
/// Put it outside the limits, so that the time in a queue counts. An invalid header is answered with 400.
public struct DeadlineMiddleware<Context: RequestContext>: RouterMiddleware {
    private let limit: Duration
    private let filter: DeadlineFilter<Request, Response>

    /// Makes a middleware.
    ///
    /// - Parameters:
    ///   - limit: the time limit of every request, even if its headers ask for more or are missing.
    ///   - clock: the clock that measures the time.
    public init(atMost limit: Duration = .seconds(60), clock: any Clock<Duration> = .continuous) {
        self.limit = limit
        filter = DeadlineFilter(clock: clock)
    }

    /// Answers a request.
    ///
    /// - Throws: `HTTPError` with 504 or 400; the error of the handler.
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
            return try await RouteNode.wrapping(request, context, next) { request, routes in
                try await withCallContext(call) { try await filter.process(request, next: routes) }
            }
        } catch {
            throw HTTPError(filterError: error) ?? error
        }
    }
}
#endif
