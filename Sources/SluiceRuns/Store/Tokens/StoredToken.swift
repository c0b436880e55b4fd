public import Foundation

/// A token that a hub has given out: its name and rights, and the hash of its text. The text itself is not stored.
public struct StoredToken: Sendable, Hashable {
    /// The name, which is the author in the history.
    public let name: String
    /// The name of its role.
    public let role: String
    /// The SHA-256 of the token, in hexadecimal.
    public let hash: String
    /// The time at which it was created.
    public let created: Date

    /// Makes an entry.
    public init(name: String, role: String, hash: String, created: Date) {
        self.name = name
        self.role = role
        self.hash = hash
        self.created = created.stored
    }
}
