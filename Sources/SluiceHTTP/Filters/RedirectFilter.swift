#if HTTP
public import HTTPTypes
public import Sluice
public import SluiceFilters

/// A filter that follows redirects: 301, 302, 303, 307, and 308 (RFC 9110, 15.4).
///
/// ```swift
/// let node = RedirectFilter().andThen(HTTPTransport())
/// let careful = RedirectFilter(.follow(atMost: 3), privateFields: [HTTPField.Name("X-API-Key")!]).andThen(HTTPTransport())
/// ```
///
/// A POST becomes a GET after 301 and 302, and every method but HEAD after 303; 307 and 308 repeat the same request.
/// Another server (scheme, host, or port) never gets the request's Authorization, Cookie, Proxy-Authorization,
/// X-API-Key, Origin, and Host, nor the fields that stages added for certain origins (tokens, the fields of a
/// provider), nor the fields that you name. A redirect from https to http is an error unless you allow it.
///
/// Put it outside the stages that add fields, the cache, and the retry: each of them works for one hop.
public struct RedirectFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let policy: RedirectPolicy
    private let privateFields: Set<HTTPField.Name>
    private let allowsDowngrade: Bool

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - policy: the rule for following redirects; at most 20 by default.
    ///   - privateFields: header fields that no other server gets, in addition to credentials.
    ///   - allowsDowngrade: whether a redirect may lead from https to http.
    public init(
        _ policy: RedirectPolicy = .follow(),
        privateFields: [HTTPField.Name] = [],
        allowsDowngrade: Bool = false
    ) {
        self.policy = policy
        self.privateFields = Set(privateFields)
        self.allowsDowngrade = allowsDowngrade
    }

    /// Calls `next` until the answer is not a redirect.
    ///
    /// - Returns: the last answer. The bodies of the others are not read.
    /// - Throws: ``HTTPError`` with the last answer in it when there are too many redirects, when one has no valid
    ///   target, or when it requires a body that can't be sent again; the error of `next`.
    /// - Cancellation: cancels the running call, and starts no other.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        var request = request
        var count = 0
        while true {
            var response = try await next.process(request)
            if count > 0 { response.isRedirected = true }
            guard Redirect.isRedirect(response.status) else { return response }
            var following = Redirect.request(
                after: response,
                to: request,
                isPrivate: privateFields.contains,
                allowsDowngrade: allowsDowngrade
            )
            if let decide = policy.decide {
                guard let proposed = following, let chosen = try await decide(response, proposed) else {
                    return response
                }
                following = chosen
            }
            guard var following else {
                throw try await error(.badStatus, "\(response.status.summary) leads nowhere", request, response)
            }
            guard count < policy.maximum else {
                throw try await error(.badStatus, "more than \(policy.maximum) redirects", request, response)
            }
            guard following.body?.isReplayable ?? true else {
                let reason = "\(response.status.summary) asks for the body again, and it can be sent only once"
                throw try await error(.badRequest, reason, request, response)
            }
            try Task.checkCancellation()
            CallContext.note("RedirectFilter", "\(response.status.code): goes to \(following.summary)")
            CallContext.log(.debug, "\(response.status.code): goes to \(following.summary)")
            let first = request.box?.notes.firstURL ?? request.url
            following.note { $0.firstURL = first }
            request = following
            count += 1
        }
    }

    private nonisolated(nonsending) func error(
        _ code: HTTPError.Code,
        _ message: String,
        _ request: TransportRequest,
        _ response: TransportResponse
    ) async throws -> HTTPError {
        HTTPError(code, message, request: request, response: try await response.head(upTo: 64 << 10))
    }

    /// The description `RedirectFilter`.
    public var description: String { "RedirectFilter" }
}

extension RedirectFilter: ChainStage {
    /// The declaration: per call.
    public var declaration: StageDeclaration { StageDeclaration(.call) }
    /// The role ``StackRole/redirects``.
    public var stackRole: StackRole { .redirects }
}

extension StageName {
    /// The redirects.
    public static let redirects = StageName("redirects", .call)
}
#endif
