#if Server
public import Hummingbird
public import Sluice

/// A middleware that puts filters around the routes of a Hummingbird server.
///
/// ```swift
/// import Hummingbird
///
/// let limits = RateFilter<Request, Response>(1000, per: .seconds(1), burst: 100)
///     .andThen(ConcurrencyFilter(64, queue: 64, wait: .milliseconds(100)))
/// let router = Router()
/// router.add(middleware: FilterMiddleware(limits))
/// ```
///
/// When a filter refuses or ends a call, the answer is that of `HTTPError.init(filterError:)`: 429, 503,
/// or 504, with `Retry-After` if it is known. Errors of the routes pass unchanged.
///
/// The routes have ended when the middleware answers, so that they need only this call: a filter that ends a call early
/// cancels them, and waits for them to end. A filter calls them one at a time; repeated calls are useful only for
/// requests without a body, since a body can be read once. A handler that is made of a node, see
/// ``Sluice/Node/handler(_:response:)``, has neither limit.
public struct FilterMiddleware<Context: RequestContext>: RouterMiddleware {
    private let filter: any SimpleFilter<Request, Response>

    /// Makes a middleware of a filter or a stack; copies share the state that the filters share.
    public init(_ filter: some SimpleFilter<Request, Response>) { self.filter = filter }

    /// Answers a request.
    ///
    /// - Throws: the errors of the filters and the routes, with a filter's refusal as an `HTTPError`.
    /// - Cancellation: cancels the routes.
    @concurrent public func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await RouteNode.wrapping(request, context, next) { try await filter.process($0, next: $1) }
        } catch {
            throw HTTPError(filterError: error) ?? error
        }
    }
}
#endif
