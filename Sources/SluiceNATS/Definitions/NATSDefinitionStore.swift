#if NATS
public import Foundation
import Sluice
public import SluiceRuns

/// A store of documents and groups in a key-value bucket of NATS JetStream, which stores on any number of machines share.
///
/// It follows the rules of `SharedDefinitionStore`. The newest revision of each document is one key, so that an edit is one
/// compare-and-set, whoever makes it; earlier revisions are keys of their own. Several documents that are written together
/// change at one instant for all readers. A document may have about 900 KB: the server's `max_payload` less the rest of a
/// message.
///
/// When the server is away, methods throw `StoreError` of the kind `unavailable` after about three times
/// `NATSSettings.timeout`. A write whose answer was lost is repeated with the same `Nats-Msg-Id`, so that it is carried out
/// once; if it can't be repeated in that time, the error leaves open whether it was.
public final class NATSDefinitionStore: SharedDefinitionStore {
    private let transactions: BucketTransactions
    private let now: @Sendable () -> Date

    /// The connection.
    public var connection: NATSConnection { transactions.bucket.connection }

    private init(_ bucket: NATSBucket, now: @escaping @Sendable () -> Date) {
        (transactions, self.now) = (BucketTransactions(bucket: bucket), now)
    }

    /// Opens a bucket of definitions, which is created if it does not exist.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - bucket: The name of the bucket: letters, digits, `-`, and `_`.
    ///   - replicas: The number of servers that keep a copy of a new bucket.
    ///   - now: A closure that returns the time of revisions.
    /// - Throws: ``NATSError``.
    public static func open(
        on connection: NATSConnection,
        bucket: String = "sluice-definitions",
        replicas: Int = 1,
        now: @escaping @Sendable () -> Date = { Date() }
    ) async throws -> NATSDefinitionStore {
        var settings = NATSBucketSettings(name: bucket)
        settings.replicas = replicas
        // Readers of everything get the values of one instant, while a few writes replace them.
        settings.history = 8
        let bucket = try await connection.perform { [settings] in try $0.bucket(settings) }
        return NATSDefinitionStore(bucket, now: now)
    }

    // MARK: Documents

    /// As `DefinitionStore.list()`.
    public func list() async throws -> [StoredStream] {
        try await perform { try $0.snapshot().documents.compactMap(\.current) }
    }

    /// As `DefinitionStore.read(_:)`.
    public func read(_ id: String) async throws -> StoredStream? { try await perform { try $0.read(id).current } }

    /// As `DefinitionStore.history(of:)`.
    public func history(of id: String) async throws -> [StreamRevision] {
        try await perform { try $0.history(of: id).map(\.line) }
    }

    /// As `DefinitionStore.revision(_:of:)`.
    public func revision(_ number: Int, of id: String) async throws -> StoredStream? {
        try await perform { try $0.revision(number, of: id)?.stored(as: id.key) }
    }

    /// As `DefinitionStore.create(_:replacing:by:)`.
    @discardableResult
    public func create(_ drafts: [StreamDraft], replacing: Bool, by author: String?) async throws -> [StoredStream] {
        let time = now()
        return try await perform { transactions in
            try Self.refuseRepeated(drafts.map(\.id))
            return try transactions.write(drafts.map(\.id), time: time) { place, read in
                let draft = drafts[place]
                if read.current != nil, !replacing { throw StoreError(.taken(id: draft.id)) }
                return draft.revision(read.number + 1, time, author)
            }
        }
    }

    /// As `DefinitionStore.replace(_:by:)`.
    @discardableResult
    public func replace(_ edits: [StreamEdit], by author: String?) async throws -> [StoredStream] {
        let time = now()
        return try await perform { transactions in
            try Self.refuseRepeated(edits.map(\.draft.id))
            return try transactions.write(edits.map(\.draft.id), time: time) { place, read in
                let edit = edits[place]
                try Self.check(read, edit.draft.id, isAt: edit.revision)
                return edit.draft.revision(read.number + 1, time, author)
            }
        }
    }

    /// As `DefinitionStore.remove(_:ifRevision:by:)`.
    public func remove(_ id: String, ifRevision revision: Int, by author: String?) async throws {
        let time = now()
        try await perform { transactions in
            _ = try transactions.write(id) { read in
                try Self.check(read, id, isAt: revision)
                let name = read.current?.name
                return BucketRevision(number: revision + 1, time: time, author: author, name: name, text: nil)
            }
        }
    }

    private static func check(_ read: BucketTransactions.Read, _ id: String, isAt revision: Int) throws(StoreError) {
        guard read.document.revision != nil else { throw StoreError(.missing(id: id)) }
        guard let current = read.current, current.revision == revision else {
            throw StoreError(.conflict(id: id, expected: revision, current: read.current))
        }
    }

    private static func refuseRepeated(_ ids: [String]) throws(StoreError) {
        var seen: Set<String> = []
        for id in ids where !seen.insert(id).inserted { throw StoreError(.taken(id: id)) }
    }

    // MARK: Groups

    /// As `DefinitionStore.groups()`.
    public func groups() async throws -> [StoredGroup] {
        try await perform { transactions in
            let (documents, groups) = try transactions.snapshot()
            let present = documents.lazy.filter { $0.current != nil }.map { ($0.document.id, $0.position) }
            let positions = Dictionary(present) { $1 }
            return groups.map { group, _ in
                let members = group.members.filter { positions[$0.id] == $0.position }
                return StoredGroup(name: group.name, streams: members.map(\.id))
            }
        }
    }

