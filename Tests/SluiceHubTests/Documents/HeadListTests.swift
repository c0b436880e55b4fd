#if Hub
import HTTPTypes
import SluiceJSON
import SluiceRuns
import SluiceStore
import Testing

@testable import SluiceHub

/// The list of all streams, of which only what has changed is written again.
@Suite struct HeadListTests {
    private func hub(_ count: Int) async throws -> Hub {
        try await Hub((0..<count).map { Document.interval("s\($0)", 1) })
    }

    /// The list, which is that of all heads.
    @discardableResult
    private func list(_ hub: Hub) async throws -> Hub.Answer {
        let answer = try await hub.ask(.get, "/streams")
        #expect(answer.text == JSON.array(await hub.hub.heads("")).description)
        return answer
    }

    /// Each kind of change, and the number of heads that it has written again.
    @Test(arguments: [
        ("nothing", 0), ("start", 1), ("edit", 1), ("create", 1), ("delete", 0), ("start many", 30), ("stack", 0),
    ])
    func onlyWhatHasChangedIsWritten(_ change: String, _ expected: Int) async throws {
        let hub = try await hub(300)
        let tag = try await list(hub).etag
        let before = hub.hub.list.writtenCount
        switch change {
        case "start": _ = try await hub.ask(.post, "/streams/s7/start")
        case "edit": _ = try await hub.ask(.put, "/streams/s7", Document.interval("s7", 2), ["If-Match": "\"1\""])
        case "create": _ = try await hub.ask(.post, "/streams", Document.interval("new", 2))
        case "delete": _ = try await hub.ask(.delete, "/streams/s7", nil, ["If-Match": "\"1\""])
        case "start many": for number in 0..<30 { _ = try await hub.ask(.post, "/streams/s\(number * 9)/start") }
        case "stack": _ = try await hub.ask(.post, "/stacks", #"{"id": "k", "filters": [{"timeout": {"seconds": 2}}]}"#)
        default: break
        }
        try await hub.settle()
        let answer = try await list(hub)
        #expect(hub.hub.list.writtenCount - before == expected)
        #expect((answer.etag == tag) == (expected == 0 && change != "delete"))
    }

    /// A sender that has the list gets it again only where it has changed, and a status that changes nothing in it is no
    /// change.
    @Test func aListThatIsKnownIsNotSentAgain() async throws {
        let hub = try await hub(3)
        let first = try await list(hub)
        let tag = try #require(first.etag)
        let known = try await hub.ask(.get, "/streams", nil, ["If-None-Match": "\"other\", \(tag)"])
        #expect(known.status == .notModified && known.text.isEmpty && known.etag == tag)
        // The speed is not in the list.
        _ = try await hub.ask(.post, "/streams/s1/speed", #"{"speed": 2}"#)
        #expect(try await hub.ask(.get, "/streams", nil, ["If-None-Match": tag]).status == .notModified)
        _ = try await hub.ask(.post, "/streams/s1/start")
        let changed = try await hub.ask(.get, "/streams", nil, ["If-None-Match": tag])
        #expect(changed.status == .ok && changed.etag != tag)
        #expect(try changed.json[1]?["state"] == "running")
        let search = try await hub.ask(.get, "/streams?search=s1")
        #expect(try search.json.array?.count == 1 && search.etag == nil)
    }

    /// Streams that are removed and created again come last, as in the set of documents.
    @Test func randomChangesGiveTheListOfTheSet() async throws {
        let hub = try await hub(40)
        var (chance, revisions): (SeededChance, [Int: Int]) = (SeededChance(14), [:])
        for number in 0..<40 { revisions[number] = 1 }
        for _ in 0..<300 {
            let number = chance.next(40)
            if let revision = revisions[number] {
                switch chance.next(4) {
                case 0:
                    let match = ["If-Match": "\"\(revision)\""]
                    #expect(try await hub.ask(.delete, "/streams/s\(number)", nil, match).status == .noContent)
                    revisions[number] = nil
                case 1: _ = try await hub.ask(.post, "/streams/s\(number)/start")
                case 2: _ = try await hub.ask(.post, "/streams/s\(number)/stop")
                default: try await list(hub)
                }
            } else {
                let answer = try await hub.ask(.post, "/streams", Document.interval("s\(number)", 1))
                #expect(answer.status == .created)
                revisions[number] = try answer.json["revision"]?.int
            }
        }
        try await list(hub)
    }

    /// A request sees what was written before it, however many others read and write meanwhile.
    @Test(.timeLimit(.minutes(10))) func aRequestSeesWhatWasWrittenBefore() async throws {
        let hub = try await hub(6)
        let tasks = (0..<6).map { number in Task { try await write(to: "s\(number)", of: hub) } }
        for task in tasks { try await task.value }
    }

    private func write(to id: String, of hub: Hub) async throws {
        for round in 1...40 {
            let isRunning = round % 2 == 1
            _ = try await hub.ask(.post, "/streams/\(id)/" + (isRunning ? "start" : "stop"))
            let text = Document.interval(id, Double(round + 1))
            _ = try await hub.ask(.put, "/streams/\(id)", text, ["If-Match": "\"\(round)\""])
            let list = try await hub.ask(.get, "/streams").json
            let head = list.array?.first { $0["id"] == .string(id) }
            #expect(head?["state"] == .string(isRunning ? "running" : "idle"))
            #expect(head?["revision"]?.int == round + 1)
            let stored = try await hub.ask(.get, "/streams/\(id)")
            #expect(stored.text == text)
        }
    }

    /// Changes that nobody asks for are bounded: beyond that, all heads are written again.
    @Test func changesThatNobodyAsksForAreBounded() {
        var changed = ChangedIDs()
        #expect(changed.take() == nil && changed.take() == [])
        for number in 0..<1000 { changed.note("\(number)", of: 10) }
        #expect(changed.take()?.count == 1000)
        for number in 0..<100_000 { changed.note("\(number)", of: 10) }
        #expect(changed.take() == nil && changed.take() == [])
    }
}
#endif
