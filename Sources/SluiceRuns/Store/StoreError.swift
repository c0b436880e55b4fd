/// An error of a store.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors.
    public enum Kind: Sendable, Hashable {
        /// The stream is not at the revision that the author has read; `current` is `nil` if it was removed.
        case conflict(id: String, expected: Int, current: StoredStream?)
        /// A stream with this id exists already.
        case taken(id: String)
        /// The stream does not exist.
        case missing(id: String)
        /// The group does not exist.
        case missingGroup(name: String)
        /// The run is not the stored one, whose number is `current`.
        case staleRun(stream: String, run: Int, current: Int?)
        /// Outputs of the run are missing before the first output to store.
        case outputGap(stream: String, run: Int, expected: Int, given: Int)
        /// The text of the stream is not a JSON object.
        case notJSON(id: String, reason: String)
        /// The store of a hub has documents that are not copies of those that hubs share.
        case unshared(ids: [String])
        /// The disk is full.
        case full
        /// The file, or its folder, can be read but not written.
        case readOnly
        /// Another process holds the file.
        case busy
        /// The file is not a Sluice store.
        case foreign(reason: String)
        /// The file was written by a newer Sluice.
        case newer(schema: Int, known: Int)
        /// The file was deleted, moved, or replaced while it was open.
        case moved(reason: String)
        /// The contents of the file are inconsistent.
        case damaged(reason: String)
        /// The file can't be opened, read, or written.
        case unavailable(reason: String)
    }

    /// The kind of the error.
    public let kind: Kind
    /// The path of the file, if the file is the cause.
    public let path: String?

    /// Makes an error.
    public init(_ kind: Kind, path: String? = nil) {
        self.kind = kind
        self.path = path
    }

    /// A text that says what is wrong and what to do. It begins with the path if the file is the cause.
    public var description: String { path.map { "\($0): \(reason)" } ?? reason }

    /// A text that says what is wrong and what to do, without the path.
    public var reason: String {
        switch kind {
        case .conflict(let id, let expected, let current?):
            "stream \(quoted(id)) is at revision \(current.revision), not \(expected): read it again and repeat the edit"
        case .conflict(let id, let expected, nil):
            "stream \(quoted(id)) was removed after revision \(expected): create it again to keep the edit"
        case .taken(let id):
            "stream \(quoted(id)) already exists: replace it, or choose another id"
        case .missing(let id): "there is no stream \(quoted(id))"
        case .missingGroup(let name): "there is no group \(quoted(name)): create it first"
        case .staleRun(let stream, let run, let current?):
            "stream \(quoted(stream)) is at run \(current): run \(run) can't replace it"
        case .staleRun(let stream, let run, nil):
            "stream \(quoted(stream)) has no run: store run \(run) as a new one"
        case .outputGap(let stream, let run, let expected, let given):
            "run \(run) of stream \(quoted(stream)): store output \(expected) before output \(given)"
        case .notJSON(let id, let reason):
            "the text of stream \(quoted(id)) is not a JSON object (\(reason)): replace or remove it first"
        case .unshared(let ids):
            "has streams that the hubs do not share, or not at these revisions: "
                + ids.prefix(5).map { quoted($0) }.joined(separator: ", ")
                + (ids.count > 5 ? " and \(ids.count - 5) more" : "")
                + ": give them to the others (sluice migrate), or choose another file"
        case .full: "the disk is full: make room, and write again"
        case .readOnly: "is read-only: allow writing to the file and its folder"
        case .busy: "is locked by another process: end that process, or try again"
        case .foreign(let reason): "is not a Sluice store (\(reason)): choose another file"
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

    /// Returns the text in quotes, shortened for people.
    private func quoted(_ text: String) -> String { "'\(text.prefix(100))\(text.count > 100 ? "…" : "")'" }
}