    /// As `DefinitionStore.createGroup(_:)`.
    public func createGroup(_ name: String) async throws {
        try await perform { transactions in
            try transactions.writeGroup(name) { group in
                guard group?.isRemoved ?? true else { return nil }
                return BucketGroup(name: name)
            }
        }
    }

    /// As `DefinitionStore.removeGroup(_:)`.
    public func removeGroup(_ name: String) async throws {
        try await perform { transactions in
            try transactions.writeGroup(name) { group in
                guard let group, !group.isRemoved else { return nil }
                var removed = BucketGroup(name: name)
                removed.isRemoved = true
                return removed
            }
        }
    }

    /// As `DefinitionStore.assign(_:to:)`.
    public func assign(_ stream: String, to group: String) async throws {
        try await perform { transactions in
            try transactions.writeGroup(group) { stored in
                let read = try transactions.read(stream)
                guard read.current != nil else { throw StoreError(.missing(id: stream)) }
                guard var next = stored, !next.isRemoved else { throw StoreError(.missingGroup(name: group)) }
                let member = BucketGroup.Member(id: read.document.id, position: read.position)
                if next.members.contains(member) { return nil }
                // A member of this id and another place was removed.
                next.members.removeAll { $0.id == member.id }
                next.members.append(member)
                return next
            }
        }
    }

    /// As `DefinitionStore.unassign(_:from:)`.
    public func unassign(_ stream: String, from group: String) async throws {
        try await perform { transactions in
            try transactions.writeGroup(group) { stored in
                guard var next = stored, !next.isRemoved, next.members.contains(where: { $0.id == stream }) else {
                    return nil
                }
                next.members.removeAll { $0.id == stream }
                return next
            }
        }
    }

    // MARK: The store itself

    /// As `DefinitionStore.trim(_:)`: removes revisions beyond the limits.
    public func trim(_ retention: Retention) async throws {
        let time = now()
        try await perform { try $0.trim(retention, at: time) }
    }

    /// As `DefinitionStore.check()`: asks the server for the bucket.
    public func check() async throws { _ = try await perform { try $0.read("") } }

    /// As `SharedDefinitionStore.adopt(_:of:)`. A call that was interrupted can be repeated.
    public func adopt(_ history: [(line: StreamRevision, document: StoredStream?)], of id: String) async throws {
        let revisions = history.map { line, document in
            BucketRevision(
                number: line.revision,
                time: line.time ?? document?.time ?? now(),
                author: line.author,
                name: line.name ?? document?.name,
                text: document?.text
            )
        }
        try await perform { try $0.adopt(revisions, of: id) }
    }

    /// As `SharedDefinitionStore.changes()`.
    ///
    /// It survives reconnects: the changes of that time come then, of each document the newest one. The sequence ends when the
    /// connection is closed.
    public func changes() async throws -> AsyncThrowingStream<DefinitionChange, any Error> {
        let watch = try await perform { try $0.bucket.watch(BucketKey.current) }
        let events = watch.events()
        let (changes, continuation) = AsyncThrowingStream<DefinitionChange, any Error>.makeStream()
        let task = Task { [transactions] in
            do {
                var seen: [String: Int] = [:]
                for try await event in events {
                    guard let change = try await Self.change(event, transactions, &seen) else { continue }
                    continuation.yield(change)
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: (error as? NATSError).map { StoreError($0) } ?? error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return changes
    }

    /// Returns the change that an event of the bucket is, unless it was seen before.
    private static func change(
        _ event: NATSWatch.Event,
        _ transactions: BucketTransactions,
        _ seen: inout [String: Int]
    ) async throws -> DefinitionChange? {
        guard case .entry(let entry) = event else { return event == .current ? .current : nil }
        guard entry.value != nil else { return nil }
        if entry.key.hasPrefix("now.group.") {
            let group = try BucketGroup(entry)
            return group.isRemoved ? .groupRemoved(group.name) : .group(group.name)
        }
        guard entry.key.hasPrefix("now.document.") else { return nil }
        let document = try BucketDocument(entry)
        var revision = document.revision
        if document.intent != nil {
            // The write of a transaction that was committed follows as an event of its own, unless its writer was killed.
            revision = try await transactions.bucket.connection.perform { _ in try transactions.read(document.id) }
                .document.revision
        }
        guard let revision, revision.number > seen[document.id] ?? 0 else { return nil }
        seen[document.id] = revision.number
        return revision.stored(as: document.id).map { .stored($0) } ?? .removed(document.id, revision: revision.number)
    }

    private func perform<Value: Sendable>(
        _ body: @escaping @Sendable (BucketTransactions) throws -> Value
    ) async throws -> Value {
        let transactions = transactions
        do {
            return try await connection.perform { _ in try body(transactions) }
        } catch let error as NATSError {
            throw StoreError(error)
        }
    }
}

extension StreamDraft {
    fileprivate func revision(_ number: Int, _ time: Date, _ author: String?) -> BucketRevision {
        BucketRevision(number: number, time: time, author: author, name: name, text: text)
    }
}
#endif
