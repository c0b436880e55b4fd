public import SluiceJSON

/// The state of a run between two items. From the state and the document, a run can be created that continues exactly.
///
/// ```swift
/// let document = try StreamDocument(parsing: #"{"source": {"interval": {"seconds": 1}}}"#)
/// let run = try StreamRun(document)
/// run.advance(to: StreamTime(seconds: 2)!)
/// let text = run.checkpoint().text
/// let other = try StreamRun(document, from: StreamCheckpoint(parsing: text))
/// ```
///
/// A checkpoint is a value; its text is JSON of the schema ``schema``.
public struct StreamCheckpoint: Sendable {
    /// The name and version of the text format.
    public static let schema = "sluice.checkpoint/1"

    /// The id of the document, if it has one.
    public let documentID: String?
    /// The revision of the document, if it has one.
    public let revision: Int?
    /// A fingerprint of the document's stream and the streams that it refers to.
    public let fingerprint: String
    /// The number of events that the run had delivered when the checkpoint was taken.
    public let outputs: Int
    private let clock: SavedClock
    private let hasBegun: Bool
    /// A Boolean value that indicates whether the stream has ended.
    public let isEnded: Bool
    private let pending: [StreamEvent<JSON>]
    private let root: JSON?
    private let unsaved: [String]

    init(_ saved: SavedRun, of document: StreamDocument, fingerprint: String, outputs: Int) {
        self.init(saved, document.id, document.revision, fingerprint, outputs)
    }

    /// Returns the checkpoint with another state.
    func replacing(_ saved: SavedRun) -> StreamCheckpoint {
        StreamCheckpoint(saved, documentID, revision, fingerprint, outputs)
    }

    private init(_ saved: SavedRun, _ id: String?, _ revision: Int?, _ fingerprint: String, _ outputs: Int) {
        documentID = id
        self.revision = revision
        self.fingerprint = fingerprint
        self.outputs = outputs
        clock = saved.clock
        hasBegun = saved.hasBegun
        isEnded = saved.isEnded
        pending = saved.pending
        root = saved.root?.saved
        unsaved = saved.unsaved
    }

    /// The time of the run.
    public var time: StreamTime { clock.now }

    /// The paths of the states that could not be saved, in order; empty if the document's references lead only to
    /// documents.
    public var unsavedPaths: [String] { unsaved }

    /// The number of items that were taken from each running source of the outside world, by path: the offset at which
    /// to resume reading.
    public var offsets: [String: Int] {
        var offsets: [String: Int] = [:]
        func visit(_ path: String, _ node: SavedStateNode) {
            if let taken = node.states["taken"]?.int { offsets[path] = taken }
            func child(_ key: String, _ node: SavedStateNode) { visit(path.isEmpty ? key : "\(path).\(key)", node) }
            for (key, node) in node.children { child(key, node) }
            for (key, node) in node.shared { child(key, node) }
            for entry in node.inner { child("\(entry.number)", entry.node) }
        }
        if let root = try? root.map(SavedStateNode.init(saved:)) { visit("", root) }
        return offsets
    }

    /// Throws if some states were not saved.
    ///
    /// - Throws: ``StreamError`` with the paths of these states.
    public func check() throws(StreamError) {
        guard let first = unsaved.first else { return }
        let others =
            unsaved.count > 1 ? " (and \(unsaved.count - 1) more: \(unsaved.dropFirst().joined(separator: ", ")))" : ""
        throw StreamError(path: first, message: "the state of code cannot be saved" + others)
    }

    /// Returns the state that a run resumes from.
    ///
    /// - Throws: ``StreamError`` if a node cannot be read or was not saved.
    func run() throws(StreamError) -> SavedRun {
        try check()
        do {
            return SavedRun(
                clock: clock,
                hasBegun: hasBegun,
                isEnded: isEnded,
                pending: pending,
                root: try root.map(SavedStateNode.init(saved:)),
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
        object["parts"] = root
        if !unsaved.isEmpty { object["unsaved"] = unsaved.saved }
        return .object(object)
    }

    /// The checkpoint as JSON text; equal states have equal texts.
    public var text: String { json.text() }
}

extension StreamCheckpoint: JSONReadable {
    /// Reads a checkpoint.
    ///
    /// - Throws: ``StreamError`` for an invalid checkpoint, or one of another version.
    public init(json: JSONNode) throws { try self.init(json.json()) }

    /// Reads a checkpoint from its text.
    ///
    /// - Throws: `JSONError` for invalid JSON; ``StreamError`` for an invalid checkpoint, or one of another version.
    public init(parsing text: String) throws {
        // Its length is that of the operators' states, which is bounded already.
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
        root = json["parts"]
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
