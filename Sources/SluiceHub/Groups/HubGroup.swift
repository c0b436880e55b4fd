import NIOCore
import SluiceJSON

/// A group of clients: which streams it has, and who is in it.
struct HubGroup {
    /// The group that has every stream.
    static let all = "all"

    /// A process that runs what the hub gives its group.
    struct Member {
        let name: String?
        /// When it last reported: on the timer, and by the time of day.
        var seen: Int64
        var date: String
        /// What it said of its streams.
        var streams: JSON
        /// Whether it was there when that was last looked at.
        var isPresent = true
    }

    /// A document as a group was told of it.
    struct Sent: Equatable {
        let revision: Int
        let isReference: Bool
    }

    let name: String
    /// The streams that were given to it, in that order; not said of the group that has all.
    var streams: [String] = []
    var members: [String: Member] = [:]
    var listeners: [Int: EventListener] = [:]
    /// What those who listen know.
    var sent: [String: Sent] = [:]
    /// What they were told, for those who come back.
    var notices = KeptNotices(limit: 256)
    var last: UInt64 = 0

    /// How long a member is taken to be there after a report, and is remembered, in nanoseconds.
    static let patience: Int64 = 30_000_000_000
    static let memory: Int64 = 3_600_000_000_000
    /// How many events wait for a slow member.
    static let backlog = 1024
}
