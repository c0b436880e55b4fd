#if HTTP
import HTTPTypes
import Sluice
public import SluiceFilters

extension AuthFilter where Request == TransportRequest, Response == TransportResponse {
    /// Makes a filter that logs in again when a request is refused, for any authentication scheme, and sends the
    /// request once more.
    ///
    /// ```swift
    /// let node = AuthFilter.http { try await session.logIn() }
    ///     .andThen(HeaderFilter { _ in [.authorization: "Custom 1"] })
    ///     .andThen(HTTPTransport())
    /// ```
    ///
    /// Put it around the stage that adds the credentials, which is called again after the refresh. A request whose body
    /// can be sent only once is not repeated; its refusal is the answer.
    ///
    /// - Parameters:
    ///   - refusals: the statuses that mean that the credentials are invalid; 401 by default. Add 403 for servers that
    ///     use it for this.
    ///   - origins: the origins that the credentials are for; that of the call's first request by default.
    ///   - limit: the maximum number of refreshes that may begin within `window`; a call that needs one more fails.
    ///   - window: the time for which a refresh counts.
    ///   - clock: the clock that measures the window.
    ///   - refresh: a closure that gets new credentials; called when a request is refused, in a task of its own, one at
    ///     a time. The waiting calls throw its error.
    public static func http(
        refusals: Set<Int> = [401],
        origins: FieldOrigins = .first,
        limit: Int = 5,
        within window: Duration = .seconds(30),
        clock: any Clock<Duration> = .continuous,
        refresh: @escaping @Sendable () async throws -> Void
    ) -> AuthFilter {
        AuthFilter(
            refresh: { _ in try await refresh() },
            refusal: { $0.isRefused($1, by: refusals, from: origins) },
            limit: limit,
            within: window,
            clock: clock
        )
    }
}
#endif
