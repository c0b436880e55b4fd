#if NATS
import Foundation
import Sluice
import SluiceJSON
import SluiceRuns

/// The blocking operations on documents in a bucket, of which the stores on all machines use the same.
///
/// One document is written by one compare-and-set of its key. Several are written in two steps: each document gets the
/// intent of the transaction, then the transaction's outcome is created, which is the instant at which all of them change.
/// Everyone who meets an intent sees its outcome, and completes the write; a writer that meets an intent without an outcome
/// for long creates the outcome "aborted", so that a writer that was killed holds up nobody.
struct BucketTransactions {
    /// A document as it was read.
    struct Read {
        var document: BucketDocument
        /// The number of the write that it was read from; `nil` without a write.
        var written: UInt64?

        /// The place in the order of creation.
        var position: UInt64 { document.position ?? written ?? 0 }
        /// The number of the newest revision; 0 without one.
        var number: Int { document.revision?.number ?? 0 }
        var current: StoredStream? { document.revision?.stored(as: document.id) }
    }

    /// The outcome of a transaction.
    private enum Outcome: String { case committed, aborted }

    let bucket: NATSBucket
    /// The number of times that an intent without an outcome is looked at before it is aborted, and of attempts to
    /// read everything at an instant without one: each takes a round trip or more.
    private static let patience = 100

    // MARK: Reading

    /// Returns a document as all readers see it.
    func read(_ id: String) throws -> Read {
        let key = try BucketKey.document(id)
        var last: UInt64?
        while true {
            guard let entry = try retrying({ try bucket.value(of: key) }) else {
                return Read(document: BucketDocument(id: id), written: nil)
            }
            var isOpen = false
            let read = try resolved(entry) { transaction in
                let outcome = try outcome(of: transaction)
                isOpen = outcome == nil
                return outcome
            }
            // An outcome is gone when all its documents are written: without one, the document has to be as it was.
            if !isOpen || last == entry.revision { return read }
            last = entry.revision
        }
    }

    /// Returns all documents and groups as all readers see them.
    ///
    /// The values are those of one instant, since the bucket keeps the last few of each key while they are on their way. If
    /// a transaction is open at that instant, or a key was written more often meanwhile, another one is taken.
    func snapshot() throws -> (documents: [Read], groups: [(group: BucketGroup, position: UInt64)]) {
        var attempts = 1
        while true {
            if let snapshot = try snapshot(isLast: attempts == Self.patience) { return snapshot }
            attempts += 1
        }
    }

    /// - Parameter isLast: A Boolean value that indicates whether open transactions are looked up one by one: their writers
    ///   were killed.
    private func snapshot(
        isLast: Bool
    ) throws -> (documents: [Read], groups: [(group: BucketGroup, position: UInt64)])? {
        let current = try retrying { try bucket.instant(of: BucketKey.current) }
        if !current.missing.isEmpty, !isLast { return nil }
        var entries = current.values
        // The last attempt reads each as it is now.
        for key in current.missing {
            if let last = try retrying({ try bucket.value(of: key) }) { entries.append(last) }
        }
        var outcomes: [String: Outcome] = [:]
        let prefix = BucketKey.transaction("")
        for entry in entries where entry.key.hasPrefix(prefix) {
            outcomes[String(entry.key.dropFirst(prefix.count))] = Self.outcome(entry)
        }
        var documents: [Read] = []
        var groups: [(group: BucketGroup, position: UInt64)] = []
        for entry in entries {
            if entry.key.hasPrefix("now.document.") {
                let open = try BucketDocument(entry)
                if let intent = open.intent, outcomes[intent.transaction] == nil {
                    if !isLast { return nil }
                    documents.append(try read(open.id))
                } else {
                    documents.append(try resolved(entry) { outcomes[$0] })
                }
            } else if entry.key.hasPrefix("now.group.") {
                let group = try BucketGroup(entry)
                if !group.isRemoved { groups.append((group, group.position ?? entry.revision)) }
            }
        }
        documents.sort { $0.position < $1.position }
        groups.sort { $0.position < $1.position }
        return (documents, groups)
    }

    /// Returns the revisions of a document that are kept, the newest first.
    func history(of id: String) throws -> [BucketRevision] {
        let newest = try read(id).document.revision
        let pattern = try BucketKey.allPast(id)
        let past = try retrying { try bucket.values(of: pattern) }
        var revisions = try past.map { try Self.revision($0) }
        if let newest {
            revisions.removeAll { $0.number >= newest.number }
            revisions.append(newest)
        } else {
            revisions = []
        }
        return revisions.sorted { $0.number > $1.number }
    }

