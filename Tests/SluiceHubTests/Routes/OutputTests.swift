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
