#if NATS
import SluiceJSON
import SluiceStreams

/// The part of a subject's messages that one partition reads.
struct SubjectPart: Sendable {
    /// The id of the stream.
    let stream: String
    /// The document.
    let document: StreamDocument
    /// The division; `nil` for all messages.
    let division: StreamPartition?
    /// The values of parameters that the expression of the keys names; `nil` where it names none.
    let parameters: [String: JSON]?
    /// The readers that the partitions of the worker share.
    let readers: SubjectReaders
    /// The number of the partition.
    let partition: Int
    /// The subject that the places are of; `nil` for any.
    let subject: String?
    /// The place after which the partition begins; `nil` for that which the document names.
    let start: String?
    /// The place of the last message that the partition reads; `nil` without an end.
    let end: String?
    /// A closure that takes the place that the run has reached, which then reads nothing more; `nil` for a partition that reads.
    /// The text is empty where the run has read nothing.
    let onHalt: (@Sendable (String) -> Void)?
    /// Returns a Boolean value that indicates whether the run has stored the end as its position.
    let hasReadAll: @Sendable () -> Bool
    /// Returns a Boolean value that indicates whether the source stays open at the end, until the run has given its groups away.
    let isHeldAtEnd: @Sendable () -> Bool
    /// A closure that takes the number of messages that wait behind those that the run has taken.
    let onLag: @Sendable (UInt64) -> Void

    /// Returns a Boolean value that indicates whether a source reads the messages that the part is of, and not another subject
    /// for an item of its stream.
    func concerns(_ arguments: SubjectSource.Arguments) -> Bool {
        division != nil || subject == nil || subject == arguments.subject
    }

    /// Returns a place, if it is one of the subject that a source reads.
    func place(_ text: String?, in arguments: SubjectSource.Arguments) -> SubjectPlace? {
        guard subject == nil || subject == arguments.subject else { return nil }
        return text.flatMap { SubjectPlace($0) }
    }

    /// Returns the key of the reader that the partition shares; `nil` for a stream that is not divided.
    ///
    /// - Parameter arguments: The arguments of the source.
    func readerKey(_ arguments: JSON) -> SubjectReaders.Key? {
        division.map { SubjectReaders.Key(stream: stream, arguments: arguments, division: $0, parameters: parameters) }
    }
}

/// The messages that a partition takes, as one reader finds them out.
struct SubjectFilter {
    /// The division; `nil` for all messages.
    let keys: PartitionKeys?
    /// The number of the partition.
    let partition: Int
    /// The place of the last message that the partition reads; `nil` without an end.
    let end: SubjectPlace?

    /// Compiles the expression of the keys.
    ///
    /// - Throws: `StreamError` for an invalid expression.
    init(_ part: SubjectPart, _ arguments: SubjectSource.Arguments) throws {
        (partition, end) = (part.partition, part.place(part.end, in: arguments))
        do {
            keys = try part.division.map { try PartitionKeys($0, in: part.document, parameters: part.parameters) }
        } catch let errors as JSONErrors {
            throw StreamError(message: "partition.by: \(errors.errors.first?.message ?? "invalid")")
        }
    }

    /// Returns a Boolean value that indicates whether the partition has the item.
    func takes(_ item: JSON) -> Bool { keys.map { $0.partition(of: item) == partition } ?? true }

    /// Returns a Boolean value that indicates whether a message is after the last one.
    func isBeyond(_ place: SubjectPlace) -> Bool { end.map { place.reaches($0) && place != $0 } ?? false }
}
#endif
