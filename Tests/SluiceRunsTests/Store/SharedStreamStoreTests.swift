import Sluice
import SluiceRuns
import SluiceTestSupport
import SluiceTesting
import Testing

/// Tests of the store whose documents hubs share: `DocumentLawTests` and the others have its laws.
@Suite(.timeLimit(.minutes(20))) final class SharedStreamStoreTests: Sendable {
    private let shared = RemoteDefinitions()
    private let runs = MemoryStreamStore()
    private let reports = Locked<[String]>([])

    private func draft(_ id: String, _ text: String = "{}") -> StreamDraft {
        StreamDraft(id: id, name: nil, text: text)
    }

    private func open(_ clock: any Clock<Duration> = ContinuousClock()) async throws -> SharedStreamStore {
        try await SharedStreamStore.open(shared, runs: runs, clock: clock) { [self] text in
            reports.withLock { $0.append(text) }
        }
    }

    private func until(_ holds: () async throws -> Bool) async throws {
        var looks = Looks()
        while try await !holds() { await looks.pause() }
    }

    // MARK: Opening

    @Test func aStoreBeginsWithWhatIsShared() async throws {
        try await shared.store.create([draft("a"), draft("b")], by: "ada")
        try await shared.store.createGroup("g")
        try await shared.store.assign("b", to: "g")
        let store = try await open()
        #expect(try await store.list().map(\.id) == ["a", "b"])
        #expect(try await runs.list() == shared.store.list())
        #expect(try await store.groups() == [StoredGroup(name: "g", streams: ["b"])])
        #expect(try await store.history(of: "a").map(\.author) == ["ada"])
    }

    /// A document that was removed while the hub was away is removed with its run; one that has changed is taken over.
    @Test func aStoreCatchesUpWhenItIsOpened() async throws {
        try await shared.store.create([draft("a"), draft("b")], by: nil)
        _ = try await open()
        try await shared.store.remove("a", ifRevision: 1, by: nil)
        try await shared.store.replace(with: draft("b", "[]"), ifRevision: 1, by: nil)
        let store = try await open()
        #expect(try await store.list().map(\.text) == ["[]"])
        #expect(try await runs.list().map(\.revision) == [2])
        // The number of the removal is taken over as well.
        try await store.create([draft("a")], by: nil)
        #expect(try await runs.read("a")?.revision == 3)
    }

    @Test func documentsThatAreNotSharedAreNotLost() async throws {
        try await shared.store.create([draft("a")], by: nil)
        try await runs.create([draft("own")], by: nil)
        await #expect(throws: StoreError(.unshared(ids: ["own"]))) { try await open() }
        #expect(try await runs.list().map(\.id) == ["own"])
    }

    @Test func otherDocumentsOfTheSameIdAreNotLost() async throws {
        try await shared.store.create([draft("a"), draft("b")], by: nil)
        try await runs.create([draft("a", "[1]"), draft("b")], by: nil)
        await #expect(throws: StoreError(.unshared(ids: ["a"]))) { try await open() }
        try await runs.replace(with: draft("a", "{}"), ifRevision: 1, by: nil)
        await #expect(throws: StoreError(.unshared(ids: ["a"]))) { try await open() }
    }

    // MARK: Migrating

    @Test func aMigrationKeepsHistoriesAndGroups() async throws {
        try await runs.create([draft("a"), draft("b")], by: "ada")
        try await runs.replace(with: draft("a", "[1]"), ifRevision: 1, by: "bob")
        try await runs.remove("a", ifRevision: 2, by: "cid")
        try await runs.create([draft("a", "[2]")], by: "dan")
        try await runs.createGroup("g")
        try await runs.assign("b", to: "g")
        let (history, list) = (try await runs.history(of: "a"), try await runs.list())
        #expect(try await SharedStreamStore.migrate(runs, to: shared) == 2)
        #expect(try await shared.store.history(of: "a") == history)
        #expect(try await shared.store.revision(2, of: "a")?.text == "[1]")
        #expect(try await shared.store.list() == list)
        #expect(try await shared.store.groups() == [StoredGroup(name: "g", streams: ["b"])])
        let store = try await open()
        #expect(try await store.list() == list)
        // A second call has nothing to do.
        #expect(try await SharedStreamStore.migrate(runs, to: shared) == 0)
    }

    /// A document that was removed before the migration, and is created again after it, goes on with its numbers.
    @Test func aMigrationKeepsTheNumbersOfRemovedDocuments() async throws {
        try await runs.create([draft("a"), draft("b")], by: nil)
        try await runs.remove("a", ifRevision: 1, by: "ada")
        try await shared.store.create([draft("b")], by: nil)
        await #expect(throws: StoreError(.unshared(ids: ["a"]))) { try await open() }
        #expect(try await SharedStreamStore.migrate(runs, to: shared) == 0)
        #expect(try await shared.store.history(of: "a").map(\.author) == ["ada", nil])
        let store = try await open()
        #expect(try await store.create([draft("a")], by: nil).map(\.revision) == [3])
        #expect(try await runs.read("a")?.revision == 3)
        #expect(try await SharedStreamStore.migrate(runs, to: shared) == 0)
    }

    @Test func aMigrationReplacesNothing() async throws {
        try await shared.store.create([draft("a", "[1]")], by: nil)
        try await runs.create([draft("a", "[2]"), draft("b")], by: nil)
        await #expect(throws: StoreError(.unshared(ids: ["a"]))) {
            try await SharedStreamStore.migrate(runs, to: shared)
        }
        #expect(try await shared.store.list().map(\.id) == ["a"])
    }

    // MARK: Following

    @Test func changesComeInOrderAndAreStoredFirst() async throws {
        try await shared.store.create([draft("a")], by: nil)
        let store = try await open()
        let seen = Locked<[DefinitionChange]>([])
        let following = Task { [runs] in
            await store.follow { change in
                if case .stored(let document) = change {
                    let copy = try? await runs.read(document.id)
                    #expect(copy?.revision ?? 0 >= document.revision)
                }
                seen.withLock { $0.append(change) }
            }
        }
        defer { following.cancel() }
        try await until { seen.withLock { $0.contains(.current) } }
        let count = seen.withLock { $0.count }
        try await store.replace(with: draft("a", "[]"), ifRevision: 1, by: nil)
        try await shared.store.createGroup("g")
        try await shared.store.assign("a", to: "g")
        try await shared.store.remove("a", ifRevision: 2, by: nil)
        try await shared.store.removeGroup("g")
        try await until { seen.withLock { $0.last } == .groupRemoved("g") }
        let changes = seen.withLock { $0.dropFirst(count) }
        #expect(
            changes.map(\.description) == [
                "a 2", "group g", "group g", "a removed 3", "group g", "no group g",
            ]
        )
        #expect(try await store.groups().isEmpty)
        #expect(try await store.list().isEmpty)
    }

    // MARK: While the shared store is away

    @Test func streamsGoOnWhileTheSharedStoreIsAway() async throws {
        try await shared.store.create([draft("a")], by: nil)
        _ = try await open()
        shared.isAway.withLock { $0 = true }
        let clock = TestClock()
        let store = try await open(clock)
        #expect(try await store.list().map(\.id) == ["a"])
        #expect(try await store.history(of: "a").map(\.revision) == [1])
        await #expect(throws: StoreError(.unavailable(reason: "away"))) {
            try await store.replace(with: draft("a", "[]"), ifRevision: 1, by: nil)
        }
        #expect(try await runs.read("a")?.revision == 1)
        #expect(!store.isAvailable)
        await store.probe()
        #expect(!store.isAvailable)
        let following = Task { await store.follow { _ in } }
        defer { following.cancel() }
        await clock.sleepers(1)
        shared.isAway.withLock { $0 = false }
        try await shared.store.replace(with: draft("a", "[1]"), ifRevision: 1, by: nil)
        clock.advance(by: .seconds(5))
        try await until { try await runs.read("a")?.text == "[1]" }
        try await until { reports.withLock { $0.count } == 2 }
        #expect(reports.withLock { $0.map { $0.contains("away") } } == [true, false])
        #expect(store.isAvailable)
    }

    /// A bucket that somebody has created again is empty: the streams are not removed with it.
    @Test func aSharedStoreThatIsNewRemovesNothing() async throws {
        try await shared.store.create([draft("a")], by: nil)
        let store = try await open()
        shared.isNew.withLock { $0 = true }
        let isCurrent = Locked(false)
        let following = Task {
            await store.follow { change in if change == .current { isCurrent.withLock { $0 = true } } }
        }
        defer { following.cancel() }
        try await until { isCurrent.withLock { $0 } }
        #expect(try await store.list().map(\.id) == ["a"])
    }
}

/// Shared definitions that may be away, or that somebody has replaced.
private final class RemoteDefinitions: SharedDefinitionStore, ForwardingDefinitionStore {
    let isAway = Locked(false)
    let isNew = Locked(false)
    let store = MemoryStreamStore()
    private let other = MemoryStreamStore()

    var reached: MemoryStreamStore {
        get throws {
            if isAway.withLock({ $0 }) { throw StoreError(.unavailable(reason: "away")) }
            return isNew.withLock { $0 } ? other : store
        }
    }

    func changes() async throws -> AsyncThrowingStream<DefinitionChange, any Error> { try await reached.changes() }
    func adopt(_ history: [(line: StreamRevision, document: StoredStream?)], of id: String) async throws {
        try await reached.adopt(history, of: id)
    }
}
