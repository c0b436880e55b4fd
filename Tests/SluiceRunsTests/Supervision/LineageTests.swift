import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// The lineage of values is found only while somebody looks.
@Suite(.timeLimit(.minutes(20))) struct LineageTests {
    private let text = #"{"source": {"interval": {"seconds": 1}}, "operators": [{"map": {"expression": "x * 10"}}]}"#

    private func shown(_ stream: Supervised) -> [String] {
        stream.publisher.marks.withLock { $0 }.map { mark in
            guard case .value(let value) = mark.mark.kind else { return "end" }
            return "\(mark.stage) \(value) \(mark.mark.origins)"
        }
    }

    @Test func withoutSubscribersNothingIsPublished() async throws {
        let stream = try await Supervised(text)
        stream.publisher.isSubscribed.withLock { $0 = false }
        try await stream.supervisor.start()
        await stream.pass(2)
        #expect(shown(stream).isEmpty)
        // A later subscriber sees earlier values; their origins are known from now on.
        stream.publisher.subscribe()
        await stream.settle()
        #expect(shown(stream) == ["0 0 [0]", "1 0 []", "0 1 [1]", "1 10 []"])
        await stream.pass(1)
        #expect(shown(stream).suffix(2) == ["0 2 [2]", "1 20 [2]"])
        await stream.supervisor.stop()
    }

    @Test func theValuesOfARunThatHasEndedAreSeen() async throws {
        let stream = try await Supervised(#"{"source": {"values": [1, 2]}}"#)
        stream.publisher.isSubscribed.withLock { $0 = false }
        try await stream.supervisor.start()
        await stream.settle()
        #expect(stream.publisher.last?.state == .completed && shown(stream).isEmpty)
        stream.publisher.subscribe()
        await stream.settle()
        #expect(shown(stream) == ["0 1 [0]", "0 2 [1]", "end"])
    }

    @Test func whatIsKeptIsBounded() async throws {
        let stream = try await Supervised(#"{"source": {"range": {"from": 0, "count": 20000}}}"#)
        stream.publisher.isSubscribed.withLock { $0 = false }
        try await stream.supervisor.start()
        await stream.settle()
        stream.publisher.subscribe()
        await stream.settle()
        let seen = shown(stream)
        #expect(seen.count < 5000 && seen.last == "end" && seen.dropLast().last == "0 19999 [19999]")
    }
}
