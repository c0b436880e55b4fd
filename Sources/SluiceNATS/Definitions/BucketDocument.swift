#if NATS
import Foundation
import SluiceJSON
import SluiceRuns

/// A revision of a document as a bucket keeps it; a removal has no text.
struct BucketRevision: Equatable {
    var number: Int
    var time: Int64
    var author: String?
    var name: String?
    var text: String?

    var json: JSON {
        var object: JSON.Object = ["number": .int(Int64(number)), "time": .int(time)]
        object["author"] = author.map { .string($0) }
        object["name"] = name.map { .string($0) }
        object["text"] = text.map { .string($0) }
        return .object(object)
    }

    init(number: Int, time: Date, author: String?, name: String?, text: String?) {
        (self.number, self.time, self.author) = (number, time.milliseconds, author)
        (self.name, self.text) = (name, text)
    }

    init?(_ json: JSON) {
        // A bucket may have been written by anyone.
        guard let number = json["number"]?.int, (1...Int(Int32.max)).contains(number), let time = json["time"]?.int
        else { return nil }
        (self.number, self.time) = (number, Int64(time))
        (author, name, text) = (json["author"]?.string, json["name"]?.string, json["text"]?.string)
    }

    /// Returns the document; `nil` for a removal.
    func stored(as id: String) -> StoredStream? {
        text.map { StoredStream(id: id, revision: number, name: name, text: $0, time: Date(milliseconds: time)) }
    }

    /// The entry of the history.
    var line: StreamRevision {
        let date = Date(milliseconds: time)
        return StreamRevision(revision: number, time: date, author: author, name: name, isRemoved: text == nil)
    }
}

/// The newest revision of a document in a bucket, with the write that a transaction intends.
struct BucketDocument: Equatable {
    /// A write of a transaction: it counts as soon as the transaction's outcome says so.
    struct Intent: Equatable {
        var transaction: String
        var revision: BucketRevision
    }

    var id: String
    /// The newest revision; `nil` for a document that a transaction only intends, or intended, to create.
    var revision: BucketRevision?
    /// The place in the order of creation, which is the number of the write in the bucket that has created the document;
    /// `nil` in that write itself.
    var position: UInt64?
    var intent: Intent?

    /// Returns the document with a further revision.
    ///
    /// - Parameter written: The number of the write that this document was read from; `nil` if it does not exist yet.
    func adding(_ revision: BucketRevision, written: UInt64?) -> BucketDocument {
        // A document that is created again comes last.
        let isNew = self.revision?.text == nil
        return BucketDocument(id: id, revision: revision, position: isNew ? nil : position ?? written, intent: nil)
    }

    var bytes: [UInt8] {
        var object: JSON.Object = ["id": .string(id)]
        object["revision"] = revision?.json
        object["position"] = position.map { .int(Int64(clamping: $0)) }
        object["intent"] = intent.map { intent in
            ["transaction": .string(intent.transaction), "revision": intent.revision.json]
        }
        return Array(JSON.object(object).description.utf8)
    }

    init(id: String, revision: BucketRevision? = nil, position: UInt64? = nil, intent: Intent? = nil) {
        (self.id, self.revision, self.position, self.intent) = (id.key, revision, position, intent)
    }

    /// - Throws: ``StoreError/Kind/damaged(reason:)`` for a value that is no document.
    init(_ entry: NATSEntry) throws(StoreError) {
        let json = try JSON(ofBucket: entry)
        guard let id = json["id"]?.string else { throw .damaged(entry) }
        self.id = id
        revision = json["revision"].flatMap { BucketRevision($0) }
        position = json["position"]?.int.flatMap { UInt64(exactly: $0) }
        if let intent = json["intent"] {
            guard let transaction = intent["transaction"]?.string,
                let revision = intent["revision"].flatMap({ BucketRevision($0) })
            else { throw .damaged(entry) }
            self.intent = Intent(transaction: transaction, revision: revision)
        }
    }
}

/// A group in a bucket.
///
/// A member counts as long as its document is the one that was assigned: its place in the order of creation tells it from a
/// later one of the same id, so that the removal of a document is one write.
struct BucketGroup: Equatable {
    struct Member: Equatable {
        var id: String
        var position: UInt64
    }

    var name: String
    var position: UInt64?
    var members: [Member] = []
    var isRemoved = false

    var bytes: [UInt8] {
        var object: JSON.Object = ["name": .string(name)]
        object["position"] = position.map { .int(Int64(clamping: $0)) }
        object["streams"] = .array(members.map { [.string($0.id), .int(Int64(clamping: $0.position))] })
        if isRemoved { object["removed"] = .bool(true) }
        return Array(JSON.object(object).description.utf8)
    }

    init(name: String) { self.name = name.key }

    init(_ entry: NATSEntry) throws(StoreError) {
        let json = try JSON(ofBucket: entry)
        guard let name = json["name"]?.string, let members = json["streams"]?.array else { throw .damaged(entry) }
        self.name = name
        position = json["position"]?.int.flatMap { UInt64(exactly: $0) }
        self.members = members.compactMap { member in
            guard let parts = member.array, parts.count == 2, let id = parts[0].string, let place = parts[1].int,
                let position = UInt64(exactly: place)
            else { return nil }
            return Member(id: id, position: position)
        }
        isRemoved = json["removed"]?.bool ?? false
    }
}

extension JSON {
    fileprivate init(ofBucket entry: NATSEntry) throws(StoreError) {
        do {
            self = try JSON(parsing: String(decoding: entry.value ?? [], as: UTF8.self))
        } catch {
            throw .damaged(entry)
        }
    }
}

extension StoreError {
    static func damaged(_ entry: NATSEntry) -> StoreError {
        StoreError(.unavailable(reason: "the value of \(entry.key) in the bucket of NATS is not one of Sluice"))
    }

    /// Returns the error of a store for one of NATS.
    init(_ error: NATSError) { self.init(.unavailable(reason: "\(error)")) }
}
#endif
