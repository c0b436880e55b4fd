#if HTTP
import SluiceHTTP
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// An event that a hub publishes to the members of a group.
enum GroupEvent: Equatable {
    /// All documents: the group has no others any more.
    case set([Document])
    /// A document that is new, or was edited.
    case put(Document)
    /// A stream that was removed from the group.
    case remove(id: String)
    /// Streams whose leases can be asked for, or have new outputs, and those whose holder has to renew the lease now.
    case leases(waiting: [String], holding: [String])

    /// A document of the group.
    struct Document: Sendable, Codable, Hashable {
        let id: String
        let revision: Int
        let name: String?
        let text: String
        /// A Boolean value that indicates whether the document is not run, and is there for others that refer to it.
        let isReference: Bool?

        /// A Boolean value that indicates whether the document is run.
        var isRun: Bool { !(isReference ?? false) }

        /// The entry of the document in a set.
        var entry: SetDocument {
            func stored(_ name: String?) -> StoredStream {
                StoredStream(id: id, revision: revision, name: name, text: text)
            }
            guard let parsed = try? StreamDocument(reading: Array(text.utf8)) else {
                return SetDocument(reading: stored(name))
            }
            return SetDocument(stored(name ?? parsed.name), parsed)
        }
    }

    /// Reads an event of the hub; `nil` for one that members need not know.
    ///
    /// - Throws: `JSONErrors` or `DecodingError` for an event that can't be read.
    init?(_ event: ServerSentEvent) throws {
        struct Whole: Decodable { let documents: [Document] }
        struct Removed: Decodable { let id: String }
        struct Leases: Decodable { let waiting, holding: [String] }
        let decoder = SluiceJSONDecoder()
        switch event.name {
        case "set": self = .set(try decoder.decode(Whole.self, from: event.data).documents)
        case "put": self = .put(try decoder.decode(Document.self, from: event.data))
        case "remove": self = .remove(id: try decoder.decode(Removed.self, from: event.data).id)
        case "leases":
            let leases = try decoder.decode(Leases.self, from: event.data)
            self = .leases(waiting: leases.waiting, holding: leases.holding)
        default: return nil
        }
    }
}
#endif
