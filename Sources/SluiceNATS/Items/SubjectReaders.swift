#if NATS
import Sluice
import SluiceJSON
import SluiceStreams

/// The readers of subjects of a worker: partitions of one division of a stream share one.
final class SubjectReaders: Sendable {
    /// Everything that the answers of a reader depend on.
    struct Key: Hashable {
        let stream: String
        /// The arguments of the source.
        let arguments: JSON
        let division: StreamPartition
        /// The values of parameters that the expression of the keys names.
        let parameters: [String: JSON]?
    }

    private struct Entry {
        let reader: SubjectReader
        var users = 1
    }

    private let entries = Locked<[Key: Entry]>([:])

    /// Returns the reader of a key, which the caller releases when it reads no more.
    func acquire(_ key: Key, _ make: () -> SubjectReader) -> SubjectReader {
        entries.withLock { entries in
            if entries[key] == nil { entries[key] = Entry(reader: make(), users: 0) }
            entries[key]?.users += 1
            return entries[key]?.reader ?? make()
        }
    }

    /// Releases a reader. It ends when nobody uses it.
    func release(_ key: Key) {
        let reader = entries.withLock { entries -> SubjectReader? in
            guard let entry = entries[key] else { return nil }
            entries[key]?.users = entry.users - 1
            if entry.users > 1 { return nil }
            entries[key] = nil
            return entry.reader
        }
        if let reader { Task { await reader.stop() } }
    }
}
#endif
