#if Command
import Foundation
import Sluice
import SluiceStore

/// The store of `sluice follow`.
enum FollowerStore {
    /// Returns the path of the store when the command names none: each hub, group, and name has one.
    static func path(hub: String, group: String, name: String?) -> String {
        let hub = hub.hasSuffix("/") ? String(hub.dropLast()) : hub
        let parts = [hub, group, name].compactMap { $0 }
        var names = DocumentFileNames()
        let title = names.name(for: parts.joined(separator: " ")).replacing(".json", with: "")
        // Titles are shortened and without punctuation: the hash tells apart those that are then equal.
        let hash = FNV1a(parts.joined(separator: "\0")).value
        return UserFolder.data.path + "/sluice/follow/\(title)-\(String(hash, radix: 16)).sqlite"
    }

    /// Opens a store, which no other process may use meanwhile.
    ///
    /// - Throws: `Failure` when another process uses it, or it can't be opened and written.
    static func open(_ path: String) throws -> SQLiteStreamStore {
        do {
            let store = try SQLiteStreamStore(path: path, isExclusive: true)
            if store.isReadOnly { throw StoreError(.readOnly, path: path) }
            return store
        } catch let error as StoreError {
            var message = "\(path): error: \(error.reason)"
            if case .busy = error.kind {
                message = """
                    \(path): error: another process runs streams from this store
                      hint: end that, or give this member another --name or --store
                    """
            }
            throw Failure(code: .usage, message: message)
        }
    }
}
#endif
