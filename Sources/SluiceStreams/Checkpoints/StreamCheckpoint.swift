public import SluiceJSON

/// The state of a run between two items: from it and the document a run can be made that goes on exactly.
///
/// ```swift
/// let document = try StreamDocument(parsing: #"{"source": {"interval": {"seconds": 1}}}"#)
/// let run = try StreamRun(document)
/// run.advance(to: StreamTime(seconds: 2)!)
/// let text = run.checkpoint().text
/// let other = try StreamRun(document, from: StreamCheckpoint(parsing: text))
/// ```
///
/// It is a value; its text is JSON of the schema ``schema``.
public struct StreamCheckpoint: Sendable {
    /// The name and version of the form of the text.
    public static let schema = "sluice.checkpoint/1"

    /// The id of the document, where it has one.
    public let documentID: String?
    /// The revision of the document, where it has one.
    public let revision: Int?
    /// What tells the document's stream, with those that it refers to, from any other.
    public let fingerprint: String
    /// How many events the run had given when it was taken.
    public let outputs: Int
    private let clock: SavedClock
    private let hasBegun: Bool
    /// Whether the stream has ended.
    public let isEnded: Bool
    private let pending: [StreamEvent<JSON>]
    private let parts: JSON?
    private let unsaved: [String]

    init(_ saved: SavedRun, of document: StreamDocument, fingerprint: String, outputs: Int) {
        documentID = document.id
        revision = document.revision
        self.fingerprint = fingerprint
        self.outputs = outputs
        clock = saved.clock
        hasBegun = saved.hasBegun
        isEnded = saved.isEnded
        pending = saved.pending
        parts = saved.parts?.saved
        unsaved = saved.unsaved
    }

    /// The time of the run.
    public var time: StreamTime { clock.now }

    /// The paths of what could not be saved, in order; none for a document whose references lead to documents alone.
    public var unsavedPaths: [String] { unsaved }

    /// How many items were taken from each source of the outside world that runs, by its path: where it is to be read
    /// on.
    public var offsets: [String: Int] {
        var offsets: [String: Int] = [:]
        func visit(_ path: String, _ part: SavedPart) {
            if let taken = part.states["taken"]?.int { offsets[path] = taken }
            func child(_ key: String, _ part: SavedPart) { visit(path.isEmpty ? key : "\(path).\(key)", part) }
            for (key, part) in part.parts { child(key, part) }
            for (key, part) in part.shared { child(key, part) }
            for entry in part.inner { child("\(entry.number)", entry.part) }
        }
        if let parts = try? parts.map(SavedPart.init(saved:)) { visit("", parts) }
        return offsets
    }

    /// Looks whether all was saved.
    ///
    /// - Throws: ``StreamError`` that names the paths of what was not.
    public func check() throws(StreamError) {
        guard let first = unsaved.first else { return }
        let others =
            unsaved.count > 1 ? " (and \(unsaved.count - 1) more: \(unsaved.dropFirst().joined(separator: ", ")))" : ""
        throw StreamError(path: first, message: "the state of code cannot be saved" + others)
    }

    /// What a run goes on from.
    ///
    /// - Throws: ``StreamError`` where a part cannot be read, or was not saved.
    func run() throws(StreamError) -> SavedRun {
        try check()
        do {
            return SavedRun(
                clock: clock,
                hasBegun: hasBegun,
                isEnded: isEnded,
                pending: pending,
                parts: try parts.map(SavedPart.init(saved:)),
                unsaved: []
            )
        } catch {
            throw StreamError(error)
        }
    }
}

extension StreamCheckpoint: JSONWritable {
    /// Writes the checkpoint.
    public func write(to json: inout JSONWriter) { json.value(self.json) }

    private var json: JSON {
        var document = JSON.Object()
        document["id"] = documentID.map { .string($0) }
        document["revision"] = revision.map { .int(Int64($0)) }
        document["fingerprint"] = .string(fingerprint)
        var object: JSON.Object = ["schema": .string(Self.schema), "document": .object(document)]
        object["outputs"] = .int(Int64(outputs))
        object["clock"] = clock.saved
        object["hasBegun"] = .bool(hasBegun)
        object["isEnded"] = .bool(isEnded)
        if !pending.isEmpty { object["pending"] = pending.saved }
        object["parts"] = parts
        if !unsaved.isEmpty { object["unsaved"] = unsaved.saved }
        return .object(object)
    }

    /// The checkpoint as JSON text; equal states are equal texts.
    public var text: String { json.text() }
}

extension StreamCheckpoint: JSONReadable {
    /// Reads a checkpoint.
    ///
    /// - Throws: ``StreamError`` for what is none, or of another version.
    public init(json: JSONNode) throws { try self.init(json.json()) }

    /// Reads a checkpoint from its text.
    ///
    /// - Throws: `JSONError` for what is no JSON; ``StreamError`` for what is no checkpoint, or of another version.
    public init(parsing text: String) throws {
        // It is as long as what the operators hold, which is bounded already.
        try self.init(JSON(parsing: text, limits: JSONLimits(maximumByteCount: .max)))
    }

    private init(_ json: JSON) throws {
        guard let schema = json["schema"]?.string else { throw StreamError(message: "this is no checkpoint") }
        guard schema == Self.schema else {
            let text = "the checkpoint is of the schema \(JSON.string(schema)), this program reads \(Self.schema)"
            throw StreamError(message: text)
        }
        func field(_ name: String) throws -> JSON {
            guard let value = json[name] else {
                throw StreamError(message: "the checkpoint has no \(JSON.string(name))")
            }
            return value
        }
        let document = try field("document")
        documentID = document["id"]?.string
        revision = document["revision"]?.int
        fingerprint = try String(saved: document["fingerprint"] ?? nil)
        outputs = try Int(saved: field("outputs"))
        clock = try SavedClock(saved: field("clock"))
        hasBegun = try Bool(saved: field("hasBegun"))
        isEnded = try Bool(saved: field("isEnded"))
        pending = try json["pending"].map([StreamEvent<JSON>].init(saved:)) ?? []
        parts = json["parts"]
        unsaved = try json["unsaved"].map([String].init(saved:)) ?? []
    }
}

extension StreamCheckpoint: Codable {
    /// Reads a checkpoint.
    public init(from decoder: any Decoder) throws {
        let json = try JSON(from: decoder)
        do { try self.init(json) } catch {
            let text = StreamError(error).description
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
        }
    }

    /// Writes the checkpoint.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
