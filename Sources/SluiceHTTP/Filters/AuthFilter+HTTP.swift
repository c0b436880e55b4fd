import HTTPTypes
import Sluice
public import SluiceFilters

extension AuthFilter where Request == TransportRequest, Response == TransportResponse {
    /// Makes a filter that logs in again when a request is refused, whatever scheme its credentials have, and sends it once
    /// more.
    ///
    /// ```swift
    /// let node = AuthFilter.http { try await session.logIn() }
    ///     .andThen(HeaderFilter { _ in [.authorization: "Custom 1"] })
    ///     .andThen(HTTPTransport())
    /// ```
    ///
    /// Put it around what adds the credentials: that is asked again after the refresh. A request whose body can be sent only
    /// once is not sent again; its refusal is the answer.
    ///
    /// - Parameters:
    ///   - refusals: the statuses that say that the credentials are no good: 401. Servers that say so with 403 need it
    ///     added.
    ///   - origins: the origins that the credentials are for; that of the call's first request by default.
    ///   - limit: how many refreshes may begin within `window`; a call that needs one more fails.
    ///   - window: how long a refresh counts.
    ///   - clock: measures it.
    ///   - refresh: called when a request is refused, in a task of its own, one at a time. What it throws is what the
    ///     waiting calls throw.
    public static func http(
        refusals: Set<Int> = [401],
        origins: FieldOrigins = .first,
        limit: Int = 5,
        within window: Duration = .seconds(30),
        clock: any Clock<Duration> = .continuous,
        refresh: @escaping @Sendable () async throws -> Void
    ) -> AuthFilter {
        AuthFilter(
            refresh: refresh,
            refusal: { $0.isRefused($1, by: refusals, from: origins) },
            limit: limit,
            within: window,
            clock: clock
        )
    }
}
