#if HTTP
/// A builder of chains whose models are plain `Codable` types.
///
/// ```swift
/// struct Ship: Codable, Sendable {
///     var name: String
/// }
/// let rename: RequestChain<Ship, Ship> = URLChainBuilder<String>()
///     .route(.put, "https://api.example.com/ships/1").build()
/// ```
///
/// ``URLChainBuilder`` conforms to it. `build()` of this protocol is chosen only for models of which neither is a
/// ``DTOEncodable`` or ``DTODecodable``: those have chains of their own.
public protocol CodableChainBuilder: Sendable {
    /// Returns a chain from a `Codable` model to another.
    func build<Request: Encodable & Sendable, Response: Decodable & Sendable>(
        from request: Request.Type,
        to response: Response.Type
    ) -> RequestChain<Request, Response>
}

extension CodableChainBuilder {
    /// Returns a chain from a `Codable` model to another.
    @_disfavoredOverload
    public func build<Request: Encodable & Sendable, Response: Decodable & Sendable>() -> RequestChain<
        Request, Response
    > {
        build(from: Request.self, to: Response.self)
    }
}
#endif
