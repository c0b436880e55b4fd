import SluiceHTTP
import SluiceJSON

/// What a hub tells the members of a group.
enum GroupEvent: Equatable {
    /// The whole: what is not in it is not there any more.
    case set([Document])
    /// One document that is new, or was edited.
    case put(Document)
    /// A stream that the group has no more.
    case remove(id: String)

    /// A document as the hub tells it.
    struct Document: Sendable, Codable, Hashable {
        let id: String
        let revision: Int
        let name: String?
        let text: String
        /// Whether it is there for others that refer to it, and not to be run.
        let isReference: Bool?
    }

    /// The event that the hub sent; `nil` for one that members need not know.
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
