#if HTTP
import Foundation
import SluiceJSON
import SluiceRuns

/// The identity of a follower, which its store keeps: the same member after a restart is no second one to the hub.
///
/// The store has one group, whose name is the identity as JSON, and the streams of the follower with their runs.
struct FollowerIdentity: Codable, Equatable {
    let hub: String
    let group: String
    let member: String

    /// Returns the id of the member from the store, and creates and stores one if it is missing.
    ///
    /// - Throws: ``GroupFollowerError`` for a store that can't be used.
    static func open<C>(for follower: GroupFollower<C>) async throws -> String {
        let address = follower.hub.url.absoluteString
        let hub = address.hasSuffix("/") ? String(address.dropLast()) : address
        let own = FollowerIdentity(hub: hub, group: follower.group, member: follower.member ?? UUID().uuidString)
        guard let store = follower.settings.store else { return own.member }
        let stored = try await store.groups()
        if let name = stored.first?.name {
            guard stored.count == 1, let known = try? SluiceJSONDecoder().decode(Self.self, from: Array(name.utf8))
            else {
                throw GroupFollowerError(.foreignStore)
            }
            guard (known.hub, known.group) == (own.hub, own.group) else {
                throw GroupFollowerError(.otherGroup(hub: known.hub, group: known.group))
            }
            return known.member
        }
        guard try await store.list().isEmpty else { throw GroupFollowerError(.foreignStore) }
        try await store.createGroup(String(decoding: SluiceJSONEncoder().bytes(own), as: UTF8.self))
        return own.member
    }
}

/// The reason why a follower can't begin.
public struct GroupFollowerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of the reason.
    public enum Kind: Sendable, Hashable {
        /// The store is that of a follower of another group.
        case otherGroup(hub: String, group: String)
        /// The store is not that of a follower.
        case foreignStore
    }

    /// The kind of the reason.
    public let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    /// The reason, and what to do.
    public var description: String {
        switch kind {
        case .otherGroup(let hub, let group):
            "the store belongs to a follower of the group \(JSON.string(group)) of \(hub): choose another store"
        case .foreignStore: "the store has streams that are not a follower's: choose another store"
        }
    }
}
#endif
