package import SluiceJSON
package import SluiceStreams

/// Publishes runs to subscribers.
package protocol RunPublisher: Sendable {
    /// Publishes the status of a run; `isNewRun` discards what was published of the one before.
    func publish(_ status: RunStatus, isNewRun: Bool)

    /// Publishes what passed between the stages of a run.
    func publish(_ marks: [StageWatch.Mark], of stream: String)

    /// Discards the values that were published of a run, for subscribers that come later.
    func discardValues(of stream: String)

    /// Returns a Boolean value that indicates whether somebody subscribes to the stages of a run.
    func hasSubscribers(of stream: String) -> Bool

    /// Has `body` called whenever somebody subscribes to the stages of a run; `nil` takes that back.
    func onSubscription(of stream: String, _ body: (@Sendable () -> Void)?)

    /// Counts an event in the life of runs.
    func count(_ event: RunEvent)

    /// Publishes an output of a run. An output that was not followed by a checkpoint is published again after the run has
    /// resumed, with the same number.
    ///
    /// - Parameter number: the number of the output in its run, from 1. The failure of a run that is restarted has the
    ///   number of the output that comes after it.
    func publish(_ event: StreamEvent<JSON>, number: Int, of status: RunStatus)

    /// Publishes that a run has begun, resumed, or taken up another document, between the outputs before and after it.
    ///
    /// - Parameter program: the document that runs now.
    func publish(_ change: RunChange, of status: RunStatus, _ program: RunProgram)

    /// Returns a Boolean value that indicates whether subscribers can take more outputs. If not, the run waits, and the
    /// publisher makes the call of ``onSubscription(of:_:)`` when they can.
    func hasRoom(for stream: String) -> Bool

    /// Returns a Boolean value that indicates whether subscribers have taken all outputs that were published of a stream.
    /// If not, no checkpoint is stored, after which they would not be published again; the run waits, and the publisher
    /// makes the call of ``onSubscription(of:_:)`` when they have.
    func isDrained(_ stream: String) -> Bool

    /// Takes the sinks of a run that begins, resumes, or is edited. A new sink begins after an output of the run.
    ///
    /// - Parameters:
    ///   - sinks: the sinks of the document that runs now.
    ///   - number: the number of the last output of the run; 0 before the first.
    ///   - status: the status of the run.
    ///   - keepsOthers: A Boolean value that indicates whether the stream keeps its other sinks: an edit that has them
    ///     follows, or has been refused by the run.
    func use(_ sinks: [CompiledSink], after number: Int, of status: RunStatus, keepsOthers: Bool)

    /// Notes that outputs of a stream were stored.
    func noteStored(_ stream: String)

    /// Forgets the outputs of a stream up to a run, which were removed from the store.
    func forgetOutputs(of stream: String, upTo run: Int)

    /// A Boolean value that indicates whether values are kept for subscribers to the stages that come later.
    var keepsMarks: Bool { get }
}

extension RunPublisher {
    package func publish(_ event: StreamEvent<JSON>, number: Int, of status: RunStatus) {}
    package func publish(_ change: RunChange, of status: RunStatus, _ program: RunProgram) {}
    package func hasRoom(for stream: String) -> Bool { true }
    package func isDrained(_ stream: String) -> Bool { true }
    package var keepsMarks: Bool { true }
    package func use(_ sinks: [CompiledSink], after number: Int, of status: RunStatus, keepsOthers: Bool) {}
    package func noteStored(_ stream: String) {}
    package func forgetOutputs(of stream: String, upTo run: Int) {}
}

/// A change in the life of a run.
package enum RunChange: Sendable {
    /// A new run has begun, after the failure of the one before or not.
    case began(afterFailure: Bool)
    /// The run continues from its last checkpoint, after it has failed or not.
    case resumed(afterFailure: Bool)
    /// The run has taken up another document.
    case edited(StreamPlan)
}
