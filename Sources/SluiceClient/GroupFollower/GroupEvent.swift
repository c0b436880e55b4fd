import SluiceHTTP
import SluiceJSON

/// An event that a hub sends to the members of a group.
enum GroupEvent: Equatable {
    /// The complete set of documents. All others are removed.
    case set([Document])
    /// A document that was added or edited.
    case put(Document)
    /// A stream that was removed from the group.
    case remove(id: String)

    /// A document of the group.
    struct Document: Sendable, Codable, Hashable {
        let id: String
        let revision: Int
        let name: String?
        let text: String
        /// A Boolean value that indicates whether the document is only a target of references, and does not run.
        let isReference: Bool?
    }

    /// Reads an event; `nil` for a kind that members ignore.
    init?(_ event: ServerSentEvent) throws {
        struct Whole: Decodable { let documents: [Document] }
        struct Removed: Decodable { let id: String }
        let decoder = SluiceJSONDecoder()
        switch event.name {
        case "set": self = .set(try decoder.decode(Whole.self, from: event.data).documents)
        case "put": self = .put(try decoder.decode(Document.self, from: event.data))
        case "remove": self = .remove(id: try decoder.decode(Removed.self, from: event.data).id)
        default: return nil
        }
    }
}
