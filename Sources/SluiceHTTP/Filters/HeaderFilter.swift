public import HTTPTypes
public import Sluice

/// Adds header fields to requests.
///
/// ```swift
/// let node = HeaderFilter([.userAgent: "app/1"])
///     .andThen(HeaderFilter { request in [.acceptLanguage: "en"] })
///     .andThen(HTTPTransport())
/// ```
///
/// Names are compared without regard to case. Where filter and request both have a field, constant fields give way to
/// the request's own unless they are to replace them; those of a provider win. Of a field that wins, every line of the
/// other goes.
public struct HeaderFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private enum Source {
        case constant(HTTPFields)
        case provider(any HeaderProvider)
    }
    private let source: Source
    private let replaces: Bool

    /// Adds the same fields to every request.
    ///
    /// - Parameter replaces: whether they win over fields of the request that have the same name; by default these win.
    public init(_ fields: HTTPFields, replaces: Bool = false) {
        source = .constant(fields)
        self.replaces = replaces
    }

    /// Adds what a provider gives, asked for each try.
    ///
    /// - Parameter replaces: whether its fields win over fields of the request that have the same name, the default.
    public init(_ provider: some HeaderProvider, replaces: Bool = true) {
        source = .provider(provider)
        self.replaces = replaces
    }

    /// Adds what a closure gives, asked for each try.
    ///
    /// - Parameters:
    ///   - replaces: whether its fields win over fields of the request that have the same name, the default.
    ///   - fields: called where the caller runs; what it throws is the error of the call.
    public init(
        replaces: Bool = true,
        _ fields: @escaping @Sendable (TransportRequest) async throws -> HTTPFields
    ) {
        self.init(ClosureProvider(fields: fields), replaces: replaces)
    }

    private struct ClosureProvider: HeaderProvider {
        let fields: @Sendable (TransportRequest) async throws -> HTTPFields

        func headers(for request: TransportRequest) async throws -> HTTPFields { try await fields(request) }
    }

    /// Calls `next` with the fields added.
    ///
    /// - Throws: the error of the provider, and then `next` is not called; the error of `next`.
    /// - Cancellation: cancels the one that runs.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        let fields: HTTPFields
        switch source {
        case .constant(let constant): fields = constant
        case .provider(let provider): fields = try await provider.headers(for: request)
        }
        var request = request
        request.headers.merge(fields, replacing: replaces)
        return try await next.process(request)
    }

    /// `HeaderFilter`.
    public var description: String { "HeaderFilter" }
}

extension HTTPFields {
    /// Adds fields; those that are there in another's name go or stay as a whole.
    mutating func merge(_ fields: HTTPFields, replacing: Bool) {
        if !replacing { return append(contentsOf: fields.filter { !contains($0.name) }) }
        for field in fields where contains(field.name) { self[field.name] = nil }
        append(contentsOf: fields)
    }

    /// Takes out fields by their name.
    mutating func removeAll(where isOut: (HTTPField.Name) -> Bool) {
        self = HTTPFields(filter { !isOut($0.name) })
    }
}
