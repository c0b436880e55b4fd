import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// Runs whose outputs have a subscriber that may be slow.
@Suite(.timeLimit(.minutes(20))) struct SubscribedRunTests {
    /// A subscriber that takes outputs while it has room.
    private final class Subscriber: RunPublisher {
        let outputs = Locked<[Int]>([])
        let changes = Locked<[String]>([])
        let room = Locked(Int.max)
        let isRead = Locked(true)
        private let turn = Locked<(@Sendable () -> Void)?>(nil)

        func publish(_ event: StreamEvent<JSON>, number: Int, of status: RunStatus) {
            outputs.withLock { $0.append(number) }
        }
        func publish(_ change: RunChange, of status: RunStatus, _ program: RunProgram) {
            let text =
                switch change {
                case .began(let afterFailure): afterFailure ? "began after a failure" : "began"
                case .resumed(let afterFailure): afterFailure ? "resumed after a failure" : "resumed"
                case .edited: "edited"
                }
            changes.withLock { $0.append("\(program.revision) \(text)") }
        }
        func hasRoom(for stream: String) -> Bool {
            outputs.withLock { $0.count } < room.withLock { $0 }
        }
        func makeRoom(_ count: Int) {
            room.withLock { $0 = count }
            turn.withLock { $0 }?()
        }
        func isDrained(_ stream: String) -> Bool { isRead.withLock { $0 } }
        func onSubscription(of stream: String, _ body: (@Sendable () -> Void)?) { turn.withLock { $0 = body } }
        var keepsMarks: Bool { false }
        func publish(_ status: RunStatus, isNewRun: Bool) {}
        func publish(_ marks: [StageWatch.Mark], of stream: String) {}
        func discardValues(of stream: String) {}
        func hasSubscribers(of stream: String) -> Bool { false }
        func count(_ event: RunEvent) {}
    }

    private let subscriber = Subscriber()

    private func supervised(_ text: String, _ settings: RunSettings = RunSettings()) async throws -> Supervised {
        try await Supervised(text, settings: settings, publisher: subscriber)
    }

    @Test func aRunWaitsForItsSubscriber() async throws {
        subscriber.room.withLock { $0 = 3 }
        let stream = try await supervised(#"{"source": {"range": {"from": 0, "count": 10}}}"#)
        try await stream.supervisor.start()
        await stream.settle()
        #expect(subscriber.outputs.withLock { $0 } == [1, 2, 3])
        subscriber.makeRoom(5)
        await stream.settle()
        #expect(subscriber.outputs.withLock { $0 } == [1, 2, 3, 4, 5])
        subscriber.makeRoom(.max)
        await stream.settle()
        #expect(subscriber.outputs.withLock { $0 } == Array(1...11))  // with the end
        #expect(try await stream.outputs().count == 11)
    }

    /// A checkpoint would keep the outputs before it from being published again.
    @Test func noCheckpointIsStoredBeforeTheOutputsWereTaken() async throws {
        let stream = try await supervised(#"{"source": {"interval": {"seconds": 1}}}"#)
        subscriber.isRead.withLock { $0 = false }
        try await stream.supervisor.start()
        await stream.pass(3.5)
        #expect(try await stream.store.run(of: "a")?.checkpoint == nil)
        #expect(subscriber.outputs.withLock { $0 }.isEmpty)
        subscriber.isRead.withLock { $0 = true }
        subscriber.makeRoom(.max)
        await stream.pass(2)
        #expect(try await stream.store.run(of: "a")?.checkpoint != nil)
        #expect(subscriber.outputs.withLock { $0 } == [1, 2, 3, 4, 5])
    }

    @Test func outputsThatAreNotStoredTakeNoRoom() async throws {
        var settings = RunSettings()
        settings.isDurable = false
        let stream = try await supervised(#"{"source": {"range": {"from": 0, "count": 30000}}}"#, settings)
        try await stream.supervisor.start()
        await stream.settle()
        #expect(subscriber.outputs.withLock { $0.count } == 30_001)
    }

    @Test func aProgramIsTakenWhateverTheRunDoes() async throws {
        var settings = RunSettings()
        settings.restart = .onFailure(from: .seconds(1), to: .seconds(1), maxRestarts: 1)
        let stream = try await supervised(#"{"source": {"interval": {"seconds": 1}}}"#, settings)
        func take(_ revision: Int, _ text: String) async throws {
            try await stream.supervisor.take(Supervised.program(text, revision: revision))
            await stream.settle()
        }
        try await take(1, #"{"source": {"interval": {"seconds": 1}}}"#)
        try await take(2, #"{"source": {"interval": {"seconds": 2}}}"#)
        try await take(3, #"{"source": {"values": [1]}}"#)
        try await take(4, #"{"source": {"fail": "broken"}}"#)
        await stream.pass(5)
        #expect(await stream.supervisor.status.state == .failed)
        try await take(5, #"{"source": {"interval": {"seconds": 1}}}"#)
        #expect(await stream.supervisor.status.state == .running)
        #expect(
            subscriber.changes.withLock { $0 } == [
                "1 began", "2 edited", "3 edited", "4 began", "4 resumed after a failure", "4 resumed",
                "5 edited",
            ]
        )
        await stream.supervisor.stop()
    }
}
