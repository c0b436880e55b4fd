#if Hub
import Sluice
import SluiceRuns

/// The texts of the statuses of runs, which subscriptions share whose histories are read at the same time.
///
/// When many subscribers come at once, as after a restart of the hub, each needs the status of every run: each status is
/// written once, and not once for each of them. The texts are released with the last of these histories.
final class StatusTexts: Sendable {
    /// The texts by stream, each with the number of the event that published the status.
    private let texts = Locked<[String: (number: UInt64, text: StatusText)]>([:])

    /// Returns the text of a status.
    ///
    /// - Parameter number: the number of the event that published it.
    func text(of status: RunStatus, _ number: UInt64) -> StatusText {
        if let kept = texts.withLock({ $0[status.stream] }), kept.number == number { return kept.text }
        let text = StatusText(status)
        texts.withLock { texts in
            // The history of another subscriber may be newer.
            if texts[status.stream]?.number ?? 0 < number { texts[status.stream] = (number, text) }
        }
        return text
    }

    /// The number of texts.
    var count: Int { texts.withLock { $0.count } }
}
#endif
