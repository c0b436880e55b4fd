#if Hub
import Sluice
import SluiceRuns

/// The texts of the statuses of runs, which the subscriptions of a second share.
///
/// When many subscribers come at once, as after a restart of the hub, each needs the status of every run: each status is
/// written once, and not once for each of them. The texts are released with the last of the histories that share them: no more
/// are added than these have statuses, however slowly one of them is read.
final class StatusTexts: Sendable {
    /// The instant from which they are shared.
    private let begun: Int64
    /// The texts by stream, each with the number of the event that published the status.
    private let texts = Locked<[String: (number: UInt64, text: StatusText)]>([:])

    /// The time for which subscriptions come to share them, in nanoseconds.
    private static let sharingTime: Int64 = 1_000_000_000

    /// Makes texts that are shared from an instant on.
    init(from now: Int64) { begun = now }

    /// Returns a Boolean value that indicates whether a subscription of an instant shares them.
    func areShared(at now: Int64) -> Bool { now - begun < Self.sharingTime }

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
