#if SQLite
import Foundation

/// The files of a store as they were when it was opened, by device and inode.
///
/// A file that is deleted or replaced stays open: everything that is written then succeeds, and is lost when the process
/// ends.
struct FileIdentity: Sendable {
    private struct Entry: Sendable, Equatable {
        let device: UInt64
        let inode: UInt64

        /// Returns the entry at a path; `nil` if there is no file.
        init?(_ path: String) {
            var values = stat()
            guard stat(path, &values) == 0 else { return nil }
            device = UInt64(truncatingIfNeeded: values.st_dev)
            inode = UInt64(truncatingIfNeeded: values.st_ino)
        }
    }

    private let entries: [(path: String, entry: Entry)]

    /// Remembers the files that are there now: the database, its log, and the log's index.
    init(path: String) {
        entries = ["", "-wal", "-shm"].compactMap { suffix in
            Entry(path + suffix).map { (path + suffix, $0) }
        }
    }

    /// Checks that each path still leads to the same file.
    ///
    /// - Throws: ``SluiceRuns/StoreError/Kind/moved(reason:)`` for one that does not.
    func check() throws {
        for (path, entry) in entries {
            let now = Entry(path)
            if now == entry { continue }
            let name = URL(fileURLWithPath: path).lastPathComponent
            throw StoreError(.moved(reason: now == nil ? "\(name) was deleted or moved" : "\(name) was replaced"))
        }
    }
}
#endif
