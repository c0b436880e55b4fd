import Sluice

/// A store whose documents and groups hubs share, and whose runs are its own.
///
/// ```swift
/// let shared = MemoryStreamStore()
/// let store = try await SharedStreamStore.open(shared, runs: MemoryStreamStore())
/// try await store.create([StreamDraft(id: "a", name: "A", text: #"{"id": "a", "stream": []}"#)], by: "me")
/// let names = try await shared.list().map(\.name)  // ["A"]
/// ```
///
/// Hubs on several machines share a `NATSDefinitionStore`; hubs in one process may share a ``MemoryStreamStore``.
///
/// Writes of documents and groups go to the shared store first. A copy of each is in the store of the runs, which answers
/// reads of what is current, so that the hub starts, and its streams run, while the shared store is away. Writes throw
/// ``StoreError/Kind/unavailable(reason:)`` then. The hub calls ``follow(_:)`` to learn of the changes of others.
public final class SharedStreamStore: SinkStore, TokenStore {
    /// The documents and groups that hubs share.
    let definitions: any SharedDefinitionStore
    /// The runs, with copies of the documents and groups.
    let runs: any MirrorStore
    private let clock: any Clock<Duration>
    private let report: @Sendable (String) -> Void
    private let isAway = Locked(false)

    /// A Boolean value that indicates whether the shared store has answered the last request.
    public var isAvailable: Bool { !isAway.withLock { $0 } }

    private init(
        _ definitions: any SharedDefinitionStore,
        runs: any MirrorStore,
        clock: any Clock<Duration>,
        report: @escaping @Sendable (String) -> Void
    ) {
        (self.definitions, self.runs, self.clock, self.report) = (definitions, runs, clock, report)
    }

