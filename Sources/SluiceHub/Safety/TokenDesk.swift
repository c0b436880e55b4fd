#if Hub
import Foundation
import HTTPTypes
import SluiceHTTP
import SluiceStore

/// Creates and revokes the tokens of a hub's users.
struct TokenDesk: Sendable {
    private let store: any StreamStore
    private let access: Access
    private let clock: @Sendable () -> Date

    /// The most tokens of one hub.
    static let limit = 1000

    init(store: any StreamStore, access: Access, clock: @escaping @Sendable () -> Date) {
        self.store = store
        self.access = access
        self.clock = clock
    }

    /// Returns all tokens, without their texts.
    func list() async throws -> [StoredToken] { try await tokenStore?.tokens() ?? [] }

    /// Creates a token, and returns its text, which is not kept.
    ///
    /// - Throws: ``Problem``: 422 for a name or role that is not valid, 409 for a name that is taken, and on a hub without
    ///   a token of its own, where everybody has all rights; 507 where there are too many.
    func create(name: String, role: Role) async throws -> (token: StoredToken, text: String) {
        guard access.hasOwnToken else {
            let text =
                "this hub was started without a token, so that everybody has all rights: start it with --token first"
            throw Problem(.conflict, text)
        }
        guard Self.isName(name) else {
            throw Problem(
                .unprocessableContent,
                "the name of a token has 1 to 100 characters: ASCII letters, digits, '.', '_', '-', '+', and '@'"
            )
        }
        guard let tokenStore else { throw Problem(.conflict, "the store of this hub keeps no tokens") }
        guard try await tokenStore.tokens().count < Self.limit else {
            throw Problem(.insufficientStorage, "this hub has \(Self.limit) tokens, the most that it may: revoke some")
        }
        let text = RandomToken.make()
        let hash = Self.hexadecimal(SHA256.hash(Array(text.utf8)))
        let token = StoredToken(name: name, role: role.rawValue, hash: hash, created: clock())
        do { try await tokenStore.addToken(token) } catch let error as StoreError {
            guard case .taken = error.kind else { throw error }
            throw Problem(.conflict, "there is a token '\(name)' already: revoke it first, or choose another name")
        }
        try await load()
        return (token, text)
    }

    /// Revokes a token, and ends its sessions.
    ///
    /// - Throws: ``Problem``: 404 if no token has that name.
    func revoke(_ name: String) async throws {
        guard let tokenStore, try await tokenStore.tokens().contains(where: { $0.name == name }) else {
            throw Problem(.notFound, "there is no token '\(Problem.shown(name))'")
        }
        try await tokenStore.removeToken(name)
        try await load()
    }

    /// Reads the tokens of the store, so that they are valid from now on and others are not.
    func load() async throws {
        guard let tokenStore else { return }
        // A later read knows everything that an earlier one does: the latest wins, in whatever order they end.
        let number = access.beginReading()
        let tokens = try await tokenStore.tokens().compactMap { token in
            Role(rawValue: token.role).flatMap { role in
                Self.bytes(token.hash).map { Access.NamedToken(name: token.name, role: role, hash: $0) }
            }
        }
        access.replaceTokens(tokens, reading: number)
    }

    private var tokenStore: (any TokenStore)? { store as? any TokenStore }

    static func isName(_ name: String) -> Bool {
        (1...100).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "._-+@".utf8.contains(byte)
                }
            }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8]? {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        guard digits.count == 64, hexadecimal.count == 64 else { return nil }
        return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
#endif