    /// Returns a revision of a document; `nil` if it is not kept.
    func revision(_ number: Int, of id: String) throws -> BucketRevision? {
        guard number > 0, let newest = try read(id).document.revision, number <= newest.number else { return nil }
        if newest.number == number { return newest }
        let key = try BucketKey.past(id, number)
        return try retrying { try bucket.value(of: key) }.map { try Self.revision($0) }
    }

    // MARK: Writing

    /// Writes a further revision of a document.
    ///
    /// - Parameter make: A closure that returns the revision that follows what it gets, or throws the reason to refuse it. It
    ///   is called again when another writer was faster.
    func write(_ id: String, _ make: (Read) throws -> BucketRevision) throws -> StoredStream? {
        let key = try BucketKey.document(id)
        while true {
            guard let (read, raw) = try settled(id) else { continue }
            let revision = try make(read)
            try keep(read)
            let next = read.document.adding(revision, written: read.written)
            do {
                try compareAndSet(next.bytes, key, ifRevision: raw)
                return revision.stored(as: next.id)
            } catch NATSError.stale {
                continue
            }
        }
    }

    /// Writes a further revision of each of several documents, all or none.
    func write(_ ids: [String], time: Date, _ make: (Int, Read) throws -> BucketRevision) throws -> [StoredStream] {
        if ids.count == 1, let id = ids.first { return try write(id) { try make(0, $0) }.map { [$0] } ?? [] }
        attempts: while true {
            // Everything is checked before anything is written.
            var reads: [(read: Read, raw: UInt64?)] = []
            for id in ids {
                guard let settled = try settled(id) else { continue attempts }
                reads.append(settled)
            }
            let revisions = try reads.enumerated().map { try make($0.offset, $0.element.read) }
            let transaction = ULID.make(at: time)
            var intended: [(old: Read, written: UInt64)] = []
            for (place, (read, raw)) in reads.enumerated() {
                try keep(read)
                var document = read.document
                if document.revision != nil { document.position = read.position }
                document.intent = BucketDocument.Intent(transaction: transaction, revision: revisions[place])
                do {
                    let written = try compareAndSet(document.bytes, try BucketKey.document(ids[place]), ifRevision: raw)
                    intended.append((read, written))
                } catch NATSError.stale {
                    try end(transaction, .aborted)
                    for id in ids[..<intended.count] { _ = try settled(id) }
                    continue attempts
                }
            }
            if try end(transaction, .committed) == .aborted { continue }
            for id in ids { _ = try settled(id) }
            // Nobody refers to the outcome any more, and its writer is done with it.
            try bucket.purge(BucketKey.transaction(transaction))
            return zip(ids, revisions).compactMap { $1.stored(as: $0.key) }
        }
    }

    /// Stores a document with the revisions that it has had elsewhere, the newest first.
    func adopt(_ revisions: [BucketRevision], of id: String) throws {
        guard let newest = revisions.first else { return }
        func refuseTaken(_ read: Read) throws {
            if read.document.revision != nil { throw StoreError(.taken(id: id)) }
        }
        try refuseTaken(try read(id))
        // Without a newest revision, nobody reads them.
        for revision in revisions.dropFirst() {
            let key = try BucketKey.past(id.key, revision.number)
            let bytes = Array(revision.json.description.utf8)
            _ = try retrying { try bucket.put(bytes, for: key) }
        }
        _ = try write(id) { read in
            try refuseTaken(read)
            return newest
        }
    }

    /// Returns a document without an intent: the write of a transaction that has ended is completed, and one that does not
    /// end is aborted. Returns `nil` if it is to be read again.
    ///
    /// - Returns: The document, and the number of the last write of its key.
    private func settled(_ id: String) throws -> (read: Read, raw: UInt64?)? {
        let key = try BucketKey.document(id)
        var looks = 0
        while true {
            // A key that someone has removed goes on after the mark of its removal.
            let last = try retrying { try bucket.last(of: key) }
            guard let entry = last, entry.value != nil else {
                return (Read(document: BucketDocument(id: id), written: nil), last?.revision)
            }
            let document = try BucketDocument(entry)
            guard let intent = document.intent else {
                return (Read(document: document, written: entry.revision), entry.revision)
            }
            var end = try outcome(of: intent.transaction)
            looks += 1
            if end == nil, looks < Self.patience { continue }
            if end == nil { end = try self.end(intent.transaction, .aborted) }
            // The place of a document that the intent creates is that of the intent, as all readers see it.
            let read = try resolved(entry) { _ in end }
            var settled = read.document
            settled.position = read.position
            do {
                let written = try compareAndSet(settled.bytes, key, ifRevision: entry.revision)
                return (Read(document: settled, written: written), written)
            } catch NATSError.stale {
                return nil
            }
        }
    }

