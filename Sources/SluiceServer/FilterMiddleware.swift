public import Hummingbird
public import Sluice

/// Puts filters around the routes of a Hummingbird server.
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
/// Where a filter refuses or ends a call, the answer is that of ``Hummingbird/HTTPError/init(filterError:)``: 429, 503 or
/// 504, with `Retry-After` where it is known. Errors of the routes pass.
///
/// The routes have ended when the middleware answers, so that they need nothing but this call: a filter that ends a call
/// early cancels them, and waits for them to heed it. A filter calls them one at a time; that it calls again is only of
/// use for requests without a body, which can be read once. A handler that is made of a node, see
/// ``Sluice/Node/handler(_:response:)``, has neither limit.
public struct FilterMiddleware<Context: RequestContext>: RouterMiddleware {
    private let filter: any SimpleFilter<Request, Response>

    /// Makes a middleware of a filter or stack; copies share what the filters share.
    public init(_ filter: some SimpleFilter<Request, Response>) { self.filter = filter }

    /// Answers a request.
    ///
    /// - Throws: what the filters and the routes throw, what a filter refused as an `HTTPError`.
    /// - Cancellation: cancels the routes.
    @concurrent public func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await RouteNode.around(request, context, next) { try await filter.process($0, next: $1) }
        } catch {
            throw HTTPError(filterError: error) ?? error
        }
    }
}
