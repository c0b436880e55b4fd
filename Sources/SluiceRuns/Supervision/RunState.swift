/// The state of a run.
package enum RunState: String, Sendable, Equatable, CaseIterable {
    /// The stream does not run: it was never started, or was stopped.
    case idle
    case running
    /// The run's time is paused.
    case paused
    /// The run has failed, and waits for its next attempt.
    case restarting
    case completed
    case failed
    /// The document has errors, and nothing ran before.
    case blocked

    /// A Boolean value that indicates whether the run continues when the process is started again.
    package var goesOn: Bool { self == .running || self == .paused || self == .restarting }
    /// A Boolean value that indicates whether the run has come to its end.
    package var hasEnded: Bool { self == .completed || self == .failed }
}
