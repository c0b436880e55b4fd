package import SluiceStreams

/// A publisher of runs whose stages have no subscribers: those of a member of a group, and of a worker.
package protocol UnwatchedPublisher: RunPublisher {}

extension UnwatchedPublisher {
    package var keepsMarks: Bool { false }
    package func hasSubscribers(of stream: String) -> Bool { false }
    package func onSubscription(of stream: String, _ body: (@Sendable () -> Void)?) {}
    package func publish(_ marks: [StageWatch.Mark], of stream: String) {}
    package func discardValues(of stream: String) {}
    package func count(_ event: RunEvent) {}
}
