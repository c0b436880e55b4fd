#if HTTP
public import Foundation
import HTTPTypes
public import Sluice
public import SluiceFilters

/// A filter that adds an access token to requests, and gets a new one when a server refuses it (RFC 6750).
///
/// ```swift
/// let node = BearerFilter(
///     for: URL(string: "https://api.example.com")!,
///     token: { UserDefaults.standard.string(forKey: "token") },
///     refresh: { try await session.logIn() }
/// ).andThen(HTTPTransport())
/// ```
///
/// Only requests to the origin that you name (scheme, host, and port) get the token; without one, only requests to the
/// origin of the call's first request. Inside a ``RedirectFilter`` no other server gets it. A request that already has
/// an `Authorization` passes unchanged.
///
/// Put it inside the redirects, and outside the cache, the single flight, and the retry: these then see the token, and
/// separate users by it. A refused call is repeated through all of them.
///
/// All refused calls wait for one refresh, and each is then sent once more: see ``SluiceFilters/AuthFilter``. A call
/// whose body can be sent only once is not repeated; its refusal is the answer.
public struct BearerFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let origins: FieldOrigins
    private let refusals: Set<Int>
    private let token: @Sendable () async throws -> String?
    private let auth: AuthFilter<TransportRequest, TransportResponse>

    /// Makes a filter with a session of its own; copies share it.
    ///
    /// - Parameters:
    ///   - origin: an address of the server that the token is for, whose path doesn't matter; `nil`, the default, is the
    ///     server of the call's first request.
    ///   - refusals: the statuses that mean that the token is invalid; 401 by default. Add 403 for servers that use it
    ///     for this.
    ///   - token: a closure that returns the token, or `nil` if there is no token yet. It is called once for each hop,
    ///     and again after a refresh, on the caller's executor. Its error is the error of the call.
    ///   - refresh: a closure that gets a new token; called when a call is refused, in a task of its own, one at a
    ///     time. The waiting calls throw its error.
    ///   - limit: the maximum number of refreshes that may begin within `window`; a call that needs one more fails.
    ///   - window: the time for which a refresh counts.
    ///   - clock: the clock that measures the window.
    public init(
        for origin: URL? = nil,
        refusals: Set<Int> = [401],
        token: @escaping @Sendable () async throws -> String?,
        refresh: @escaping @Sendable () async throws -> Void,
        limit: Int = 5,
        within window: Duration = .seconds(30),
        clock: any Clock<Duration> = .continuous
    ) {
        self.init(
            for: origin,
            refusals: refusals,
            token: token,
            replace: { _ in try await refresh() },
            limit: limit,
            within: window,
            clock: clock
        )
    }

    /// Makes a filter whose refreshes replace the refused token.
    ///
    /// - Parameter replace: a closure that gets a token in place of the refused one, which is its argument; `nil` if the
    ///   refused call had no token.
    init(
        for origin: URL?,
        refusals: Set<Int> = [401],
        token: @escaping @Sendable () async throws -> String?,
        replace: @escaping @Sendable (String?) async throws -> Void,
        limit: Int = 5,
        within window: Duration = .seconds(30),
        clock: any Clock<Duration>
    ) {
        origins = origin.map { .only($0) } ?? .first
        self.refusals = refusals
        self.token = token
        auth = AuthFilter(
            refresh: { result in
                var refused: String?
                if case .failure(let refusal as TokenRefusal) = result { refused = refusal.token }
                try await replace(refused)
            },
            refusal: { _, result in if case .failure(let error) = result { error is TokenRefusal } else { false } },
            limit: limit,
            within: window,
            clock: clock
        )
    }

    /// Calls `next` with the token, and once more after a refresh if it was refused.
    ///
    /// - Returns: the answer; a second refusal is also an answer, unless an inner ``StatusFilter`` makes it an error.
    /// - Throws: the error of `next`, of `token` and of `refresh`; ``SluiceFilters/ExcessiveRefreshError``.
    /// - Cancellation: cancels the running call, or stops waiting for the refresh, which continues while other calls
    ///   wait for it.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        guard !request.headers.contains(.authorization), origins.includes(request) else {
            return try await next.process(request)
        }
        let node = TokenNode(next: next, token: token, refusals: refusals)
        do {
            return try await auth.process(request, next: node)
        } catch let refusal as TokenRefusal {
            return try refusal.result.get()
        }
    }

    /// The description `BearerFilter`.
    public var description: String { "BearerFilter" }
}

extension BearerFilter: ChainStage {
    /// The declaration: per hop; adds Authorization.
    public var declaration: StageDeclaration { StageDeclaration(.hop, adds: .named([.authorization])) }
    /// The role ``StackRole/credentials``.
    public var stackRole: StackRole { .credentials }
}

/// A refusal of the token by a server, as an answer or as an error.
private struct TokenRefusal: Error, CustomStringConvertible {
    let status: HTTPResponse.Status
    /// The refused token; `nil` if the request had no token.
    let token: String?
    let result: Result<TransportResponse, any Error>

    var description: String { status.summary }
}

/// A node that makes one attempt with the current token.
private struct TokenNode<Next: Node<TransportRequest, TransportResponse>>: Node {
    let next: Next
    let token: @Sendable () async throws -> String?
    let refusals: Set<Int>
    private let count = AttemptCount()

    /// The number of times that the call was sent.
    private final class AttemptCount: Sendable {
        let value = Locked(0)
    }

    init(next: Next, token: @escaping @Sendable () async throws -> String?, refusals: Set<Int>) {
        self.next = next
        self.token = token
        self.refusals = refusals
    }

    nonisolated(nonsending) func process(_ request: TransportRequest) async throws -> TransportResponse {
        var authorized = request
        let token = try await token()
        if let token {
            authorized.add([.authorization: "Bearer \(token)"], replacing: true, isCredential: true)
        }
        let number = count.value.withLock { count in
            count += 1
            return count
        }
        if number > 1 { authorized.note { $0.isRefreshed = true } }
        let mayRepeat = request.body?.isReplayable ?? true
        do {
            var response = try await next.process(authorized)
            response.noteSent(authorized)
            guard mayRepeat, refusals.contains(response.status.code) else { return response }
            throw TokenRefusal(status: response.status, token: token, result: .success(response))
        } catch let error as HTTPError {
            guard mayRepeat, error.code == .badStatus, let status = error.response?.status,
                refusals.contains(status.code)
            else { throw error }
            throw TokenRefusal(status: status, token: token, result: .failure(error))
        }
    }
}
#endif
