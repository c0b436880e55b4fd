#if HTTP
import SluiceRuns
import SluiceStreams

/// A publisher of runs whose stages have no subscribers: those of a member of a group.
protocol MemberPublisher: RunPublisher {}

extension MemberPublisher {
    var keepsMarks: Bool { false }
    func hasSubscribers(of stream: String) -> Bool { false }
    func publish(_ marks: [StageWatch.Mark], of stream: String) {}
    func discardValues(of stream: String) {}
    func count(_ event: RunEvent) {}
}
#endif
