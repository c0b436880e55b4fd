#if SQLite
import GRDB
import Sluice
import SluiceRuns

/// Writes that arrive during a transaction are combined in the next one, so that one flush of the disk serves all of
/// them.
///
/// A flush takes most of the time of a small transaction. A single writer does not wait for others.
///
/// Each write returns after its transaction is on the disk. A write that fails on its own is undone alone. If the whole
/// transaction fails, each write is repeated in a transaction of its own, so that one writer's error does not reach
/// others.
final class GroupCommit: Sendable {
    /// A write that waits for its turn.
    private struct Write: Sendable {
        /// Performs the write and returns the closure that resumes its caller.
        let perform: @Sendable (Database) throws -> @Sendable () -> Void
        let fail: @Sendable (any Error) -> Void
    }

    private struct State: Sendable {
        var waiting: [Int: Write] = [:]
        var last = 0
        var isWriting = false
    }

    /// The largest number of writes in one transaction.
    static let largest = 1000

    private let database: any DatabaseWriter
    private let identity: FileIdentity?
    private let log: LogIndex?
    private let state = Locked(State())

    /// - Parameters:
    ///   - identity: the files that have to be there still before and after each transaction.
    ///   - log: the index of the log, which each transaction finds up to date.
    init(_ database: any DatabaseWriter, identity: FileIdentity? = nil, log: LogIndex? = nil) {
        self.database = database
        self.identity = identity
        self.log = log
    }

    /// Performs a write, in the order of the calls, and returns when it is on the disk.
    ///
    /// Canceling the task before the transaction has begun removes the write.
    ///
    /// - Throws: what the write throws; `CancellationError`; the error of the database.
    func write<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        try Task.checkCancellation()
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let write = Write(
                    perform: { database in
                        let result = try body(database)
                        return { continuation.resume(returning: result) }
                    },
                    fail: { continuation.resume(throwing: $0) }
                )
                enqueue(write, id)
                // The handler may have run before the write was added.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// The number of waiting writes.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    private func enqueue(_ write: Write, _ id: Int) {
        let isFirst = state.withLock { state in
            state.waiting[id] = write
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isFirst { database.asyncWriteWithoutTransaction { self.writeAll($0) } }
    }

    private func cancel(_ id: Int) {
        let write = state.withLock { $0.waiting.removeValue(forKey: id) }
        write?.fail(CancellationError())
    }

    /// Performs all waiting writes, on the thread of the database.
    private func writeAll(_ database: Database) {
        while true {
            let writes = next()
            if writes.isEmpty { return }
            write(writes, database)
            // A part of it comes after each transaction, and the rest while no other waits.
            while let log, log.needsUpkeep, upkeep(log, database), waitingCount == 0 {}
        }
    }

    /// Moves a part of the log to the tables, after the writes were acknowledged. Where that fails nothing is lost: it is
    /// tried again later.
    ///
    /// - Returns: A Boolean value that indicates whether it has not failed.
    private func upkeep(_ log: LogIndex, _ database: Database) -> Bool {
        do {
            try database.inTransaction(.immediate) {
                try database.prepare(log)
                try database.upkeep(log)
                return .commit
            }
            log.committed()
            return true
        } catch {
            log.invalidate()
            return false
        }
    }

    private func next() -> [Write] {
        state.withLock { state in
            let ids = state.waiting.keys.sorted().prefix(Self.largest)
            state.isWriting = !ids.isEmpty
            return ids.compactMap { state.waiting.removeValue(forKey: $0) }
        }
    }

    /// - Parameter mayMakeRoom: whether to retry on a full disk after a checkpoint of the log, whose space can be
    ///   reused then.
    private func write(_ writes: [Write], _ database: Database, mayMakeRoom: Bool = true) {
        var ends: [@Sendable () -> Void] = []
        do {
            try identity?.check()
            try database.inTransaction(.immediate) {
                if let log { try database.prepare(log) }
                for write in writes { ends.append(try perform(write, database, isAlone: writes.count == 1)) }
                return .commit
            }
            log?.committed()
            // Checked again: a write to a file that was removed must not be acknowledged.
            try identity?.check()
            for end in ends { end() }
        } catch {
            // A write that was refused has written nothing.
            if !(error is StoreError) { log?.invalidate() }
            if mayMakeRoom, error.isFull, (try? database.checkpoint(.passive)) != nil {
                write(writes, database, mayMakeRoom: false)
            } else if writes.count > 1, !error.concernsAll {
                for write in writes { self.write([write], database, mayMakeRoom: mayMakeRoom) }
            } else {
                for write in writes { write.fail(error) }
            }
        }
    }

    private func perform(_ write: Write, _ database: Database, isAlone: Bool) throws -> @Sendable () -> Void {
        if isAlone { return try write.perform(database) }
        var end: (@Sendable () -> Void)?
        do {
            try database.inSavepoint {
                end = try write.perform(database)
                return .commit
            }
        } catch let error as StoreError {
            return { write.fail(error) }
        }
        return end ?? {}
    }
}

extension Error {
    /// A Boolean value that indicates whether the disk is full.
    fileprivate var isFull: Bool { (self as? DatabaseError)?.resultCode == .SQLITE_FULL }

    /// A Boolean value that indicates whether every other write would fail in the same way now.
    fileprivate var concernsAll: Bool {
        switch (self as? DatabaseError)?.resultCode {
        case nil where (self as? StoreError)?.isMoved == true: true
        case .SQLITE_BUSY?, .SQLITE_READONLY?, .SQLITE_CANTOPEN?, .SQLITE_NOTADB?: true
        default: false
        }
    }
}
#endif
