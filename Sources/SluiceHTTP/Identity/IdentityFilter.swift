#if HTTP
public import Sluice
public import SluiceFilters

/// A filter that identifies the user of a request for the inner cache and single flight, if no header field does.
///
/// ```swift
/// let user = "ada"
/// let node = IdentityFilter { _ in user }
///     .andThen(CacheFilter(HTTPCache()))
///     .andThen(SignatureFilter(identity: { _ in user }) { request in [.authorization: "HMAC …"] })
///     .andThen(HTTPTransport())
/// ```
///
/// In a chain, a ``SignatureFilter`` with an identity adds this filter.
public struct IdentityFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let identities: [@Sendable (TransportRequest) -> String?]

    /// Makes a filter.
    ///
    /// - Parameter identity: a closure that returns the user, or `nil` for an anonymous request; called once for each
    ///   request, on the caller's executor.
    public init(_ identity: @escaping @Sendable (TransportRequest) -> String?) { identities = [identity] }

    init(_ identities: [@Sendable (TransportRequest) -> String?]) { self.identities = identities }

    /// Calls `next` with the identity noted.
    ///
    /// - Throws: the error of `next`.
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        var request = request
        let found = identities.compactMap { $0(request) }.map { "identity: \($0)" }
        if !found.isEmpty { request.note { $0.identity += found } }
        return try await next.process(request)
    }

    /// The description `IdentityFilter`.
    public var description: String { "IdentityFilter" }
}

extension IdentityFilter: ChainStage {
    /// The declaration: per hop.
    public var declaration: StageDeclaration { StageDeclaration(.hop, adds: .unknown) }
    /// The role ``StackRole/credentials``.
    public var stackRole: StackRole { .credentials }
}

extension StageName {
    /// The user identity for a signature, added by the stage that declares it.
    public static let identity = StageName("identity", .hop)
}
#endif
