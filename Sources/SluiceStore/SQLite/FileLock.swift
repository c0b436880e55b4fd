import Foundation

/// A file that one process at a time has to itself, as long as this lives and the process does.
///
/// The lock is on a file beside the database: closing a second descriptor of the database itself would take away the
/// locks that SQLite has on it.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// `nil` when the file cannot be made: where nothing can be written, nothing is to be kept from others.
    ///
    /// - Throws: ``StoreError/Kind/busy`` when another has it.
    init?(path: String) throws {
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw StoreError(.busy)
        }
        // Last: with it set, `deinit` closes it, also where this throws.
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
