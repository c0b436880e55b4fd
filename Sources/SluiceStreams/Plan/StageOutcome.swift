/// A record of the effects of an edit on a running stage, in addition to its action; the plan prints it.
final class StageOutcome {
    /// A Boolean value that indicates whether a waiting item becomes due at the instant of the edit.
    var isDueNow = false
    /// A Boolean value that indicates whether a running stream that the stage belongs to continues.
    var isKnown = false
    /// A Boolean value that indicates whether the stage continues or begins in one of these streams.
    var isRunning = false
    /// A Boolean value that indicates whether a changed expression accepts the state.
    var isTried = false
    /// The reason why the state can't be kept; `nil` if it can.
    var failure: String?
    /// The numbers of running streams for which a changed condition chooses the same stream as before, and another one.
    private var choices = (same: 0, other: 0)

    /// Records the stream that a changed condition chooses.
    func noteChoice(isOther: Bool, _ key: String) {
        isTried = true
        if isOther { choices.other += 1 } else { choices.same += 1 }
        guard choices.other > 0 else { return }
        failure =
            choices.same + choices.other == 1
            ? "the condition chooses \"\(key)\""
            : "the condition chooses another stream for \(choices.other) of \(choices.same + choices.other) items"
    }
}
