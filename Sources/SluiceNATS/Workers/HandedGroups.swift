#if NATS
import Foundation
import SluiceRuns
import SluiceStreams

/// The groups that a partition gives to those of the next division, as their logs have them.
struct HandedGroups: Codable, Sendable {
    /// The number of the partition that had them.
    let from: Int
    /// The expression of the keys of its division; `nil` for a stream that was not divided.
    let by: String?
    /// The groups; `nil` where the operator had ended.
    let groups: MovingGroups?
    /// The time of day at the time of the groups.
    let savedAt: Date
    /// The revision of the document that the run was of.
    let revision: Int
    /// The documents that the run was compiled from, its own first.
    let documents: [StoredStream]

    /// Returns what each partition of the next division gets.
    func divided(into count: Int) throws -> [(partition: Int, groups: HandedGroups)] {
        try (groups?.divided(into: count) ?? [:]).sorted { $0.key < $1.key }.map { partition, groups in
            let part = HandedGroups(
                from: from,
                by: by,
                groups: groups,
                savedAt: savedAt,
                revision: revision,
                documents: documents
            )
            return (partition, part)
        }
    }
}

/// The state of a partition as its log has it.
struct PartitionState: Codable, Sendable {
    /// The run and its sinks.
    var stream: StreamState
    /// The groups that the run has given away; `nil` before.
    var handed: HandedGroups?

    private enum CodingKeys: CodingKey { case stream, handed }

    init(_ stream: StreamState, handed: HandedGroups?) { (self.stream, self.handed) = (stream, handed) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        handed = try container.decodeIfPresent(HandedGroups.self, forKey: .handed)
        stream =
            try handed == nil ? StreamState(from: decoder) : container.decode(StreamState.self, forKey: .stream)
    }

    /// Encodes the state; one with groups in a form that a worker of an earlier version can't read, which would forget them.
    func encode(to encoder: any Encoder) throws {
        guard let handed else { return try stream.encode(to: encoder) }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(stream, forKey: .stream)
        try container.encode(handed, forKey: .handed)
    }
}
#endif
