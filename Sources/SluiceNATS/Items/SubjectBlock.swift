#if NATS
import SluiceJSON
import SluiceStreams

/// Consecutive messages of a subject, each given to the partition that has its key.
struct SubjectBlock: Sendable {
    /// An item, and the sequence of its message.
    struct Item: Sendable {
        let sequence: UInt64
        let item: JSON
    }

    /// The time at which the stream was created, in nanoseconds since 1970.
    let created: Int64
    /// The sequence of the last message.
    let end: UInt64
    /// The number of messages that waited behind the last one, when it came.
    let pending: UInt64
    /// The number of bytes of the messages.
    let size: Int
    private let items: [[Item]]

    /// Parses messages, and gives each to its partition.
    init(
        _ messages: ArraySlice<NATSMessage>,
        created: Int64,
        _ arguments: SubjectSource.Arguments,
        _ keys: PartitionKeys?
    ) {
        var items = [[Item]](repeating: [], count: keys?.count ?? 1)
        for message in messages {
            let item = arguments.item(message)
            items[keys?.partition(of: item) ?? 0].append(Item(sequence: message.sequence, item: item))
        }
        self.items = items
        self.created = created
        end = messages.last?.sequence ?? 0
        pending = messages.last?.pending ?? 0
        size = messages.reduce(0) { $0 + $1.bytes.count }
    }

    /// Returns the items of a partition.
    func items(of partition: Int) -> [Item] { items.indices.contains(partition) ? items[partition] : [] }
}
#endif
