import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceHub

@Suite struct HubRunTests {
    func run(_ text: String) throws -> HubRun { HubRun(flow: try StreamDocument(parsing: text).flow()) }

    /// Names and data of the notices up to the end of a run; of `run` the data without its time.
    func heard(_ notices: AsyncStream<HubRun.Notice>) async -> [String] {
        var heard: [String] = []
        for await notice in notices {
            heard.append(notice.name == "run" ? "\(notice.id) run" : "\(notice.id) \(notice.data)")
            if ["completed", "failed"].contains(notice.name) { break }
        }
        return heard
    }

    @Test func listeningStartsTheRun() async throws {
        let run = try run(#"{"stream": [{"value": 1}, {"value": "two"}]}"#)
        #expect(await run.state == .idle)
        #expect(
            await heard(run.listen()) == [
                "1-0 run", #"1-1 {"time": 0, "value": 1}"#, #"1-2 {"time": 0, "value": "two"}"#,
                #"1-3 {"time": 0, "completed": true}"#,
            ]
        )
        #expect(await run.state == .completed)
    }

    @Test func runThatHasEndedIsStartedAgain() async throws {
        let run = try run(#"{"stream": [{"value": 1}]}"#)
        _ = await heard(run.listen())
        #expect(await heard(run.listen()).first == "2-0 run")
    }

    @Test func lateListenerHearsTheWholeRun() async throws {
        let run = try run(#"{"stream": [{"value": 1}, {"value": 2, "operators": [{"delay": {"seconds": 3600}}]}]}"#)
        var first = await run.listen().makeAsyncIterator()
        #expect(await first.next()?.name == "run")
        #expect(await first.next()?.data == #"{"time": 0, "value": 1}"#)
        var second = await run.listen().makeAsyncIterator()
        let beginning = await second.next()
        #expect(beginning?.name == "run")
        let data = try JSON(parsing: beginning?.data ?? "")
        #expect(data["run"] == 1)
        #expect(data["state"] == "running")
        #expect((data["elapsed"]?.double ?? -1) >= 0)
        #expect(await second.next()?.data == #"{"time": 0, "value": 1}"#)
        await run.shutDown()
        #expect(await first.next() == nil)
        #expect(await second.next() == nil)
    }

    @Test func everyListenerHearsANewStart() async throws {
        let run = try run(#"{"stream": [{"value": 1, "operators": [{"delay": {"seconds": 3600}}]}]}"#)
        var (first, second) = (await run.listen().makeAsyncIterator(), await run.listen().makeAsyncIterator())
        #expect(await first.next()?.id == "1-0")
        #expect(await second.next()?.id == "1-0")
        await run.start()
        #expect(await first.next()?.id == "2-0")
        #expect(await second.next()?.id == "2-0")
        await run.shutDown()
    }

    @Test func keepAliveSaysNothing() async throws {
        let run = try run(#"{"stream": [{"value": 1, "operators": [{"delay": {"seconds": 3600}}]}]}"#)
        var listener = await run.listen().makeAsyncIterator()
        _ = await listener.next()
        await run.keepAlive()
        #expect(await listener.next()?.name == "")
        await run.shutDown()
    }

    @Test func oneWhoComesBackDoesNotStartTheRunAgain() async throws {
        let run = try run(#"{"stream": [{"value": 1}]}"#)
        _ = await heard(run.listen())
        #expect(await heard(run.listen(after: "1-1")).first == "1-0 run")
        #expect(await heard(run.listen(after: "0-9")).first == "2-0 run")  // of an older run
        for strange in ["", "x", "2", "2-", "-", "2-1-1", "99999999999999999999-1"] {
            #expect(await heard(run.listen(after: strange)).last?.hasSuffix(#"{"time": 0, "completed": true}"#) == true)
        }
    }

    @Test func longRunIsToldWithItsGap() async throws {
        let count = HubRun.backlog + 1904
        let items = (0..<count).map { #"{"value": \#($0)}"# }.joined(separator: ",")
        let run = try run(#"{"stream": [\#(items)]}"#)
        _ = await heard(run.listen())
        let late = await heard(run.listen(after: "1-1"))
        #expect(late.count == HubRun.backlog + 2)
        #expect(
            late.suffix(3) == [
                #"1-\#(HubRun.backlog - 1) {"time": 0, "value": \#(HubRun.backlog - 2)}"#,
                #"1-\#(count) {"before": 0}"#,
                #"1-\#(count + 1) {"time": 0, "completed": true}"#,
            ]
        )
        #expect(Set(late).count == late.count)
    }

    @Test func slowListenerIsDropped() async throws {
        let items = (0..<(3 * HubRun.backlog)).map { #"{"value": \#($0)}"# }.joined(separator: ",")
        let run = try run(#"{"stream": [\#(items)]}"#)
        let slow = await run.listen()
        let quick = await run.listen()
        for await notice in quick where notice.name == "completed" { break }
        var kept = 0
        for await _ in slow { kept += 1 }
        #expect(kept <= 2 * HubRun.backlog)
    }
}
