#if NATS
/// The place of a message: the time at which its stream was created, in nanoseconds since 1970, and its sequence.
struct SubjectPlace: Sendable, Hashable {
    let created: Int64
    let sequence: UInt64

    init(created: Int64, sequence: UInt64) { (self.created, self.sequence) = (created, sequence) }

    /// Reads the text of a place.
    init?(_ text: String) {
        let parts = text.split(separator: "/")
        guard parts.count == 2, let created = Int64(parts[0]), let sequence = UInt64(parts[1]),
            sequence < .max
        else { return nil }
        (self.created, self.sequence) = (created, sequence)
    }

    /// The text of the place, which runs store as the position of an item.
    var text: String { "\(created)/\(sequence)" }

    /// Returns a Boolean value that indicates whether everything up to another place was read. A stream that was created again
    /// comes after everything of the one before.
    func reaches(_ other: SubjectPlace) -> Bool { (created, sequence) >= (other.created, other.sequence) }
}
#endif
