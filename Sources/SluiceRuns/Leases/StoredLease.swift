/// The last lease of a stream that runs on a member of a group, as a store keeps it.
public struct StoredLease: Sendable, Hashable {
    /// The id of the stream.
    public let stream: String
    /// The number of the lease, which only grows: what is stored under an older number is refused.
    public let number: Int
    /// The name of the group whose members run the stream; `nil` where the hub itself runs it.
    public let group: String?
    /// The id of the member that holds the lease; `nil` where nobody does.
    public let member: String?

    /// Creates a lease.
    public init(stream: String, number: Int, group: String?, member: String?) {
        (self.stream, self.number, self.group, self.member) = (stream, number, group, member)
    }
}
