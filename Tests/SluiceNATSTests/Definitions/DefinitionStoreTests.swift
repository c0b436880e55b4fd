#if NATS
import Foundation
import SluiceRuns
import SluiceTestSupport
import Testing

@testable import SluiceNATS

@Suite(.enabled(if: hasServer, "nats-server isn't installed"), .timeLimit(.minutes(5))) struct DefinitionStoreTests {
    /// Eight writers over two connections, as two hubs have them: each edit is there in the end.
    @Test func noUpdateOfTwoHubsIsLost() async throws {
        let (writers, edits) = (8, 100)
        let connected = try await Connected()
        let stores = [
            try await NATSDefinitionStore.open(on: connected.connection),
            try await NATSDefinitionStore.open(on: try await connected.another()),
        ]
        try await stores[0].create([StreamDraft(id: "a", name: nil, text: "")], by: nil)
        let conflicts = try await withThrowingTaskGroup(of: Int.self) { group in
            for writer in 0..<writers {
                let store = stores[writer % 2]
                group.addTask {
                    var conflicts = 0
                    for edit in 0..<edits {
                        var current = try #require(try await store.read("a"))
                        while true {
                            var draft = current.draft
                            draft.text += "\(writer).\(edit) "
                            do {
                                try await store.replace(with: draft, ifRevision: current.revision, by: "\(writer)")
                                break
                            } catch let error as StoreError {
                                guard case .conflict(_, _, let newer?) = error.kind else { throw error }
                                (current, conflicts) = (newer, conflicts + 1)
                            }
                        }
                    }
                    return conflicts
                }
            }
            return try await group.reduce(0, +)
        }
        let last = try #require(try await stores[1].read("a"))
        #expect(last.revision == writers * edits + 1)
        let texts = last.text.split(separator: " ").map(String.init)
        #expect(texts.count == writers * edits)
        for writer in 0..<writers {
            #expect(texts.filter { $0.hasPrefix("\(writer).") } == (0..<edits).map { "\(writer).\($0)" })
        }
        #expect(try await stores[0].history(of: "a").map(\.revision) == (1...(writers * edits + 1)).reversed())
        // Without a conflict, the writers have not met.
        #expect(conflicts > 0)
        print(
            "cluster: \(writers * edits) edits by \(writers) writers over 2 connections, \(conflicts) conflicts, 0 lost"
        )
    }

    @Test func anEditReachesTheOthers() async throws {
        let connected = try await Connected()
        let first = try await NATSDefinitionStore.open(on: connected.connection)
        let second = try await NATSDefinitionStore.open(on: try await connected.another())
        let stored = try await first.create([StreamDraft(id: "a", name: "A", text: "1")], by: "me")
        try await first.createGroup("g")
        var changes = try await second.changes().makeAsyncIterator()
        #expect(try await changes.next() == .stored(stored[0]))
        #expect(try await changes.next() == .group("g"))
        #expect(try await changes.next() == .current)
        let edited = try await first.replace(with: StreamDraft(id: "a", name: "A", text: "2"), ifRevision: 1, by: nil)
        #expect(try await changes.next() == .stored(edited))
        try await first.assign("a", to: "g")
        #expect(try await changes.next() == .group("g"))
        let both = try await first.create(
            [StreamDraft(id: "b", name: nil, text: "3"), StreamDraft(id: "c", name: nil, text: "4")],
            by: nil
        )
        // Which of the two comes first is open.
        let seen = [try await changes.next(), try await changes.next()]
        #expect(Set(seen) == Set(both.map { .stored($0) }))
        try await first.remove("a", ifRevision: 2, by: nil)
        #expect(try await changes.next() == .removed("a", revision: 3))
        try await first.removeGroup("g")
        #expect(try await changes.next() == .groupRemoved("g"))
    }

    /// A key that someone has removed from the bucket is a document or a group that does not exist: it is not waited for, and
    /// it can be created again.
    @Test(arguments: ["purge", "delete"]) func aRemovedKeyIsCreatedAgain(way: String) async throws {
        let connected = try await Connected()
        let store = try await NATSDefinitionStore.open(on: connected.connection)
        try await store.create(["a", "b"].map { StreamDraft(id: $0, name: nil, text: "0") }, by: nil)
        try await store.createGroup("g")
        #expect(try await store.list().map(\.id) == ["a", "b"])
        let keys = [try BucketKey.document("b"), try BucketKey.group("g")]
        try await connected.connection.perform {
            let bucket = try $0.bucket(NATSBucketSettings(name: "sluice-definitions"))
            for key in keys { if way == "purge" { try bucket.purge(key) } else { try bucket.delete(key) } }
        }
        #expect(try await store.list().map(\.id) == ["a"])
        #expect(try await store.groups().isEmpty)
        let pair = ["b", "c"].map { StreamDraft(id: $0, name: nil, text: "1") }
        try await store.create(pair, by: nil)
        try await store.createGroup("g")
        #expect(try await store.list().map(\.text) == ["0", "1", "1"])
        #expect(try await store.groups().map(\.name) == ["g"])
    }

    /// Writers of pairs of documents: no reader ever sees one of a pair without the other.
    @Test func severalDocumentsChangeAtOneInstant() async throws {
        let connected = try await Connected()
        let stores = [
            try await NATSDefinitionStore.open(on: connected.connection),
            try await NATSDefinitionStore.open(on: try await connected.another()),
        ]
        let ids = ["a", "b", "c"]
        try await stores[0].create(ids.map { StreamDraft(id: $0, name: nil, text: "0") }, by: nil)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in stores {
                group.addTask {
                    for _ in 0..<25 {
                        while true {
                            let read = try await store.list()
                            let edits = read.map { stored in
                                let text = "\((Int(stored.text) ?? 0) + 1)"
                                let draft = StreamDraft(id: stored.id, name: nil, text: text)
                                return StreamEdit(draft, ifRevision: stored.revision)
                            }
                            do {
                                try await store.replace(edits, by: nil)
                                break
                            } catch let error as StoreError {
                                guard case .conflict = error.kind else { throw error }
                            }
                        }
                    }
                }
            }
            group.addTask {
                for _ in 0..<100 {
                    let texts = Set(try await stores[1].list().map(\.text))
                    #expect(texts.count == 1)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await stores[0].list().map(\.text) == ["50", "50", "50"])
    }

    /// A writer that was killed between its intents and its outcome, or after it, holds up nobody.
    @Test(arguments: [false, true]) func writesOfAKilledWriterAreEnded(_ isCommitted: Bool) async throws {
        let connected = try await Connected()
        let store = try await NATSDefinitionStore.open(on: connected.connection)
        try await store.create([StreamDraft(id: "a", name: nil, text: "1")], by: nil)
        try await connected.connection.perform { connection in
            let bucket = try connection.bucket(NATSBucketSettings(name: "sluice-definitions"))
            for id in ["a", "b"] {
                let entry = try bucket.value(of: "now.document.\(id)")
                var document = try entry.map { try BucketDocument($0) } ?? BucketDocument(id: id)
                let number = (document.revision?.number ?? 0) + 1
                let revision = BucketRevision(number: number, time: Date(), author: nil, name: nil, text: "2")
                document.intent = BucketDocument.Intent(transaction: "T", revision: revision)
                if document.revision != nil { document.position = document.position ?? entry?.revision }
                if let entry {
                    try bucket.update(document.bytes, for: "now.document.\(id)", ifRevision: entry.revision)
                } else {
                    try bucket.create(document.bytes, for: "now.document.\(id)")
                }
            }
            if isCommitted { try bucket.create(Array("committed".utf8), for: "now.transaction.T") }
        }
        #expect(try await store.list().map(\.text) == (isCommitted ? ["2", "2"] : ["1"]))
        #expect(try await store.read("b")?.text == (isCommitted ? "2" : nil))
        let revision = isCommitted ? 2 : 1
        let edited = try await store.replace(
            with: StreamDraft(id: "a", name: nil, text: "3"),
            ifRevision: revision,
            by: nil
        )
        #expect(edited.revision == revision + 1)
        if !isCommitted { try await store.create([StreamDraft(id: "b", name: nil, text: "new")], by: nil) }
        #expect(try await store.list().map(\.text) == ["3", isCommitted ? "2" : "new"])
    }

    @Test func oldRevisionsGo() async throws {
        let connected = try await Connected()
        let store = try await NATSDefinitionStore.open(on: connected.connection)
        try await store.create([StreamDraft(id: "a", name: nil, text: "1")], by: nil)
        for revision in 1..<6 {
            let draft = StreamDraft(id: "a", name: nil, text: "\(revision + 1)")
            try await store.replace(with: draft, ifRevision: revision, by: nil)
        }
        try await store.trim(Retention(revisions: 3))
        #expect(try await store.history(of: "a").map(\.revision) == [6, 5, 4])
        #expect(try await store.revision(3, of: "a") == nil)
        #expect(try await store.revision(4, of: "a")?.text == "4")
        try await store.trim(Retention(revisions: 1))
        #expect(try await store.history(of: "a").map(\.revision) == [6])
    }

    /// Edits continue when the server was killed and started again, and none is lost or done twice.
    @Test func aServerThatIsKilledLosesNoEdit() async throws {
        let connected = try await Connected()
        let store = try await NATSDefinitionStore.open(on: connected.connection)
        try await store.create([StreamDraft(id: "a", name: nil, text: "")], by: nil)
        let writer = Task {
            for number in 1...60 {
                let draft = StreamDraft(id: "a", name: nil, text: "\(number)")
                try await store.replace(with: draft, ifRevision: number, by: nil)
            }
        }
        while try await store.read("a")?.revision ?? 0 < 20 { await Task.yield() }
        let server = try connected.server.restarted()
        try await writer.value
        #expect(try await store.read("a")?.text == "60")
        #expect(try await store.history(of: "a").map(\.revision) == (1...61).reversed())
        withExtendedLifetime(server) {}
    }

    @Test func aServerThatIsAwayIsUnavailable() async throws {
        let connected = try await Connected()
        var settings = connected.connection.settings
        settings.timeout = .milliseconds(100)
        let store = try await NATSDefinitionStore.open(on: try await NATSConnection.connect(settings))
        connected.server.kill()
        let error = await #expect(throws: StoreError.self) { try await store.read("a") }
        guard case .unavailable(let reason) = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.hasPrefix("the NATS server has not answered in time: "))
    }

    @Test func idsHaveKeysOfTheirOwn() throws {
        let ids = ["", "=", "a", "a.b", "a=2Eb", "*", ">", "A", "ä", "a b", "\u{0}"]
        let keys = try ids.map { try BucketKey.document($0) }
        #expect(Set(keys).count == ids.count)
        #expect(keys[0] == "now.document.=")
        #expect(keys[3] == "now.document.a=2Eb")
        #expect(throws: StoreError.self) { try BucketKey.document(String(repeating: "ä", count: 1000)) }
    }
}
#endif
