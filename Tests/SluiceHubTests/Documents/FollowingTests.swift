#if Hub
import HTTPTypes
import Sluice
import SluiceJSON
import SluiceRuns
import SluiceStore
import SluiceStreams
import SluiceTestSupport
import SluiceTesting
import Testing

@testable import SluiceHub

/// Tests of hubs that share documents and groups.
@Suite(.timeLimit(.minutes(20))) struct FollowingTests {
    /// Calls `body` with two hubs that share a store, each with runs of its own.
    private func withHubs(
        _ texts: [String],
        _ body: (_ one: Hub, _ two: Hub, _ shared: MemoryStreamStore) async throws -> Void
    ) async throws {
        let shared = MemoryStreamStore()
        for text in texts {
            let document = try StreamDocument(preserving: Array(text.utf8))
            let id = try #require(document.id)
            try await shared.create([StreamDraft(id: id, name: document.name, text: text)], by: "test")
        }
        let clock = TestClock()
        var hubs: [Hub] = []
        for name in ["one", "two"] {
            let store = try await SharedStreamStore.open(shared, runs: MemoryStreamStore(), clock: clock)
            hubs.append(try await Hub(on: store, clock: clock, name: name))
        }
        let following = hubs.map { hub in Task { await hub.hub.follow() } }
        do { try await body(hubs[0], hubs[1], shared) } catch {
            for task in following { task.cancel() }
            throw error
        }
        for task in following {
            task.cancel()
            await task.value
        }
    }

    private static func counter(_ id: String, step: Int, name: String? = nil) -> String {
        let name = name.map { #""name": "\#($0)", "# } ?? ""
        return #"{"id": "\#(id)", \#(name)"source": {"interval": {"seconds": 1}}, "#
            + #""operators": [{"id": "sum", "scan": {"expression": "acc + \#(step)", "initialValue": 0}}]}"#
    }

    /// Returns the documents of a hub: their ids, revisions, and texts.
    private func documents(_ hub: Hub) async -> Set<[String]> {
        Set(await hub.hub.all.map { [$0.id, "\($0.stored.revision)", $0.stored.text] })
    }

    @Test func anEditReachesTheRunsOfTheOtherHub() async throws {
        try await withHubs([Self.counter("a", step: 1)]) { one, two, _ in
            try await two.hub.run("a").start()
            try await two.pass(3)
            let page = try two.subscribe()
            let answer = try await one.ask(.put, "/streams/a", Self.counter("a", step: 10), ["If-Match": "\"1\""])
            #expect(answer.status == .ok)
            #expect(try await page.next("changed").data["revision"] == 2)
            try await two.until("the run has the edit") { two.hub.around.bus.status(of: "a")?.revision == 2 }
            try await two.pass(2.6)
            let outputs = try await two.store.outputs(of: "a", run: nil, after: 0, limit: 100)
            // The sum goes on from where it was.
            #expect(outputs.map(\.text) == ["1", "2", "3", "13", "23"])
            #expect(try await two.ask(.get, "/streams/a").etag == "\"2\"")
            // Both say so, and only one has taken it over.
            for (hub, count) in [(one, 0), (two, 1)] {
                #expect(try await hub.ask(.get, "/health").json == ["status": "ok", "shared": "ok"])
                let metrics = try await hub.ask(.get, "/metrics").text
                #expect(metrics.contains("\nsluice_shared_available 1\n"))
                #expect(metrics.contains("\nsluice_shared_changes_total \(count)\n"))
            }
        }
    }

    /// The change of a hub's own write comes back to it.
    @Test func aWriteReachesItsOwnRunsOnce() async throws {
        try await withHubs([Self.counter("a", step: 1)]) { one, two, _ in
            try await one.hub.run("a").start()
            try await one.pass(1)
            let page = try one.subscribe()
            for revision in 1...20 {
                let text = Self.counter("a", step: revision + 1)
                let answer = try await one.ask(.put, "/streams/a", text, ["If-Match": "\"\(revision)\""])
                #expect(answer.status == .ok)
            }
            try await two.until("the other hub has them all") {
                try await two.hub.document("a").stored.revision == 21
            }
            try await one.pass(1.6)
            #expect(try await one.store.outputs(of: "a", run: nil, after: 0, limit: 9).map(\.text) == ["1", "22"])
            let last = Self.counter("last", step: 1)
            #expect(try await two.ask(.put, "/streams/last", last, ["If-None-Match": "*"]).status == .created)
            var edits = 0
            while try await page.next("changed").data["id"] == "a" { edits += 1 }
            #expect(edits == 20)
        }
    }

    @Test func aRemovalEndsTheRunsOfTheOtherHub() async throws {
        try await withHubs([Self.counter("a", step: 1), Self.counter("b", step: 1)]) { one, two, _ in
            try await two.hub.run("a").start()
            try await two.pass(2)
            let page = try two.subscribe()
            #expect(try await one.ask(.delete, "/streams/a", nil, ["If-Match": "\"1\""]).status == .noContent)
            #expect(try await page.next("removed").data == ["id": "a"])
            try await two.until("it is gone") { try await two.ask(.get, "/streams/a").status == .notFound }
            #expect(try await two.store.run(of: "a") == nil)
            // It is created again under the next number, and can be started.
            let again = Self.counter("a", step: 5)
            #expect(try await two.ask(.put, "/streams/a", again, ["If-None-Match": "*"]).status == .created)
            try await one.until("it is back") { try await one.ask(.get, "/streams/a").etag == "\"3\"" }
        }
    }

    /// An earlier revision that comes after the removal is not news.
    @Test func aLateRevisionDoesNotBringADocumentBack() async throws {
        try await withHubs([Self.counter("a", step: 1), Self.counter("b", step: 1)]) { one, _, shared in
            let first = try #require(try await shared.read("a"))
            #expect(try await one.ask(.delete, "/streams/a", nil, ["If-Match": "\"1\""]).status == .noContent)
            await one.hub.takeOver(.stored(first))
            #expect(try await one.ask(.get, "/streams/a").status == .notFound)
        }
    }

    /// An author who has read another hub, which is ahead, is not refused.
    @Test func anAuthorMayHaveReadTheOtherHub() async throws {
        try await withHubs([Self.counter("a", step: 1)]) { one, two, shared in
            // Behind the back of both, as if their changes were on their way.
            let text = Self.counter("a", step: 2)
            try await shared.replace(with: StreamDraft(id: "a", name: nil, text: text), ifRevision: 1, by: nil)
            let next = Self.counter("a", step: 3)
            #expect(try await one.ask(.put, "/streams/a", next, ["If-Match": "\"2\""]).status == .ok)
            #expect(try await two.ask(.put, "/streams/a", next, ["If-Match": "\"1\""]).status == .preconditionFailed)
            #expect(try await two.ask(.delete, "/streams/a", nil, ["If-Match": "\"3\""]).status == .noContent)
        }
    }

    /// A dependent that no longer compiles keeps running, and says why it can't start again.
    @Test func aDependentKeepsRunning() async throws {
        let user = #"{"id": "user", "source": {"ref": "a"}}"#
        try await withHubs([Self.counter("a", step: 1), user]) { _, two, shared in
            try await two.hub.run("user").start()
            try await two.pass(2)
            try await shared.remove("a", ifRevision: 1, by: nil)
            try await two.until("it is gone") { try await two.ask(.get, "/streams/a").status == .notFound }
            try await two.until("the errors are known") {
                try await two.hub.document("user").isBlocked
            }
            try await two.pass(2.6)
            #expect(two.state("user") == .running)
            #expect(try await two.store.outputs(of: "user", run: nil, after: 0, limit: 9).count == 4)
        }
    }

    /// A newer hub may store what this one can't read.
    @Test func anUnreadableDocumentIsShown() async throws {
        try await withHubs([Self.counter("a", step: 1)]) { one, two, shared in
            try await two.hub.run("a").start()
            try await shared.replace(with: StreamDraft(id: "a", name: nil, text: "[1"), ifRevision: 1, by: nil)
            try await two.until("it is there") { try await two.hub.document("a").stored.revision == 2 }
            #expect(try await two.hub.document("a").isBlocked)
            #expect(two.state("a") == .running)
            let mended = Self.counter("a", step: 2)
            #expect(try await one.ask(.put, "/streams/a", mended, ["If-Match": "\"2\""]).status == .ok)
            try await two.until("it is mended") { try await !two.hub.document("a").isBlocked }
        }
    }

    @Test func groupsAreShared() async throws {
        try await withHubs([Self.counter("a", step: 1), Self.counter("b", step: 1)]) { one, two, _ in
            #expect(try await one.ask(.put, "/groups/blue").status == .created)
            #expect(try await one.ask(.put, "/groups/blue/streams/b").status == .noContent)
            #expect(try await one.ask(.put, "/groups/blue/streams/a").status == .noContent)
            try await two.until("the group is there") {
                let streams = try await two.ask(.get, "/groups/blue").json["streams"]?.array ?? []
                return streams.map { $0["id"] } == ["b", "a"]
            }
            #expect(try await two.ask(.delete, "/groups/blue/streams/b").status == .noContent)
            try await one.until("it has one") {
                try await one.ask(.get, "/groups/blue").json["streams"]?.array?.count == 1
            }
            #expect(try await two.ask(.delete, "/groups/blue").status == .noContent)
            try await one.until("it is gone") { try await one.ask(.get, "/groups/blue").status == .notFound }
        }
    }

    /// Filter stacks are documents as well.
    @Test func aStackReachesTheOtherHub() async throws {
        try await withHubs([Self.counter("a", step: 1)]) { one, two, _ in
            let stack = #"{"id": "calls", "filters": [{"timeout": {"seconds": 5}}]}"#
            let created = try await one.ask(.put, "/stacks/calls", stack, ["If-None-Match": "*"])
            #expect(created.status == .created, "\(created.text)")
            try await two.until("it is there") { try await two.ask(.get, "/stacks/calls").status == .ok }
            let other = stack.replacing("5", with: "7")
            #expect(try await two.ask(.put, "/stacks/calls", other, ["If-Match": "\"1\""]).status == .ok)
            try await one.until("it is edited") { try await one.ask(.get, "/stacks/calls").etag == "\"2\"" }
        }
    }

    /// Eight authors edit one document over both hubs, each from what it has read.
    @Test func noUpdateIsLost() async throws {
        let (authors, edits) = (8, 12)
        let text = #"{"id": "a", "description": "", "stream": []}"#
        try await withHubs([text]) { one, two, shared in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for author in 0..<authors {
                    let hub = author % 2 == 0 ? one : two
                    group.addTask {
                        for edit in 0..<edits {
                            while true {
                                let read = try await hub.ask(.get, "/streams/a")
                                let mark = "\(author).\(edit) \", \"stream\""
                                let next = read.text.replacing("\", \"stream\"", with: mark)
                                let tag = try #require(read.etag)
                                let answer = try await hub.ask(.put, "/streams/a", next, ["If-Match": tag])
                                if answer.status == .ok { break }
                                #expect(answer.status == .preconditionFailed, "\(answer.text)")
                                await Task.yield()
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let stored = try #require(try await shared.read("a"))
            #expect(stored.revision == 1 + authors * edits)
            for author in 0..<authors {
                for edit in 0..<edits { #expect(stored.text.contains("\(author).\(edit) ")) }
            }
            for hub in [one, two] {
                try await hub.until("it has the last") {
                    try await hub.hub.document("a").stored == stored
                }
            }
        }
    }

    /// Whatever is done through either hub, in any order and at the same time, both end with what is shared.
    @Test(arguments: 0..<6) func randomChangesReachBoth(_ seed: Int) async throws {
        try await withHubs([Self.counter("z", step: 1)]) { one, two, shared in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for author in 0..<4 {
                    let hub = author % 2 == 0 ? one : two
                    group.addTask { try await self.change(hub, Seeded(seed: UInt64(seed * 10 + author))) }
                }
                try await group.waitForAll()
            }
            let wanted = Set(try await shared.list().map { [$0.id, "\($0.revision)", $0.text] })
            let groups = Set(try await shared.groups().map { [$0.name] + $0.streams.sorted() })
            for hub in [one, two] {
                try await hub.until("it has what is shared") { await documents(hub) == wanted }
                try await hub.until("it has the groups") {
                    Set(try await hub.store.groups().map { [$0.name] + $0.streams.sorted() }) == groups
                }
                try await hub.until("its page has the groups") {
                    for group in groups {
                        let streams = try await hub.ask(.get, "/groups/\(group[0])").json["streams"]?.array ?? []
                        if streams.compactMap({ $0["id"]?.string }).sorted() != group.dropFirst().sorted() {
                            return false
                        }
                    }
                    return true
                }
                #expect(Set(try await hub.store.list().map { [$0.id, "\($0.revision)", $0.text] }) == wanted)
            }
        }
    }

    /// Makes random changes through a hub.
    private func change(_ hub: Hub, _ generator: Seeded) async throws {
        var random = generator
        for _ in 0..<40 {
            let id = ["a", "b", "c"].randomElement(using: &random) ?? "a"
            let text = Self.counter(id, step: Int.random(in: 1...99, using: &random))
            let tag = try await hub.ask(.get, "/streams/\(id)").etag
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                _ = try await hub.ask(
                    .put,
                    "/streams/\(id)",
                    text,
                    tag.map { ["If-Match": $0] } ?? ["If-None-Match": "*"]
                )
            case 5..<7:
                if let tag { _ = try await hub.ask(.delete, "/streams/\(id)", nil, ["If-Match": tag]) }
            case 7: _ = try await hub.ask(.put, "/groups/g")
            case 8: _ = try await hub.ask(.put, "/groups/g/streams/\(id)")
            default: _ = try await hub.ask(.delete, "/groups/g/streams/\(id)")
            }
        }
    }
}
#endif
