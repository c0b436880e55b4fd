import Foundation
import SluiceRuns

/// A file that one process at a time has to itself, as long as this lives and the process does.
///
/// The lock is on a file beside the database: closing a second descriptor of the database itself would take away the
/// locks that SQLite has on it.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// `nil` when the file cannot be made: where nothing can be written, nothing is to be kept from others.
    ///
    /// - Parameter patience: how long to block while another has it: one that ends, or a child of its that is being
    ///   started and has not closed its files yet.
    /// - Throws: ``StoreError/Kind/busy`` when another still has it then.
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
