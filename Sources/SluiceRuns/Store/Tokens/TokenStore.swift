/// A store that also keeps the tokens of a hub's users.
///
/// ```swift
/// let store = MemoryStreamStore()
/// try await store.addToken(StoredToken(name: "ada", role: "edit", hash: "…", created: Date()))
/// let names = try await store.tokens().map(\.name)  // ["ada"]
/// ```
///
/// Every method is one transaction and throws ``StoreError``.
public protocol TokenStore: Sendable {
    /// Returns all tokens, in the order in which they were added.
    func tokens() async throws -> [StoredToken]

    /// Adds a token.
    ///
    /// - Throws: ``StoreError/Kind/taken(id:)`` when there is one of its name.
    func addToken(_ token: StoredToken) async throws

    /// Removes a token; nothing happens where it is not there.
    func removeToken(_ name: String) async throws
}
