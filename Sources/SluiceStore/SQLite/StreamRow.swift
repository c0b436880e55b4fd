import GRDB

/// A stream as a row of its table.
struct StreamRow: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "stream"

    let id: String
    let revision: Int
    let name: String?
    let text: String

    init(_ stream: StreamDraft) {
        id = stream.id
        revision = 1
        name = stream.name
        text = stream.text
    }

    var stored: StoredStream { StoredStream(id: id, revision: revision, name: name, text: text) }
}
