#if SQLite
import GRDB

/// The statements for tokens.
extension Database {
    func tokens() throws -> [StoredToken] {
        try rows("SELECT name, role, hash, created FROM token ORDER BY number") {
            StoredToken(name: try $0.text(0), role: try $0.text(1), hash: try $0.text(2), created: try $0.date(3))
        }
    }

    func addToken(_ token: StoredToken) throws {
        let isTaken = try !rows("SELECT 1 FROM token WHERE name = ?", [token.name]) { _ in true }.isEmpty
        if isTaken { throw StoreError(.taken(id: token.name)) }
        try run(
            "INSERT INTO token (name, role, hash, created) VALUES (?, ?, ?, ?)",
            [token.name, token.role, token.hash, token.created.milliseconds]
        )
    }

    func removeToken(_ name: String) throws { try run("DELETE FROM token WHERE name = ?", [name]) }
}
#endif
