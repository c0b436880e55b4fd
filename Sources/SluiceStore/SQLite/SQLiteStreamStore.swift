#if SQLite
public import Foundation
import GRDB
import Sluice
import SluiceJSON
public import SluiceRuns
public import SluiceStreams

/// A store in one SQLite file.
///
/// ```swift
/// let store = try SQLiteStreamStore(path: "hub.sqlite")
/// try await store.create([StreamDraft(id: "a", name: "A", text: #"{"id": "a", "stream": []}"#)], by: "me")
/// let names = try await store.list().map(\.name)  // ["A"]
/// ```
///
/// Documents are kept as their authors wrote them, so that nothing is lost. When a write returns, its data survives a
/// crash of the process, a crash of the system, and a loss of power. Writes at the same time share one flush of the
/// disk.
///
/// A file, or a folder, that cannot be written is opened for reading: writes throw ``SluiceRuns/StoreError/Kind/readOnly`` then.
///
/// When the file is deleted, moved, or replaced while it is open, every method throws ``SluiceRuns/StoreError/Kind/moved(reason:)``
/// until it is put back. Only the owner of a file that is created here can read it.
public final class SQLiteStreamStore: StreamStore, TokenStore {
    private let path: String?
    let file: SQLiteFile
    private let commits: GroupCommit
    let log: LogIndex
    /// Looks at the files, which may take long on a disk that is far away.
    private let checks = DispatchQueue(label: "SluiceStore.checks")
    /// The number of removals of runs whose outputs are still to be removed, as far as begun; 0 while no task does that.
    private let removals = Locked(0)
    let now: @Sendable () -> Date

    /// Opens a file, creates it if it does not exist, and migrates it to the newest schema. It blocks until that is
    /// done.
    ///
    /// - Parameters:
    ///   - path: the path of the file. While it is open there are two more files beside it, named after it with `-wal`
    ///     and `-shm`. An exclusive store also leaves a `-lock`.
    ///   - isExclusive: whether to refuse a file that another store has opened exclusively, in this process or another.
    ///     It is for processes that run the streams. Other processes may read and write meanwhile.
    ///   - patience: the longest wait for a lock of another process before ``SluiceRuns/StoreError/Kind/busy`` is thrown.
    ///   - now: the wall clock, from which the history has its times.
    /// - Throws: ``SluiceRuns/StoreError`` when the file can't be opened, is not a store, was written by a newer Sluice, or is
    ///   locked by another process.
    public convenience init(
        path: String,
        isExclusive: Bool = false,
        patience: Duration = .seconds(5),
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        try self.init(path: path, isExclusive: isExclusive, patience: patience, log: LogIndex.Limits(), now: now)
    }

    /// Opens a file whose log follows other rules.
    init(
        path: String,
        isExclusive: Bool = false,
        patience: Duration = .seconds(5),
        log limits: LogIndex.Limits,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        self.path = path
        file = try SQLiteFile(path: path, isExclusive: isExclusive, patience: patience)
        let log = LogIndex(limits: limits)
        self.log = log
        commits = GroupCommit(file.database, identity: file.identity, log: log)
        self.now = now
        do {
            try file.database.writeWithoutTransaction { database in
                try database.inTransaction(.deferred) {
                    try database.prepare(log)
                    return .commit
                }
            }
        } catch {
            throw StoreError.from(error, path: path)
        }
    }

    /// A Boolean value that indicates whether the file, or its folder, could not be written when it was opened.
    public var isReadOnly: Bool { file.isReadOnly }

    /// As ``SluiceRuns/StreamStore/list()``.
    public func list() async throws -> [StoredStream] { try await read { try $0.list() } }

    /// As ``SluiceRuns/StreamStore/read(_:)``.
    public func read(_ id: String) async throws -> StoredStream? { try await read { try $0.read(id) } }

    /// As ``SluiceRuns/StreamStore/history(of:)``.
    public func history(of id: String) async throws -> [StreamRevision] { try await read { try $0.history(of: id) } }

    /// As ``SluiceRuns/StreamStore/revision(_:of:)``.
    public func revision(_ number: Int, of id: String) async throws -> StoredStream? {
        try await read { try $0.revision(number, of: id) }
    }

    /// As ``SluiceRuns/StreamStore/create(_:replacing:by:)``.
    @discardableResult
    public func create(_ drafts: [StreamDraft], replacing: Bool, by author: String?) async throws -> [StoredStream] {
        let time = now().stored
        return try await write { try $0.create(drafts, replacing: replacing, by: author, at: time) }
    }

