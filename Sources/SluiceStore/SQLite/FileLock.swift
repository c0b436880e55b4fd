#if SQLite
import Foundation
import SluiceRuns

/// A file that is locked by one process at a time, as long as this object lives.
///
/// The lock is on a file beside the database: closing a second descriptor of the database itself would take away the
/// locks that SQLite has on it.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// `nil` if the file can't be created: where nothing can be written, there is nothing to lock.
    ///
    /// - Parameter patience: the longest time to block while another process has the lock; it may be ending, or a child
    ///   of it may not have closed its files yet.
    /// - Throws: ``SluiceRuns/StoreError/Kind/busy`` when another process still has it then.
    init?(path: String, patience: Duration) throws {
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        let end = ContinuousClock.now + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard ContinuousClock.now < end else {
                close(descriptor)
                throw StoreError(.busy)
            }
            usleep(10_000)
        }
        // Last: with it set, `deinit` closes it, also where this throws.
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
#endif
