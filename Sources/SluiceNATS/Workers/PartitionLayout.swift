#if NATS
import Foundation
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The division of a stream, as all workers of a group see it: a document in the bucket of the workers.
///
/// A change of the document's `partition` begins another generation. First the partitions of the one before halt, and each says
/// which message it has read last. The last of these is the end of the generation: its partitions read up to there, and deliver
/// what comes of it, and those of the next one begin behind it when all are done. So every message is read once, and the items of
/// one key stay in order.
struct PartitionLayout: Codable, Sendable, Hashable {
    /// One division.
    struct Generation: Codable, Sendable, Hashable {
        /// The number, which no other division of the stream has had, and none of a stream of its id that was removed.
        var number: Int
        /// The expression of the keys; `nil` for a stream that is not divided.
        var by: String?
        /// The number of partitions.
        var count: Int
        /// The values of the document's parameters, where the expression names some; `nil` where it names none.
        ///
        /// An edit of a default is a change of the division: the workers take it up one after the other.
        var parameters: [String: JSON]?
        /// The revision of the document that it is of; `nil` in layouts of earlier versions.
        var revision: Int?
        /// The subject that `start` and `end` are places of; `nil` without such places.
        var subject: String?
        /// The place of the message after which it begins; `nil` for that which the document names.
        var start: String?
        /// The place of the last message that it reads; `nil` for one without an end.
        var end: String?
        /// A Boolean value that indicates whether its partitions halt, so that its end can be found.
        var isHalting: Bool?

        var division: StreamPartition? { by.map { StreamPartition(by: $0, count: count) } }

        /// A Boolean value that indicates whether a program can use it: what the bucket has may be of anyone.
        var isValid: Bool { StreamPartition.counts.contains(count) && (1..<Int(Int32.max)).contains(number) }

        func units(of stream: String) -> [WorkUnit] { (0..<count).map { WorkUnit(stream, number, $0) } }

        /// Creates one that is not divided, of no revision of the document.
        init(whole number: Int) { (self.number, count) = (number, 1) }

        /// Creates the division that a document names.
        init(_ document: StreamDocument, revision: Int, number: Int) {
            let partition = document.partition
            self.revision = revision
            (self.number, by, count) = (number, partition?.by, partition?.count ?? 1)
            parameters = document.partitionParameters
        }
    }

    /// A request of a hub for all partitions of the stream.
    struct Order: Codable, Sendable, Hashable {
        /// The number: one that was done is not done again.
        var number: Int
        /// A Boolean value that indicates whether the stream is to be paused.
        var isPaused: Bool
    }

    /// The last request of a hub; `nil` before the first, and in layouts of earlier versions.
    var order: Order?
    /// The division that runs, or that runs next.
    var current: Generation
    /// The division before it, as long as its partitions are not done.
    var ending: Generation?
    /// The division whose partitions run now.
    var running: Generation { ending ?? current }

    /// A Boolean value that indicates whether a program can use it.
    var isValid: Bool { current.isValid && ending?.isValid ?? true }

    /// Creates the layout of a stream that has not run.
    ///
    /// - Parameters:
    ///   - document: The document, whose division it is.
    ///   - revision: The revision of the document.
    ///   - origin: The revision at which the stream was created, or created again: the number of its first division. Each
    ///     further one has an edit of its own, so that no number reaches the revision of a later creation.
    init(_ document: StreamDocument, revision: Int, origin: Int) {
        current = Generation(document, revision: revision, number: origin)
    }

    /// Creates the layout of a stream whose run comes from a hub, which runs it as a whole. A `partition` of its document is a
    /// change of it.
    init(migrating origin: Int) { current = Generation(whole: origin) }

    /// Returns a Boolean value that indicates whether the stream is divided as its document says.
    func matches(_ document: StreamDocument) -> Bool {
        let wanted = Generation(document, revision: 0, number: current.number)
        return (current.by, current.count, current.parameters) == (wanted.by, wanted.count, wanted.parameters)
    }

    /// Returns the layout with another division, for which the present one halts; `nil` while the last change is not done, and
    /// for a document that is not newer than the one of the present division.
    func changed(to document: StreamDocument, revision: Int) -> PartitionLayout? {
        guard ending == nil, revision > current.revision ?? 0 else { return nil }
        var next = self
        next.current = Generation(document, revision: revision, number: current.number + 1)
        next.ending = current
        next.ending?.isHalting = true
        // The runs have taken the document up already.
        next.current.subject = document.subjectOfSource
        next.ending?.subject = document.subjectOfSource
        return next
    }

    /// Returns the layout with the end of the division that halts. One that has read nothing reads nothing more: its end is the
    /// place before all messages.
    ///
    /// - Parameter positions: The texts of the places that its partitions have reached; empty for one that has read nothing.
    func bounded(by positions: [String]) -> PartitionLayout {
        let places = positions.compactMap { SubjectPlace($0) }
        let newest = places.map(\.created).max() ?? 0
        let sequence = places.filter { $0.created == newest }.map(\.sequence).max() ?? 0
        let place = SubjectPlace(created: newest, sequence: sequence).text
        var next = self
        next.ending?.isHalting = nil
        next.ending?.end = place
        next.current.start = places.isEmpty ? nil : place
        return next
    }

    /// The layout when the partitions of the division before are done.
    var settled: PartitionLayout {
        var next = self
        next.ending = nil
        return next
    }
}
#endif