    /// Sees that the newest revision of a document stays when it is replaced: everyone who does it writes the same.
    private func keep(_ read: Read) throws {
        guard let revision = read.document.revision else { return }
        let key = try BucketKey.past(read.document.id, revision.number)
        let bytes = Array(revision.json.description.utf8)
        _ = try retrying { try bucket.put(bytes, for: key) }
    }

    /// Removes past revisions of all documents beyond limits.
    func trim(_ retention: Retention, at now: Date) throws {
        let oldest = retention.oldest(at: now)
        guard retention.revisions != nil || oldest != nil else { return }
        var past: [String: [(key: String, revision: BucketRevision)]] = [:]
        for entry in try retrying({ try bucket.instant(of: BucketKey.past).values }) {
            let token = entry.key.split(separator: ".").dropFirst().first.map(String.init) ?? ""
            past[token, default: []].append((entry.key, try Self.revision(entry)))
        }
        for revisions in past.values {
            let kept = retention.revisions.map { $0 - 1 } ?? .max
            let sorted = revisions.sorted { $0.revision.number > $1.revision.number }
            for (place, (key, revision)) in sorted.enumerated() {
                let isOld = oldest.map { Date(milliseconds: revision.time) < $0 } ?? false
                if place >= kept || isOld { try retrying { try bucket.purge(key) } }
            }
        }
    }

    /// Writes a group.
    ///
    /// - Parameter make: A closure that returns what is stored in place of what it gets, or `nil` to change nothing. It is
    ///   called again when another writer was faster.
    func writeGroup(_ name: String, _ make: (BucketGroup?) throws -> BucketGroup?) throws {
        let key = try BucketKey.group(name)
        while true {
            let last = try retrying { try bucket.last(of: key) }
            var old = try last.flatMap { $0.value == nil ? nil : try BucketGroup($0) }
            if old?.position == nil { old?.position = last?.revision }
            guard let next = try make(old) else { return }
            do {
                try compareAndSet(next.bytes, key, ifRevision: last?.revision)
                return
            } catch NATSError.stale {
                continue
            }
        }
    }

    // MARK: Steps

    /// Returns a document with the write of its intent, if the intent's transaction was committed.
    private func resolved(_ entry: NATSEntry, _ outcome: (String) throws -> Outcome?) throws -> Read {
        let document = try BucketDocument(entry)
        guard let intent = document.intent else { return Read(document: document, written: entry.revision) }
        var settled = document
        settled.intent = nil
        if try outcome(intent.transaction) == .committed {
            settled = document.adding(intent.revision, written: entry.revision)
            settled.position = settled.position ?? entry.revision
        }
        return Read(document: settled, written: entry.revision)
    }

    private func outcome(of transaction: String) throws -> Outcome? {
        try retrying { try bucket.value(of: BucketKey.transaction(transaction)) }.flatMap(Self.outcome)
    }

    private static func outcome(_ entry: NATSEntry) -> Outcome? {
        Outcome(rawValue: String(decoding: entry.value ?? [], as: UTF8.self))
    }

    /// Ends a transaction, unless it has ended; returns its outcome.
    @discardableResult
    private func end(_ transaction: String, _ outcome: Outcome) throws -> Outcome {
        let key = BucketKey.transaction(transaction)
        do {
            try compareAndSet(Array(outcome.rawValue.utf8), key, ifRevision: nil)
            return outcome
        } catch NATSError.stale {
            // An outcome that is gone was completed by its writer.
            return try self.outcome(of: transaction) ?? .committed
        }
    }

    /// Stores the value of a key that is at a revision, or that has never existed.
    ///
    /// The write has an id, so that one whose answer was lost is recognized when it is repeated.
    @discardableResult
    private func compareAndSet(_ bytes: [UInt8], _ key: String, ifRevision revision: UInt64?) throws -> UInt64 {
        let id = ULID.make(at: Date())
        return try retrying {
            try bucket.connection.publish(bytes, to: "$KV.\(bucket.name).\(key)", id: id, ifLast: revision ?? 0)
                .sequence
        }
    }

    /// Repeats a request while the connection is being made again, three times.
    private func retrying<Value>(_ body: () throws -> Value) throws -> Value {
        var attempts = 1
        while true {
            do { return try body() } catch let error as NATSError where error.isTemporary && attempts < 3 {
                attempts += 1
                bucket.connection.waitUntilConnected()
                bucket.connection.pause()
            }
        }
    }

    private static func revision(_ entry: NATSEntry) throws -> BucketRevision {
        guard let json = try? JSON(parsing: String(decoding: entry.value ?? [], as: UTF8.self)),
            let revision = BucketRevision(json)
        else { throw StoreError.damaged(entry) }
        return revision
    }
}
#endif