    /// As ``SluiceRuns/StreamStore/replace(with:ifRevision:by:)``.
    @discardableResult
    public func replace(
        with draft: StreamDraft,
        ifRevision revision: Int,
        by author: String?
    ) async throws -> StoredStream {
        let time = now().stored
        return try await write { try $0.replace(with: draft, ifRevision: revision, by: author, at: time) }
    }

    /// As ``SluiceRuns/StreamStore/replace(_:by:)``.
    @discardableResult
    public func replace(_ edits: [StreamEdit], by author: String?) async throws -> [StoredStream] {
        let time = now().stored
        return try await write { try $0.replace(edits, by: author, at: time) }
    }

    /// As ``SluiceRuns/StreamStore/remove(_:ifRevision:by:)``.
    public func remove(_ id: String, ifRevision revision: Int, by author: String?) async throws {
        let time = now().stored
        try await write { [log] in try $0.remove(id, ifRevision: revision, by: author, at: time, log) }
        removeLater()
    }

    /// As ``SluiceRuns/StreamStore/groups()``.
    public func groups() async throws -> [StoredGroup] { try await read { try $0.groups() } }

    /// As ``SluiceRuns/StreamStore/createGroup(_:)``.
    public func createGroup(_ name: String) async throws { try await write { try $0.createGroup(name) } }

    /// As ``SluiceRuns/StreamStore/removeGroup(_:)``.
    public func removeGroup(_ name: String) async throws { try await write { try $0.removeGroup(name) } }

    /// As ``SluiceRuns/StreamStore/assign(_:to:)``.
    public func assign(_ stream: String, to group: String) async throws {
        try await write { try $0.assign(stream, to: group) }
    }

    /// As ``SluiceRuns/StreamStore/unassign(_:from:)``.
    public func unassign(_ stream: String, from group: String) async throws {
        try await write { try $0.unassign(stream, from: group) }
    }

    /// As ``SluiceRuns/StreamStore/runs()``.
    public func runs() async throws -> [StoredRun] {
        let hints = log.hints()
        return try await read { try $0.runs(hints) }
    }

    /// As ``SluiceRuns/StreamStore/run(of:)``.
    public func run(of stream: String) async throws -> StoredRun? {
        let hint = log.hint(stream.key)
        return try await read { try $0.storedRun(of: stream, hint) }
    }

    /// As ``StreamStore/lastRun(of:)``.
    public func lastRun(of stream: String) async throws -> Int { try await read { try $0.lastRun(of: stream) } }

    /// As `StreamStore.commit(_:)`.
    public func commit(_ commit: RunCommit) async throws {
        try await write { [log] in try $0.commit(commit, log) }
    }

    /// As ``SluiceRuns/StreamStore/commit(_:)-([RunCommit])``. All are written in one transaction, unless the disk is nearly full.
    public func commit(_ commits: [RunCommit]) async -> [(any Error)?] {
        do {
            return try await write { [log] in try $0.commit(commits, log) }
        } catch let error as StoreError where error.kind == .full && commits.count > 1 {
            return await commitBySize(commits)
        } catch {
            return commits.map { _ in error }
        }
    }

    /// Stores the commits of each stream in a transaction of its own, the smallest first, as long as there is room: no
    /// stream waits for the room that another needs.
    private func commitBySize(_ commits: [RunCommit]) async -> [(any Error)?] {
        var outcomes: [(any Error)?] = commits.map { _ in StoreError(.full, path: path) }
        let streams = Dictionary(grouping: commits.indices) { commits[$0].stream }.values
        for part in streams.sorted(by: { $0.size(in: commits) < $1.size(in: commits) }) {
            let own = part.map { commits[$0] }
            do {
                let results = try await write { [log] in try $0.commit(own, log) }
                for (index, result) in zip(part, results) { outcomes[index] = result }
            } catch {
                for index in part { outcomes[index] = error }
                break
            }
        }
        return outcomes
    }

    /// As ``SluiceRuns/StreamStore/journal(of:)``.
    public func journal(of stream: String) async throws -> [StreamInput] {
        let hint = log.hint(stream.key)
        return try await read { try $0.journal(of: stream, hint) }
    }

    /// As ``SluiceRuns/StreamStore/outputs(of:run:after:limit:)``.
    public func outputs(
        of stream: String,
        run: Int?,
        after sequence: Int,
        limit: Int
    ) async throws -> [StoredOutput] {
        let hint = log.hint(stream.key)
        return try await read { try $0.outputs(of: stream, run: run, after: sequence, limit: limit, hint) }
    }

    /// As ``SluiceRuns/StreamStore/outputs(of:afterRun:sequence:limit:)``.
    public func outputs(of stream: String, afterRun run: Int, sequence: Int, limit: Int) async throws -> [StoredOutput]
    {
        let hint = log.hint(stream.key)
        return try await read { try $0.outputs(of: stream, afterRun: run, sequence: sequence, limit: limit, hint) }
    }

