#if Hub
import NIOCore
import SluiceJSON
import SluiceRuns

/// A group of clients: its streams and its members.
struct HubGroup {
    /// The group that has every stream.
    static let all = "all"

    /// A process that runs what the hub gives its group.
    struct Member {
        let name: String?
        /// The time of its last report: on the timer, and by the time of day.
        var seen: Int64
        var date: String
        /// The states of its streams, from its last report.
        var streams: JSON
        /// A Boolean value that indicates whether it was present at the last check.
        var isPresent = true
    }

    let name: String
    /// The streams that were given to it, in that order; empty for the group that has all.
    private(set) var streams: [String]
    /// The same, to look one up.
    private var given: Set<String>
    var members: [String: Member] = [:]
    var subscribers: [Int: EventSubscriber] = [:]
    /// The documents that its subscribers know.
    var set = GroupSet()
    /// The events that subscribers were sent, kept for those that come back.
    var notices: KeptNotices
    var last: UInt64 = 0

    init(name: String, streams: [String] = [], ring: Int = 8 << 20) {
        (self.name, self.streams, given) = (name, streams, Set(streams))
        notices = KeptNotices(limit: 256, size: ring)
    }

    /// Returns a Boolean value that indicates whether a stream was given to the group.
    func has(_ stream: String) -> Bool { name == Self.all || given.contains(stream) }

    /// Gives the group a stream, or takes one from it; returns whether that changes anything.
    mutating func change(_ stream: String, isGiven: Bool) -> Bool {
        if isGiven {
            guard given.insert(stream).inserted else { return false }
            streams.append(stream)
        } else {
            guard given.remove(stream) != nil else { return false }
            streams.removeAll { $0 == stream }
        }
        return true
    }

    /// Takes all streams from the group.
    mutating func clear() { (streams, given) = ([], []) }

    /// Brings the documents that subscribers know up to date; see ``GroupSet/update(_:_:isOwn:in:)``.
    mutating func update(
        _ ids: some Sequence<String>,
        _ texts: some Sequence<String> = [String](),
        in documents: DocumentSet
    ) -> GroupSet.Changes {
        let (isAll, given) = (name == Self.all, given)
        return set.update(
            ids,
            texts,
            isOwn: { isAll ? documents[$0]?.isStack == false : given.contains($0) },
            in: documents
        )
    }

    /// The time for which a member counts as present after a report, and the time for which it is remembered, in
    /// nanoseconds.
    static let patience: Int64 = 30_000_000_000
    static let memory: Int64 = 3_600_000_000_000
    /// The number of events that may wait for a slow member.
    static let backlog = 1024
}
#endif
