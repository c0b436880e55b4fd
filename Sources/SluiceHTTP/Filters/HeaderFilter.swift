#if HTTP
public import HTTPTypes
public import Sluice
public import SluiceFilters

/// A filter that adds header fields to requests.
///
/// ```swift
/// let node = HeaderFilter([.userAgent: "app/1"])
///     .andThen(HeaderFilter(purpose: .answer) { request in [.acceptLanguage: "en"] })
///     .andThen(HTTPTransport())
/// ```
///
/// Names are case-insensitive. If the filter and the request both have a field, constant fields yield to the request's
/// own unless they are set to replace them; those of a provider replace the request's. A replaced field loses all of
/// its lines.
///
/// Fields of a provider, and constant credentials (Authorization, Proxy-Authorization, Cookie, X-API-Key), are added
/// only to requests to the origin of the call's first request, unless ``FieldOrigins`` say otherwise. Other constant
/// fields are added for every origin.
public struct HeaderFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private enum Source {
        case constant(HTTPFields)
        case provider(any HeaderProvider)
    }
    private let source: Source
    private let replaces: Bool
    private let origins: FieldOrigins?
    /// The purpose of the fields; it decides the position of the filter in a chain.
    public let purpose: FieldPurpose

    /// Makes a filter that adds the same fields to every request.
    ///
    /// - Parameters:
    ///   - fields: The header fields.
    ///   - replaces: whether they replace fields of the request that have the same name; by default the request's stay.
    ///   - origins: the origins that the fields are for; `nil`, the default, is the first origin for credentials and
    ///     any origin for other fields.
    public init(_ fields: HTTPFields, replaces: Bool = false, origins: FieldOrigins? = nil) {
        source = .constant(fields)
        self.replaces = replaces
        self.origins = origins
        purpose = fields.contains { $0.name.isCredential } ? .user : .answer
    }

    /// Makes a filter that adds the fields of a provider, which is called for each request that passes.
    ///
    /// - Parameters:
    ///   - provider: A closure that returns the header fields.
    ///   - replaces: whether its fields replace fields of the request that have the same name; `true` by
    ///     default.
    public init(_ provider: some HeaderProvider, replaces: Bool = true) {
        source = .provider(provider)
        self.replaces = replaces
        origins = provider.origins
        purpose = provider.purpose
    }

    /// Makes a filter that adds the fields that a closure returns for each request that passes.
    ///
    /// - Parameters:
    ///   - purpose: the purpose of the fields; it decides whether a chain requests them once per hop or once per
    ///     attempt.
    ///   - replaces: whether its fields replace fields of the request that have the same name; `true` by default.
    ///   - origins: the origins that the fields are for; that of the call's first request by default.
    ///   - fields: a closure that returns the fields; called for each request, on the caller's executor. Its error is
    ///     the error of the call.
    public init(
        purpose: FieldPurpose = .user,
        replaces: Bool = true,
        origins: FieldOrigins = .first,
        _ fields: @escaping @Sendable (TransportRequest) async throws -> HTTPFields
    ) {
        self.init(ClosureProvider(purpose: purpose, origins: origins, fields: fields), replaces: replaces)
    }

    private struct ClosureProvider: HeaderProvider {
        let purpose: FieldPurpose
        let origins: FieldOrigins
        let fields: @Sendable (TransportRequest) async throws -> HTTPFields

        func headers(for request: TransportRequest) async throws -> HTTPFields { try await fields(request) }
    }

    /// Calls `next` with the fields added.
    ///
    /// - Throws: the error of the provider, without a call of `next`; the error of `next`.
    /// - Cancellation: cancels the provider or `next`.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        let request = try await adding(to: request)
        var response = try await next.process(request)
        response.noteSent(request)
        return response
    }

    /// Returns the request with the fields added.
    nonisolated(nonsending) func adding(to request: TransportRequest) async throws -> TransportRequest {
        var request = request
        switch source {
        case .constant(let fields):
            if let origins {
                guard origins.includes(request) else { return request }
                request.add(fields, replacing: replaces, isCredential: purpose == .user)
            } else if purpose == .user, !FieldOrigins.first.includes(request) {
                request.headers.merge(HTTPFields(fields.filter { !$0.name.isCredential }), replacing: replaces)
            } else {
                request.headers.merge(fields, replacing: replaces)
            }
        case .provider(let provider):
            guard origins?.includes(request) != false else { return request }
            let fields = try await provider.headers(for: request)
            request.add(fields, replacing: replaces, isCredential: purpose == .user)
        }
        return request
    }

    /// The description `HeaderFilter`.
    public var description: String { "HeaderFilter" }
}

extension HeaderFilter: ChainStage {
    /// The declaration: per hop, or per attempt if that is the purpose; adds the fields.
    public var declaration: StageDeclaration {
        switch source {
        case .constant(let fields) where purpose != .user:
            // Fields that are the same in every request make no difference between answers.
            StageDeclaration(adds: .named(Set(fields.map(\.name))))
        case .constant(let fields): StageDeclaration(.hop, adds: .named(Set(fields.map(\.name))))
        case .provider: StageDeclaration(purpose == .attempt ? .attempt : .hop, adds: .unknown)
        }
    }

    /// The role of the fields; for constant fields that don't identify the user, ``StackRole/other``.
    public var stackRole: StackRole {
        switch (source, purpose) {
        case (_, .user): .credentials
        case (.constant, _): .other
        case (.provider, .answer): .answerFields
        case (.provider, .attempt): .attemptFields
        }
    }
}

extension TransportRequest {
    /// Adds fields of a stage, and notes them.
    mutating func add(_ fields: HTTPFields, replacing: Bool, isCredential: Bool) {
        let names = replacing ? fields.map(\.name) : fields.map(\.name).filter { !headers.contains($0) }
        headers.merge(fields, replacing: replacing)
        noteAdded(names, isCredential: isCredential)
    }
}

extension HTTPFields {
    /// Adds fields; if a name already exists, either its old lines stay or its new ones.
    mutating func merge(_ fields: HTTPFields, replacing: Bool) {
        if !replacing { return append(contentsOf: fields.filter { !contains($0.name) }) }
        for field in fields where contains(field.name) { self[field.name] = nil }
        append(contentsOf: fields)
    }

    /// Removes fields by their name.
    mutating func removeAll(where isOut: (HTTPField.Name) -> Bool) {
        self = HTTPFields(filter { !isOut($0.name) })
    }
}
#endif
