import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// Runs that have failed, or were stopped, and continue.
@Suite(.timeLimit(.minutes(20))) struct ResumeTests {

    private func until(_ holds: () async throws -> Bool) async throws {
        while try await !holds() { await Task.yield() }
    }

    private let scan =
        #"{"source": {"outside": "sensor"}, "operators": [{"scan": {"expression": "acc + x", "initialValue": 0}}]}"#

    @Test func aRestartedRunContinuesFromItsCheckpoint() async throws {
        let stream = try await Supervised(
            scan,
            settings: .unpluggedSensor(.onFailure(from: .seconds(1), to: .seconds(60)))
        )
        try await stream.supervisor.start()
        try await until { stream.publisher.last?.state == .restarting }
        #expect(stream.publisher.last?.error == "the sensor is unplugged")
        await stream.pass(2)
        try await until { try await stream.outputs().count == 6 }
        #expect(try await stream.outputs().map { $0.split(separator: " ").last } == ["1", "3", "6", "7", "9", "12"])
        #expect(stream.publisher.last.map { $0.run == 1 && $0.state == .running && $0.error == nil } == true)
        await stream.supervisor.stop()
    }

    @Test func aFailedRunIsResumedByRequest() async throws {
        let stream = try await Supervised(scan, settings: .unpluggedSensor())
        try await stream.supervisor.start()
        try await until { stream.publisher.last?.state == .failed }
        #expect(try await stream.outputs().last == "4 0 the sensor is unplugged")
        try await stream.supervisor.resume()
        try await until { try await stream.outputs().count == 7 }
        // The failure keeps its number, and none is given twice.
        let outputs = try await stream.outputs().map { $0.split(separator: " ").first }
        #expect(outputs == ["1", "2", "3", "4", "5", "6", "7"])
        #expect(try await stream.outputs().last?.hasSuffix(" 12") == true)
        await stream.supervisor.stop()
    }

    @Test func aStoppedRunIsResumedAndStartBeginsANewOne() async throws {
        let text = #"{"source": {"interval": {"seconds": 1}}, "operators": [{"scan": {"expression": "acc + x"}}]}"#
        let stream = try await Supervised(text)
        try await stream.supervisor.start()
        await stream.pass(3.5)
        await stream.supervisor.stop()
        await stream.pass(1)
        try await stream.supervisor.resume()
        await stream.pass(2)
        #expect(stream.publisher.last?.run == 1)
        let values = try await stream.outputs().map { $0.split(separator: " ").last }
        #expect(values.starts(with: ["0", "1", "3", "6", "10"]), "\(values)")
        await stream.supervisor.pause()
        try await stream.supervisor.start()
        #expect(stream.publisher.last.map { $0.run == 2 && $0.state == .running } == true)
        await stream.supervisor.stop()
    }

    @Test func anEditOfAFailedRunTakesEffectWhenItIsResumed() async throws {
        func text(_ map: String) -> String {
            #"""
            {"source": {"interval": {"seconds": 1}}, "operators": [{"id": "sum", "scan": {"expression": "acc + x"}},
              {"id": "part", "map": {"expression": "\#(map)"}}]}
            """#
        }
        let stream = try await Supervised(text("60 / (10 - x)"))
        try await stream.supervisor.start()
        await stream.pass(6)
        #expect(stream.publisher.last?.state == .failed)
        try await stream.supervisor.edit(to: Supervised.program(text("x"), revision: 2))
        try await stream.supervisor.resume()
        await stream.pass(1)
        #expect(stream.publisher.last.map { $0.revision == 2 && $0.state == .running } == true)
        let outputs = try await stream.outputs()
        #expect(outputs.prefix(4).map { $0.split(separator: " ").last } == ["6", "6", "8", "15"])
        #expect(outputs.dropFirst(5).first?.hasSuffix(" 10") == true, "\(outputs)")
        await stream.supervisor.stop()
    }

    @Test func aCompletedRunIsNotResumed() async throws {
        let stream = try await Supervised(#"{"source": {"values": [1]}}"#)
        try await stream.supervisor.start()
        await stream.settle()
        await #expect(throws: RunError.completed(stream: "a")) { try await stream.supervisor.resume() }
    }
}
