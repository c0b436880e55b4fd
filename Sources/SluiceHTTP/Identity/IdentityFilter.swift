public import Sluice
public import SluiceFilters

/// Tells the cache and the single flight inside whose request it is, where no header field does.
///
/// ```swift
/// let user = "ada"
/// let node = IdentityFilter { _ in user }
///     .andThen(CacheFilter(HTTPCache()))
///     .andThen(SignatureFilter(identity: { _ in user }) { request in [.authorization: "HMAC …"] })
///     .andThen(HTTPTransport())
/// ```
///
/// In a chain, a ``SignatureFilter`` with an identity brings this filter along.
public struct IdentityFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let identities: [@Sendable (TransportRequest) -> String?]

    /// Makes a filter.
    ///
    /// - Parameter identity: called once for each request, where the caller runs: the user, or `nil` for nobody.
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

    /// `IdentityFilter`.
    public var description: String { "IdentityFilter" }
}

extension IdentityFilter: ChainStage {
    /// Per hop.
    public var declaration: StageDeclaration { StageDeclaration(.hop, adds: .unknown) }
    /// ``StackRole/credentials``.
    public var stackRole: StackRole { .credentials }
}
