import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// The `behind` setting of documents whose runs can't keep up.
@Suite(.timeLimit(.minutes(20))) struct BehindPolicyTests {
    private func text(_ policy: String?, operators: String = "") -> String {
        let behind = policy.map { #""behind": "\#($0)", "# } ?? ""
        return #"{\#(behind)"source": {"interval": {"seconds": 1, "count": 100}}, "operators": [\#(operators)]}"#
    }

    private func outputs(_ policy: String?, restart: RestartPolicy = .never) async throws -> (Supervised, [String]) {
        var settings = RunSettings()
        settings.restart = restart
        let stream = try await Supervised(text(policy), quantum: .zero, settings: settings)
        try await stream.supervisor.start()
        await stream.pass(3)
        // For seven seconds nobody had time for it.
        stream.timer.move(to: 10_250_000_000)
        await stream.settle()
        await stream.pass(2)
        return (stream, try await stream.outputs())
    }

    @Test func slowLosesNothing() async throws {
        for policy in [nil, "slow"] {
            let (stream, outputs) = try await outputs(policy)
            #expect(outputs == (1...12).map { "\($0) \($0) \($0 - 1)" })
            #expect(stream.publisher.last?.skipped == 0)
        }
    }

    @Test func skipLeavesOutAllButTheNewestTick() async throws {
        let (stream, outputs) = try await outputs("skip")
        #expect(outputs == ["1 1 0", "2 2 1", "3 3 2", "4 10 9", "5 11 10", "6 12 11"])
        let status = try #require(stream.publisher.last)
        #expect(status.skipped == 6 && status.json(at: 0)["skipped"] == 6)
        await stream.pass(200)
        #expect(stream.publisher.last?.state == .completed)
        #expect(try await stream.outputs().suffix(2).map { String($0.drop { $0 != " " }) } == [" 100 99", " 100 "])
    }

    @Test func failFails() async throws {
        let (stream, outputs) = try await outputs("fail")
        #expect(stream.publisher.last?.state == .failed)
        let error = stream.publisher.last?.error ?? ""
        #expect(error.contains("seconds behind") && outputs.last?.hasSuffix(error) == true, "\(outputs)")
    }

    /// Ticks that came due while the process was away are no reason to fail.
    @Test func failDoesNotFailAfterARestart() async throws {
        let stream = try await Supervised(text("fail"), quantum: .zero)
        try await stream.supervisor.start()
        await stream.pass(3)
        await stream.supervisor.shutDown()
        stream.timer.move(to: 30_000_000_000)
        let next = RunSupervisor("a", try Supervised.program(text("fail"), revision: 1), stream.environment)
        let stored = try #require(try await stream.store.run(of: "a"))
        try await next.resume(stored, journal: [])
        await stream.settle()
        #expect(stream.publisher.last.map { $0.state == .running && $0.lag == nil } == true)
        await next.save()
        #expect(try await stream.store.outputs(of: "a", run: nil, after: 0, limit: 100).count == 30)
        await next.stop()
    }

    /// A run that is killed after it has left out ticks leaves out the same when it continues.
    @Test func whatIsLeftOutIsInTheJournal() async throws {
        let text = text("skip", operators: #"{"scan": {"expression": "acc + x"}}"#)
        let stream = try await Supervised(text, quantum: .zero)
        try await stream.supervisor.start()
        await stream.pass(3.99)
        await stream.supervisor.save()
        let stored = try #require(try await stream.store.run(of: "a"))
        stream.timer.move(to: 10_250_000_000)
        await stream.settle()
        let given = try await stream.outputs()
        let program = try Supervised.program(text, revision: 1)
        let run = try StreamRun(
            driving: program.document,
            from: StreamCheckpoint(parsing: try #require(stored.checkpoint)),
            replaying: [
                StreamInput(source: "", time: try #require(StreamTime(seconds: 3)), item: ["skipped", 10_250_000_000])
            ],
            in: program.library,
            host: StreamHost()
        )
        run.advance(to: try #require(StreamTime(seconds: 10.25)))
        var values: [JSON] = []
        while let value = run.next()?.value { values.append(value) }
        #expect(values == [0, 1, 3, 12] && given.last == "4 10 12", "\(given)")
        await stream.supervisor.stop()
    }

    /// Items of `poll` that wait while the run is behind are overdue too. The journal has what was taken.
    @Test func skipLeavesOutAllButTheNewestPoll() async throws {
        let sent = AsyncStream.makeStream(of: Void.self)
        var host = StreamHost()
        host.register("poll") { _, inlet in
            for item in Int64(1)...4 { try await inlet.send(.int(item)) }
            sent.continuation.finish()
            // Until it is canceled.
            for await _ in AsyncStream(Never.self, { _ in }) {}
        }
        let document = try StreamDocument(
            parsing: #"{"behind": "skip", "source": {"poll": {"url": "http://a.example/", "seconds": 1}}}"#
        )
        var journal: [JSON] = []
        let run = try StreamRun(
            driving: document,
            from: nil,
            journal: { journal.append($0.item) },
            in: StreamLibrary(),
            host: host
        )
        run.advance(to: .zero)
        for await _ in sent.stream {}
        let time = try #require(StreamTime(seconds: 9))
        #expect(run.skipOverdue(at: time) == 3 && run.skipOverdue(at: time) == 0)
        var values: [JSON] = []
        while run.letIn(at: time) { while let value = run.next()?.value { values.append(value) } }
        #expect(values == [4] && journal.count == 1)
    }
}
