/// Why a store could not do what it was asked for.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    public enum Kind: Sendable, Hashable {
        /// The stream is at another revision than the author has read; removed where `current` is `nil`.
        case conflict(id: String, expected: Int, current: StoredStream?)
        /// A stream with the id is there already.
        case taken(id: String)
        /// There is no such stream.
        case missing(id: String)
        /// There is no such group.
        case missingGroup(name: String)
        /// The run is not the one that is stored, whose number is `current`.
        case staleRun(stream: String, run: Int, current: Int?)
        /// Outputs of the run are missing before one that was to be stored.
        case outputGap(stream: String, run: Int, expected: Int, given: Int)
        /// The text of the stream is no JSON object.
        case notJSON(id: String, reason: String)
        /// There is no room left on the disk.
        case full
        /// The file, or its folder, can be read and not written.
        case readOnly
        /// Another process holds the file.
        case busy
        /// The file is no store of Sluice.
        case foreign(reason: String)
        /// The file was written by a newer Sluice.
        case newer(schema: Int, known: Int)
        /// The file was deleted, moved, or replaced while it was open.
        case moved(reason: String)
        /// What is in the file contradicts itself.
        case damaged(reason: String)
        /// The file cannot be opened, read or written.
        case unavailable(reason: String)
    }

    /// What went wrong.
    public let kind: Kind
    /// The file, where it is the file that failed.
    public let path: String?

    /// Makes an error.
    public init(_ kind: Kind, path: String? = nil) {
        self.kind = kind
        self.path = path
    }

    /// What went wrong, and what to do; after the file, where it is the file that failed.
    public var description: String { path.map { "\($0): \(reason)" } ?? reason }

    /// What went wrong, and what to do.
    public var reason: String {
        switch kind {
        case .conflict(let id, let expected, let current?):
            "stream \(quoted(id)) is at revision \(current.revision), not \(expected): read it again and repeat the edit"
        case .conflict(let id, let expected, nil):
            "stream \(quoted(id)) was removed after revision \(expected): create it again to keep the edit"
        case .taken(let id):
            "there is a stream \(quoted(id)) already: replace it, or choose another id"
        case .missing(let id): "there is no stream \(quoted(id))"
        case .missingGroup(let name): "there is no group \(quoted(name)): create it first"
        case .staleRun(let stream, let run, let current?):
            "stream \(quoted(stream)) has run \(current): run \(run) is not stored over it"
        case .staleRun(let stream, let run, nil):
            "stream \(quoted(stream)) has no run: run \(run) has to be stored as a new one"
        case .outputGap(let stream, let run, let expected, let given):
            "run \(run) of stream \(quoted(stream)): output \(given) is not stored before output \(expected)"
        case .notJSON(let id, let reason):
            "the text of stream \(quoted(id)) is no JSON object (\(reason)): replace or remove it first"
        case .full: "the disk is full: make room, and write again"
        case .readOnly: "can be read and not written: allow writing to the file and its folder"
        case .busy: "another process holds it: end that, or try again"
        case .foreign(let reason): "is no store of Sluice (\(reason)): choose another file"
        case .newer(let schema, let known):
            "was written by a newer Sluice (schema \(schema), this one knows \(known)): update this one"
        case .moved(let reason):
            "the file \(reason) while it was open, so nothing can be stored: save the streams (GET /export), stop this "
                + "process, put the file back with its -wal and -shm, and start again"
        case .damaged(let reason): "is damaged (\(reason)): take a copy, and recover it with sqlite3's .recover"
        case .unavailable(let reason): reason
        }
    }

    /// A Boolean value that indicates whether the file was deleted, moved, or replaced.
    package var isMoved: Bool { if case .moved = kind { true } else { false } }

    /// The text in quotes, as long as people read.
    private func quoted(_ text: String) -> String { "'\(text.prefix(100))\(text.count > 100 ? "…" : "")'" }
}
