#if Command
import Foundation
import SluiceClient
import SluiceJSON
import SluiceTestSupport
import Testing

/// Dead letters by command, against a hub in a process of its own.
@Suite(.timeLimit(.minutes(20))) struct DeadLettersTests {
    @Test func lettersAreListedShownResentAndDropped() async throws {
        let folder = try ScratchFolder()
        // No folder is open for files, so that every output is refused.
        let hub = try await ServedHub(store: folder.path + "/hub.sqlite")
        let client = try hub.client
        _ = try await client.create(
            #"{"id": "a", "source": {"values": [1, 2, 3]}, "sinks": [{"id": "log", "lines": {"path": "out.log", "onFailure": "skip"}}]}"#
        )
        try await client.start("a")
        var letters: [HubClient.DeadLetter] = []
        var looks = Looks()
        while letters.count < 3 {
            await looks.pause()
            letters = try await client.deadLetters(of: "a")
        }
        func run(_ arguments: String...) async throws -> (status: Int32, lines: [JSON]) {
            let outcome = try await Tool.sluice.run(["dead-letters", hub.address, "a"] + arguments)
            return (outcome.status, try outcome.lines.map { try JSON(parsing: $0) })
        }
        let listed = try await run()
        #expect(listed.status == 0 && listed.lines.map { $0["number"] } == [1, 2, 3])
        #expect(listed.lines.allSatisfy { $0["sink"] == "log" && $0["error"]?.string?.contains("--files") == true })
        let shown = try await run("--show", "2")
        #expect(shown.lines.first?["items"] == [2] && shown.lines.first?["request"] != nil)
        #expect(try await run("--drop", "1", "--drop", "3").status == 0)
        #expect(try await run().lines.map { $0["number"] } == [2])
        // It is refused again, and stays.
        #expect(try await run("--resend", "2").status == 0)
        #expect(try await run("--show", "7").status != 0)
    }
}
#endif
