import Sluice
import SluiceStreams

@testable import SluiceRuns

/// Remembers what was published.
final class RecordingPublisher: RunPublisher {
    let statuses = Locked<[RunStatus]>([])
    let marks = Locked<[StageWatch.Mark]>([])
    let events = Locked<[RunEvent]>([])

    func publish(_ status: RunStatus, isNewRun: Bool) { statuses.withLock { $0.append(status) } }
    func publish(_ marks: [StageWatch.Mark], of stream: String) { self.marks.withLock { $0 += marks } }
    func discardValues(of stream: String) {}
    let isSubscribed = Locked(true)
    private let body = Locked<(@Sendable () -> Void)?>(nil)

    func hasSubscribers(of stream: String) -> Bool { isSubscribed.withLock { $0 } }
    func onSubscription(of stream: String, _ body: (@Sendable () -> Void)?) { self.body.withLock { $0 = body } }

    /// Subscribes to the stages.
    func subscribe() {
        isSubscribed.withLock { $0 = true }
        body.withLock { $0 }?()
    }

    func count(_ event: RunEvent) { events.withLock { $0.append(event) } }

    /// The last status that was published.
    var last: RunStatus? { statuses.withLock { $0.last } }
}
