/// The lease of a stream as the hub keeps it: who may run the stream, until when, and under which number.
///
/// A number is used for one lease and only grows. What is stored under an older one is refused. Instants are nanoseconds
/// of the hub's monotonic clock.
package struct StreamLease: Sendable, Equatable {
    /// The holder of a lease.
    package enum Holder: Sendable, Equatable {
        /// A member of a group.
        case member(String, group: String)
        /// The hub itself, for a command that makes the stream run.
        case hub
    }

    /// The usual time for which a lease is valid after it was granted or renewed, in nanoseconds.
    package static let duration: Int64 = 6_000_000_000

    /// The time for which the lease is valid after it was granted or renewed, in nanoseconds.
    package let duration: Int64
    /// The number of the last lease; 0 before the first.
    package private(set) var number = 0
    /// The group whose members run the stream; `nil` where the hub does.
    package private(set) var group: String?
    /// The holder of the last lease; `nil` after it was released.
    package private(set) var holder: Holder?
    /// The instant at which the lease ends.
    package private(set) var end: Int64 = .min
    /// A Boolean value that indicates whether the holder may store something. After a restart of the hub it has to acquire
    /// the lease again, since it is unknown which of its writes were done.
    private var isOpen = false

    /// Creates the lease of a stream that has had none.
    package init(for duration: Int64 = Self.duration) { self.duration = duration }

    /// Creates the lease that was stored. Its holder may still use it for the time of a lease.
    package init(_ stored: StoredLease, at now: Int64, for duration: Int64 = Self.duration) {
        self.duration = duration
        (number, group) = (stored.number, stored.group)
        guard let group, let member = stored.member else { return }
        (holder, end) = (.member(member, group: group), now.advanced(byClamping: duration))
    }

    /// Returns a Boolean value that indicates whether somebody holds the lease.
    package func isHeld(at now: Int64) -> Bool { holder != nil && now < end }

    /// Gives a member the lease under the next number, unless somebody else holds it.
    ///
    /// - Returns: A Boolean value that indicates whether the member has it now.
    package mutating func acquire(_ member: String, in group: String, at now: Int64) -> Bool {
        let next = Holder.member(member, group: group)
        guard holder == next || !isHeld(at: now) else { return false }
        (self.group, holder, isOpen) = (group, next, true)
        number += 1
        end = now.advanced(byClamping: duration)
        return true
    }

    /// Gives the hub itself the lease, unless a member holds it: the stream is the hub's until a member acquires it.
    ///
    /// - Returns: A Boolean value that indicates whether the hub has it now.
    package mutating func claim(at now: Int64) -> Bool {
        guard holder == .hub || !isHeld(at: now) else { return false }
        if group != nil { number += 1 }
        (group, holder, isOpen) = (nil, .hub, false)
        end = now.advanced(byClamping: duration)
        return true
    }

    /// Returns a Boolean value that indicates whether a number is that of the lease of a group, so that what comes under it
    /// is stored. A lease that has ended counts, until somebody else acquires it.
    package func accepts(_ number: Int, in group: String) -> Bool {
        isOpen && number == self.number && group == self.group
    }

    /// Extends the lease.
    ///
    /// - Returns: A Boolean value that indicates whether the number is that of the lease.
    package mutating func renew(_ number: Int, in group: String, at now: Int64) -> Bool {
        guard accepts(number, in: group) else { return false }
        end = now.advanced(byClamping: duration)
        return true
    }

    /// Ends the lease, so that another member can acquire it at once. Nothing more is stored under its number.
    ///
    /// - Returns: A Boolean value that indicates whether the number is that of the lease.
    package mutating func release(_ number: Int, in group: String) -> Bool {
        guard accepts(number, in: group) else { return false }
        (holder, isOpen) = (nil, false)
        return true
    }

    /// Returns the lease as a store keeps it.
    package func stored(of stream: String) -> StoredLease {
        guard case .member(let member, _)? = holder else {
            return StoredLease(stream: stream, number: number, group: group, member: nil)
        }
        return StoredLease(stream: stream, number: number, group: group, member: member)
    }
}
