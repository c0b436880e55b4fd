import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// Runs that can't keep up.
@Suite(.timeLimit(.minutes(20))) struct BehindTests {
    /// Ten million ticks are due after 1,000 s, and a turn does one of them.
    private func hopeless() async throws -> Supervised {
        let text = #"{"source": {"interval": {"seconds": 0.0001}}, "operators": [{"map": {"expression": "x * 2"}}]}"#
        let stream = try await Supervised(text, quantum: .zero)
        try await stream.supervisor.start()
        stream.timer.move(to: 1_000_000_000_000)
        return stream
    }

    @Test func itIsPaused() async throws {
        let stream = try await hopeless()
        await stream.supervisor.pause()
        let status = try #require(stream.publisher.last)
        #expect(status.state == .paused && status.lag == nil)
        // Its time is where it was, and what was due is still to come.
        let time = status.pace.time(at: stream.timer.now)
        #expect(time.seconds < 1000)
        await stream.settle()
        let count = try await stream.outputs().count
        stream.timer.move(to: stream.timer.now + 5_000_000_000)
        await stream.settle()
        #expect(try await stream.outputs().count == count)
        try await stream.supervisor.step()
        #expect(
            stream.publisher.last.map { $0.pace.time(at: stream.timer.now).nanoseconds - time.nanoseconds } == 100_000
        )
        await stream.supervisor.stop()
    }

    @Test func itIsStoppedAndReset() async throws {
        let stream = try await hopeless()
        await stream.supervisor.stop()
        #expect(stream.publisher.last?.state == .idle)
        try await stream.supervisor.start()
        stream.timer.move(to: 2_000_000_000_000)
        try await stream.supervisor.reset()
        #expect(stream.publisher.last?.state == .idle)
        #expect(try await stream.store.run(of: "a") == nil)
        await stream.settle()
    }

    @Test func itIsEdited() async throws {
        let stream = try await hopeless()
        let edited = #"{"source": {"interval": {"seconds": 1}}, "operators": [{"map": {"expression": "x * 2"}}]}"#
        let plan = try await stream.supervisor.edit(to: Supervised.program(edited, revision: 2))
        #expect(plan?.keepsAll == true && stream.publisher.last?.revision == 2)
        // Now it keeps up, and catches up with the clock, as soon as the store has taken what waits.
        await stream.pass(1)
        #expect(stream.publisher.last.map { $0.state == .running && $0.lag == nil } == true)
        let values = try await stream.outputs().compactMap { Int($0.split(separator: " ")[2]) }
        #expect(values == values.indices.map { $0 * 2 } && values.count > 900)
        await stream.supervisor.stop()
    }

    @Test func itEndsWithTheProcess() async throws {
        let stream = try await hopeless()
        await stream.supervisor.shutDown()
        await stream.settle()
        #expect(try await stream.store.run(of: "a")?.state == "running")
    }

    @Test func itsLagIsPublishedUntilItHasCaughtUp() async throws {
        let text = #"{"source": {"interval": {"seconds": 1, "count": 60}}}"#
        let stream = try await Supervised(text, quantum: .zero)
        try await stream.supervisor.start()
        stream.timer.move(to: 30_500_000_000)
        await stream.settle()
        let lags = stream.publisher.statuses.withLock { $0 }.map(\.lagSeconds)
        #expect(lags.contains { $0.map { $0 > 20 } ?? false } && lags.last == .some(nil), "\(lags)")
        #expect(try await stream.outputs().count == 30)
        let behind = stream.publisher.statuses.withLock { $0.first { $0.lag != nil } }
        let json = try #require(behind).json(at: 30_500_000_000)
        #expect((json["lag"]?.double ?? 0) + (json["time"]?.double ?? 0) == 30.5, "\(json)")
        await stream.supervisor.stop()
    }

    /// However short the turns are, the output is the same.
    @Test func nothingIsLostOrChangedByTurns() async throws {
        let text = #"""
            {"source": {"merge": [{"interval": {"seconds": 0.3, "count": 30}}, {"range": {"from": 1, "count": 5}},
              {"interval": {"seconds": 0.5, "count": 20}}]},
             "operators": [{"scan": {"expression": "acc + x"}}, {"delay": {"seconds": 0.1}}, {"collect": {"count": 2}}]}
            """#
        var outputs: [[String]] = []
        for quantum in [Duration.zero, .seconds(3600)] {
            let stream = try await Supervised(text, quantum: quantum)
            try await stream.supervisor.start()
            stream.timer.move(to: 20_000_000_000)
            await stream.settle()
            #expect(stream.publisher.last?.state == .completed)
            outputs.append(try await stream.outputs())
        }
        #expect(outputs[0] == outputs[1] && outputs[0].count > 20)
    }
}