    /// Opens a store, and takes over the documents and groups that hubs share.
    ///
    /// While the shared store is away, it begins with the copies that are there.
    ///
    /// - Parameters:
    ///   - definitions: the documents and groups that hubs share.
    ///   - runs: the store of the runs, which no other hub uses.
    ///   - clock: the clock of the pauses before another attempt.
    ///   - report: a closure that is called when the shared store is away, and when it is back, with a text for people.
    /// - Throws: ``StoreError/Kind/unshared(ids:)`` when the store of the runs has, or had, documents that are not copies of
    ///   shared ones; other errors of either store.
    /// - Cancellation: throws `CancellationError`; the copies that were taken over stay.
    public static func open(
        _ definitions: any SharedDefinitionStore,
        runs: any MirrorStore,
        clock: any Clock<Duration> = ContinuousClock(),
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> SharedStreamStore {
        let store = SharedStreamStore(definitions, runs: runs, clock: clock, report: report)
        do {
            let shared = try await definitions.list()
            let unshared = try await Self.unshared(definitions, shared, runs)
            guard unshared.isEmpty else { throw StoreError(.unshared(ids: unshared)) }
            try await runs.takeOver(shared)
            _ = try await store.removeMissing(besides: Set(shared.map(\.id)))
            try await runs.takeOver(definitions.groups())
        } catch let error as StoreError where error.isUnavailable {
            store.note(error)
        }
        return store
    }

    /// Returns the documents of a store that are not copies of shared ones, or of removed ones.
    private static func unshared(
        _ definitions: any SharedDefinitionStore,
        _ shared: [StoredStream],
        _ runs: any MirrorStore
    ) async throws -> [String] {
        let present = Dictionary(shared.map { ($0.id, $0) }) { $1 }
        var ids: [String] = []
        for copy in try await runs.list() {
            if let document = present[copy.id] {
                if copy.revision > document.revision
                    || copy.revision == document.revision && copy.text != document.text
                {
                    ids.append(copy.id)
                }
            } else if try await definitions.history(of: copy.id).first?.revision ?? 0 <= copy.revision {
                ids.append(copy.id)
            }
        }
        // A document that is created again would begin with a number that the file has used.
        for id in try await runs.removedIDs() {
            let last = try await runs.history(of: id).first?.revision ?? 0
            let isKnown = try await definitions.history(of: id).first.map { $0.revision >= last } ?? false
            if !isKnown { ids.append(id) }
        }
        return ids
    }

    /// Gives the shared store the documents and groups of a store of runs that it has never had, with their histories.
    ///
    /// ```swift
    /// let (file, shared) = (MemoryStreamStore(), MemoryStreamStore())
    /// try await file.create([StreamDraft(id: "a", name: "A", text: #"{"id": "a", "stream": []}"#)], by: "me")
    /// let count = try await SharedStreamStore.migrate(file, to: shared)  // 1
    /// ```
    ///
    /// The store itself is not changed: ``open(_:runs:clock:report:)`` accepts it afterwards, and its runs, checkpoints, and
    /// deliveries continue. A call that was interrupted can be repeated.
    ///
    /// - Returns: the number of documents that were given, without those that were removed, whose histories go along.
    /// - Throws: ``StoreError/Kind/unshared(ids:)``, before anything is given, when the shared store has other documents
    ///   of the same ids; other errors of either store.
    /// - Cancellation: ends it between two documents, with `CancellationError`.
    public static func migrate(
        _ runs: any MirrorStore,
        to definitions: any SharedDefinitionStore
    ) async throws -> Int {
        let shared = Dictionary(try await definitions.list().map { ($0.id, $0) }) { $1 }
        var given: [String] = []
        var others: [String] = []
        for document in try await runs.list() {
            if let present = shared[document.id] {
                // An earlier call has given it, unless it differs.
                if present.revision < document.revision
                    || present.revision == document.revision && present.text != document.text
                {
                    others.append(document.id)
                }
            } else if try await definitions.history(of: document.id).isEmpty {
                given.append(document.id)
            } else {
                others.append(document.id)
            }
        }
        // The numbers of removed documents are not used again.
        var removed: [String] = []
        for id in try await runs.removedIDs() {
            let last = try await runs.history(of: id).first?.revision ?? 0
            guard let known = try await definitions.history(of: id).first else {
                removed.append(id)
                continue
            }
            if known.revision < last { others.append(id) }
        }
        guard others.isEmpty else { throw StoreError(.unshared(ids: others)) }
        for id in given + removed {
            var history: [(line: StreamRevision, document: StoredStream?)] = []
            for line in try await runs.history(of: id) {
                history.append((line, try await runs.revision(line.revision, of: id)))
            }
            try await definitions.adopt(history, of: id)
        }
        for group in try await runs.groups() {
            try await definitions.createGroup(group.name)
            for stream in group.streams { try await definitions.assign(stream, to: group.name) }
        }
        return given.count
    }

    // MARK: The changes of others

    /// Follows the shared store until the task is canceled: takes over each change, and then passes it on.
    ///
    /// Errors of either store are reported, and it begins again after a pause of 0.25 to 5 seconds. It ends when the shared
    /// store is closed.
    ///
    /// - Parameter body: a closure that is called for each change, one after the other, in the task of the caller, also for
    ///   the caller's own; first for everything that is present.
    /// - Cancellation: ends it.
    public func follow(_ body: @escaping @Sendable (DefinitionChange) async -> Void) async {
        var pause = Duration.milliseconds(250)
        while !Task.isCancelled {
            do {
                try await followOnce { change in
                    pause = .milliseconds(250)
                    await body(change)
                }
                // The store was closed.
                return
            } catch is CancellationError {
                return
            } catch {
                note(error)
            }
            do { try await clock.sleep(for: pause) } catch { return }
            pause = min(pause * 2, .seconds(5))
        }
    }

    private nonisolated(nonsending) func followOnce(
        _ body: nonisolated(nonsending) (DefinitionChange) async -> Void
    ) async throws {
        var present: Set<String> = []
        var isCurrent = false
        for try await change in try await definitions.changes() {
            try Task.checkCancellation()
            noteBack()
            switch change {
            case .stored(let document):
                try await runs.takeOver([document])
                if !isCurrent { present.insert(document.id) }
                await body(change)
            case .removed(let id, let revision):
                try await runs.takeOverRemoval(of: id, at: revision)
                await body(change)
            case .group, .groupRemoved:
                // Before that, the streams of a group may not have come yet.
                guard isCurrent else { continue }
                try await runs.takeOver(definitions.groups())
                await body(change)
            case .current:
                isCurrent = true
                for removal in try await removeMissing(besides: present) { await body(removal) }
                let (old, new) = (try await runs.groups(), try await definitions.groups())
                try await runs.takeOver(new)
                for group in new where !old.contains(group) { await body(.group(group.name)) }
                for group in old where !new.contains(where: { $0.name == group.name }) {
                    await body(.groupRemoved(group.name))
                }
                await body(.current)
            }
        }
    }

    /// Removes the copies of documents that were removed while nobody followed. One that the shared store has never had
    /// stays, with its run: somebody may have created the store again.
    private nonisolated(nonsending) func removeMissing(
        besides present: Set<String>
    ) async throws -> [DefinitionChange] {
        var removals: [DefinitionChange] = []
        for copy in try await runs.list() where !present.contains(copy.id) {
            guard let line = try await definitions.history(of: copy.id).first, line.isRemoved else { continue }
            try await runs.takeOverRemoval(of: copy.id, at: line.revision)
            removals.append(.removed(copy.id, revision: line.revision))
        }
        return removals
    }

    /// Reads a document from the shared store, and takes it over.
    ///
    /// - Returns: the change that it is to the copy; `nil` when there is no such document and there was none.
    package func refresh(_ id: String) async throws -> DefinitionChange? {
        if let document = try await definitions.read(id) {
            try await runs.takeOver([document])
            return .stored(document)
        }
        guard let line = try await definitions.history(of: id).first, line.isRemoved else { return nil }
        try await runs.takeOverRemoval(of: id, at: line.revision)
        return .removed(id, revision: line.revision)
    }

    /// Asks the shared store whether it is there, which ``isAvailable`` has afterwards.
    package func probe() async { _ = try? await share { try await $0.check() } }

    private func note(_ error: any Error) {
        let isNew = isAway.withLock { isAway in
            defer { isAway = true }
            return !isAway
        }
        if isNew { report("the shared documents are away, and the streams run on as they are: \(error)") }
    }

    private func noteBack() {
        let isNew = isAway.withLock { isAway in
            defer { isAway = false }
            return isAway
        }
        if isNew { report("the shared documents are back") }
    }

    /// Performs a write on the shared store, and notes whether it is away.
    nonisolated(nonsending) func share<Value>(
        _ write: nonisolated(nonsending) (any SharedDefinitionStore) async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await write(definitions)
            noteBack()
            return value
        } catch let error as StoreError where error.isUnavailable {
            note(error)
            throw error
        }
    }
}

extension StoreError {
    /// A Boolean value that indicates whether a store can't be reached at the moment.
    fileprivate var isUnavailable: Bool { if case .unavailable = kind { true } else { false } }
}
