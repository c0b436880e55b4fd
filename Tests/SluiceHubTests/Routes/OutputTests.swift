#if Hub
import HTTPTypes
import SluiceJSON
import SluiceStore
import Testing

@testable import SluiceHub

/// Outputs are read by one cursor, from run to run.
@Suite struct OutputTests {
    private func page(_ hub: Hub, _ query: String) async throws -> [JSON] {
        let answer = try await hub.ask(.get, "/streams/a/output?\(query)")
        #expect(answer.status == .ok, "\(answer.text)")
        return try answer.json.array ?? []
    }

    private func hub() async throws -> Hub {
        let hub = try await Hub([Document.items("a", [1, 2, 3])])
        for _ in 0..<3 {
            _ = try await hub.ask(.post, "/streams/a/start")
            try await hub.pass(5)
        }
        return hub
    }

    /// A consumer that reads page by page misses nothing of any run, whatever the size of its pages.
    @Test(arguments: 1...13) func readingContinuesIntoTheNextRun(_ limit: Int) async throws {
        let hub = try await hub()
        var (cursor, read) = ("start", [JSON]())
        while true {
            let page = try await page(hub, "after=\(cursor)&limit=\(limit)")
            guard let last = page.last?["cursor"]?.string else { break }
            read += page
            cursor = last
        }
        #expect(read.map { $0["run"]?.int } == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3])
        #expect(read.map { $0["sequence"]?.int } == [1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4])
        // A run that begins later is read from its beginning.
        _ = try await hub.ask(.post, "/streams/a/start")
        try await hub.pass(1.5)
        #expect(try await page(hub, "after=\(cursor)").map { $0["value"] } == [1])
    }

    @Test func withoutACursorTheNewestRunIsRead() async throws {
        let hub = try await hub()
        #expect(try await page(hub, "").map { $0["run"] } == [3, 3, 3, 3])
        #expect(try await page(hub, "run=2").map { $0["run"] } == [2, 2, 2, 2])
        #expect(try await page(hub, "run=2&after=2-3").map { $0["completed"] } == [true])
        #expect(try await page(hub, "run=2&after=start&limit=1").map { $0["cursor"] } == ["2-1"])
        #expect(try await hub.ask(.get, "/streams/a/output?run=2&after=1-3").status == .badRequest)
    }

    @Test(arguments: [
        "", "3", "-1", "1-", "-", "1-2-3", "a-b", "01-2", "1-02", "0-1", "1--2", "99999999999999999999-1",
    ])
    func whatIsNoCursorIsRefused(_ text: String) async throws {
        let hub = try await hub()
        #expect(try await hub.ask(.get, "/streams/a/output?after=\(text)").status == .badRequest, "\(text)")
    }

    /// A consumer that passes its old cursor misses no output of a run that begins after the stream was reset, or removed and
    /// created again, in this process or in the next one.
    @Test(arguments: [true, false], [true, false])
    func aCursorNeverMeansALaterRun(_ isRemoved: Bool, _ isRestarted: Bool) async throws {
        let (store, text) = (MemoryStreamStore(), Document.items("a", [1, 2, 3]))
        var hub = try await Hub([text], on: store)
        var cursors: [String] = []
        for round in 1...3 {
            _ = try await hub.ask(.post, "/streams/a/start")
            try await hub.pass(5)
            for cursor in cursors {
                let values = try await page(hub, "after=\(cursor)").map { $0["value"] }
                #expect(values == [1, 2, 3, nil], "round \(round), after \(cursor)")
            }
            cursors += try await page(hub, "after=start").compactMap { $0["cursor"]?.string }
            #expect(Set(cursors).count == 4 * round)
            if isRemoved {
                let revision = try #require(try await hub.ask(.get, "/streams/a").etag)
                #expect(try await hub.ask(.delete, "/streams/a", nil, ["If-Match": revision]).status == .noContent)
                #expect(try await hub.ask(.put, "/streams/a", text, ["If-None-Match": "*"]).status == .created)
            } else {
                #expect(try await hub.ask(.post, "/streams/a/reset").status == .ok)
            }
            guard isRestarted else { continue }
            await hub.hub.shutDown()
            hub = try await Hub(on: store, clock: hub.clock)
        }
    }

    @Test func aCursorOfWhatWasResetSaysSo() async throws {
        let hub = try await hub()
        _ = try await hub.ask(.post, "/streams/a/reset")
        let answer = try await hub.ask(.get, "/streams/a/output?after=3-4")
        #expect(answer.status == .gone)
        #expect(try answer.json["detail"]?.string?.contains("read on from \"start\"") == true)
        #expect(try await page(hub, "after=start") == [])
    }
}
#endif
