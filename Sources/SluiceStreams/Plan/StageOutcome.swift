/// A record of what an edit of a run does to a stage beyond its action: the plan prints it.
final class StageOutcome {
    /// A Boolean value that indicates whether something that waits becomes due at the instant of the edit.
    var isDueNow = false
    /// A Boolean value that indicates whether a stream of the run that the stage belongs to goes on.
    var isKnown = false
    /// A Boolean value that indicates whether the stage goes on or begins in one of them.
    var isRunning = false
    /// A Boolean value that indicates whether a changed expression takes the state.
    var isTried = false
    /// The reason that the state can't be kept; `nil` where it can.
    var failure: String?
}