    /// As ``SluiceRuns/StreamStore/forgetRun(of:)``.
    public func forgetRun(of stream: String) async throws {
        try await write { [log] in try $0.forgetRun(of: stream, log) }
        removeLater()
    }

    /// Removes the outputs of removed runs, a piece at a time, in a task that nobody waits for. What an error leaves is
    /// removed by the next ``trim(_:)``.
    func removeLater() {
        let isFirst = removals.withLock { count in
            count += 1
            return count == 1
        }
        if isFirst { Task(priority: .background) { [weak self] in await self?.removeOutputs() } }
    }

    private func removeOutputs() async {
        var done = 0
        while true {
            let wanted = removals.withLock { count in
                if count == done { count = 0 }
                return count
            }
            if wanted == 0 { return }
            try? await trim(.removed, Retention(), at: now())
            done = wanted
        }
    }

    /// As ``SluiceRuns/StreamStore/trim(_:)``. It removes some rows at a time.
    public func trim(_ retention: Retention) async throws {
        let time = now()
        // The tables have what the log has, so that it can be counted.
        let open = log.open
        for start in stride(from: 0, to: open.count, by: 16) {
            let part = open[start...].prefix(16)
            try await write { [log] in for stream in part { try $0.apply(stream, log) } }
        }
        for trimming in Trimming.allCases { try await trim(trimming, retention, at: time) }
    }

    /// As ``SluiceRuns/StreamStore/trimGrown(_:)``: of the streams whose outputs have grown by a quarter of the largest size.
    public func trimGrown(_ retention: Retention) async throws {
        guard let size = retention.size else { return }
        let time = now()
        for stream in log.takeGrown(by: size / 4) { try await trim(.outputs, retention, at: time, of: stream) }
    }

    private func trim(_ trimming: Trimming, _ retention: Retention, at time: Date) async throws {
        for stream in try await read({ try trimming.streams(retention, at: time, in: $0) }) {
            try await trim(trimming, retention, at: time, of: stream)
        }
    }

    private func trim(_ trimming: Trimming, _ retention: Retention, at time: Date, of stream: Int) async throws {
        var count = trimming.piece
        while count == trimming.piece {
            count = try await write { try trimming.remove(retention, at: time, of: stream, in: $0) }
        }
    }

    /// As ``SluiceRuns/TokenStore/tokens()``.
    public func tokens() async throws -> [StoredToken] { try await read { try $0.tokens() } }

    /// As ``SluiceRuns/TokenStore/addToken(_:)``.
    public func addToken(_ token: StoredToken) async throws { try await write { try $0.addToken(token) } }

    /// As ``SluiceRuns/TokenStore/removeToken(_:)``.
    public func removeToken(_ name: String) async throws { try await write { try $0.removeToken(name) } }

    /// As ``SluiceRuns/StreamStore/check()``.
    public func check() async throws {
        let (identity, path) = (file.identity, path)
        // It waits for no reader: requests that are answered at once look at the files alone.
        try await withCheckedThrowingContinuation { continuation in
            checks.async {
                continuation.resume(
                    with: Result { do { try identity.check() } catch { throw StoreError.from(error, path: path) } }
                )
            }
        }
    }

    func read<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        let identity = file.identity
        do {
            return try await file.database.read { database in
                // A reader that was opened just now may have opened another file.
                try identity.check()
                return try body(database)
            }
        } catch {
            // This error says more than that of a reader that could not be opened.
            if error is DatabaseError { do { try identity.check() } catch { throw StoreError.from(error, path: path) } }
            throw StoreError.from(error, path: path)
        }
    }

    func write<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        do {
            return try await commits.write(body)
        } catch {
            throw StoreError.from(error, path: path)
        }
    }
}

extension [Int] {
    /// Returns the size of what the commits at these indices add, in bytes.
    fileprivate func size(in commits: [RunCommit]) -> Int {
        reduce(0) { size, index in
            let commit = commits[index]
            let inputs = commit.inputs.reduce(0) { $0 + $1.item.description.utf8.count }
            return size + inputs + (commit.checkpoint?.utf8.count ?? 0)
                + commit.outputs.reduce(0) { $0 + $1.text.utf8.count }
        }
    }
}

extension Database {
    /// Stores commits; returns the errors of those that are not stored.
    fileprivate func commit(_ commits: [RunCommit], _ log: LogIndex) throws -> [(any Error)?] {
        var refused: [String: any Error] = [:]
        return try commits.map { next in
            if refused[next.stream] == nil {
                do { try commit(next, log) } catch let error as StoreError { refused[next.stream] = error }
            }
            return refused[next.stream]
        }
    }
}
#endif
