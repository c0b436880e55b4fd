#if Hub
import Sluice
import SluiceRuns

/// Encoded run statuses that the subscriptions of one second share.
///
/// After a restart of the hub, many subscribers reconnect at once, and each needs the status of every run. The hub encodes each
/// status once for all of them. The last history that shares the texts releases them. Later subscriptions add nothing to them,
/// so a slow reader holds a bounded amount.
final class StatusTexts: Sendable {
    /// The instant of the first subscription that shares the texts.
    private let begun: Int64
    /// The texts by stream, each with the number of the event that published the status.
    private let texts = Locked<[String: (number: UInt64, text: StatusText)]>([:])

    /// The time after the first subscription in which others share the texts, in nanoseconds.
    private static let sharingTime: Int64 = 1_000_000_000

    /// Creates an empty set of texts for the subscriptions that begin within a second of `now`.
    init(from now: Int64) { begun = now }

    /// Returns a Boolean value that indicates whether a subscription that begins at `now` shares the texts.
    func areShared(at now: Int64) -> Bool { now - begun < Self.sharingTime }

    /// Returns the text of a status.
    ///
    /// - Parameter number: the number of the event that published it.
    func text(of status: RunStatus, _ number: UInt64) -> StatusText {
        if let kept = texts.withLock({ $0[status.stream] }), kept.number == number { return kept.text }
        let text = StatusText(status)
        texts.withLock { texts in
            // Another history may have added a newer status.
            if texts[status.stream]?.number ?? 0 < number { texts[status.stream] = (number, text) }
        }
        return text
    }

    /// The number of texts.
    var count: Int { texts.withLock { $0.count } }
}
#endif
