#if HTTP
public import HTTPTypes
public import Sluice
public import SluiceFilters

/// A filter that signs each attempt of a request by adding the fields that a closure computes from it.
///
/// ```swift
/// let node = RetryFilter.http()
///     .andThen(SignatureFilter(identity: { _ in "key-1" }) { request in
///         let signature = String(request.method.rawValue.reversed())  // in place of the HMAC of your service
///         return [.authorization: "HMAC key-1:" + signature]
///     })
///     .andThen(HTTPTransport())
/// ```
///
/// A signature differs for each attempt, so the filter is inside the retry, where a cache and a single flight can't see
/// the user of the request. `identity` identifies the user for them; a chain with a cache or a single flight refuses a
/// signature without it.
public struct SignatureFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let origins: FieldOrigins
    private let signs: Set<HTTPField.Name>
    private let identity: (@Sendable (TransportRequest) -> String?)?
    private let sign: @Sendable (TransportRequest) async throws -> HTTPFields

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - origins: the origins that signatures are for; that of the call's first request by default.
    ///   - fields: the fields that are signed; stages that add them are outside this one in a chain.
    ///   - identity: a closure that returns the signer, which is the same for all attempts of a call: an account, or
    ///     the ID of a key. Called once per hop.
    ///   - sign: a closure that returns the fields to add, which replace those with the same name; called once per
    ///     attempt, on the caller's executor. Its error is the error of the call.
    public init(
        origins: FieldOrigins = .first,
        signing fields: Set<HTTPField.Name> = [],
        identity: (@Sendable (TransportRequest) -> String?)? = nil,
        _ sign: @escaping @Sendable (TransportRequest) async throws -> HTTPFields
    ) {
        self.origins = origins
        signs = fields
        self.identity = identity
        self.sign = sign
    }

    /// Calls `next` with the signature.
    ///
    /// - Throws: the error of `sign`, without a call of `next`; the error of `next`.
    /// - Cancellation: cancels `sign` or `next`.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        guard origins.includes(request) else { return try await next.process(request) }
        var signed = request
        let fields = try await sign(request)
        signed.add(fields, replacing: true, isCredential: true)
        if signed.box?.notes.deadlineForm != nil { signed.note { $0.deadlineForm = nil } }
        if identity != nil { signed.note { $0.vouched += fields.map(\.name) } }
        var response = try await next.process(signed)
        response.noteSent(signed)
        return response
    }

    /// The description `SignatureFilter`.
    public var description: String { "SignatureFilter" }
}

extension SignatureFilter: ChainStage {
    /// The declaration: per attempt, inside the stages that add the signed fields.
    public var declaration: StageDeclaration {
        var declaration = StageDeclaration(.attempt, adds: .unknown, needs: signs.isEmpty ? .none : .named(signs))
        if let identity {
            declaration.identity = { [origins] request in origins.includes(request) ? identity(request) : nil }
        }
        return declaration
    }
    /// The role ``StackRole/signature(hasIdentity:)``.
    public var stackRole: StackRole { .signature(hasIdentity: identity != nil) }
}

extension StageName {
    /// The signature of the request.
    public static let signature = StageName("signature", .attempt)
}
#endif
