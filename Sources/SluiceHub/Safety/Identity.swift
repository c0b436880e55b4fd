#if Hub
import HTTPTypes

/// The sender of a request, as the hub knows it by its token.
struct Identity: Sendable, Hashable {
    /// The name of the token; `nil` for the hub's own token, and on a hub without tokens.
    var name: String?
    var role: Role
    /// The id of the session that the request belongs to; `nil` for a request with a token.
    var session: String?

    /// The identity of every request to a hub without tokens, and of the hub's own token.
    static let owner = Identity(name: nil, role: .admin)

    /// Refuses a request that needs more rights.
    ///
    /// - Throws: ``Problem``: 403.
    func require(_ role: Role) throws(Problem) {
        guard self.role < role else { return }
        let token = name.map { "the token '\($0)'" } ?? "this token"
        throw Problem(.forbidden, "\(token) has the role '\(self.role.rawValue)', and this needs '\(role.rawValue)'")
    }
}
#endif
