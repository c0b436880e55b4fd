import SluiceJSON

/// The saved state of a node of the tree of subscriptions: a stage, a stream within one, or a stream that was started
/// for an item.
struct SavedStateNode {
    /// The way in which a node without a saved state begins in an edited stream.
    enum Mark {
        /// It resumes where it was.
        case kept
        /// It begins now, on an input that continues.
        case fresh
        /// It has completed.
        case completed
    }

    /// A stream that was started for an item.
    struct Inner {
        var number: Int
        var item: JSON
        var node: SavedStateNode
    }

    var mark = Mark.kept
    /// The states, by their names.
    var states: [String: JSON] = [:]
    /// The children below, by their keys.
    var children: [String: SavedStateNode] = [:]
    /// The streams that run for items, in the order in which they were started.
    var inner: [Inner] = []
    /// The number of the last stream that was started for an item; 0 where it is that of the last one in `inner`.
    var lastInner = 0
    /// The shared streams, by their keys.
    var shared: [String: SavedStateNode] = [:]
    /// The version of the states of the stage.
    var version = 1
    /// The stages of the enclosing stream that an earlier version saved within this stage, by their keys; set by a
    /// migration.
    var stages: [String: SavedStateNode] = [:]
    /// The plan's record of the effect of an edit on the stage; `nil` outside of an edit.
    var outcome: StageOutcome?
    /// The way from the clock of the run that the state comes from, where that is another one.
    var shift: SavedShift?
    /// The object that an edit passes from one run to the next within a process.
    var handover: AnyObject?

    init() {}

    init(_ mark: Mark) { self.mark = mark }

    /// Returns the node without the object that an edit passes on.
    func withoutHandover() -> SavedStateNode {
        var node = self
        node.handover = nil
        node.children = children.mapValues { $0.withoutHandover() }
        node.shared = shared.mapValues { $0.withoutHandover() }
        for index in inner.indices { node.inner[index].node = inner[index].node.withoutHandover() }
        return node
    }
}

extension SavedStateNode: Savable {
    /// The greatest depth of nested children, which is beyond that of any document.
    private static let deepest = StreamCompiler.Limits.depth * 4

    init(saved json: JSON) throws { try self.init(json, depth: 0) }

    private init(_ json: JSON, depth: Int) throws {
        guard depth <= Self.deepest else { throw StreamError(message: "parts are nested too deep") }
        guard case .object(let object) = json else { throw StreamError.unreadable("a part", json) }
        for (key, value) in object {
            switch (key, value) {
            case ("states", .object(let states)): for (name, state) in states { self.states[name] = state }
            case ("version", .int(let version)) where version > 1 && version < 1_000_000: self.version = Int(version)
            case ("parts", .object(let children)):
                for (key, node) in children { self.children[key] = try SavedStateNode(node, depth: depth + 1) }
            case ("shared", .object(let children)):
                for (key, node) in children { shared[key] = try SavedStateNode(node, depth: depth + 1) }
            case ("inner", .array(let entries)):
                for entry in entries {
                    guard case .array(let fields) = entry, fields.count == 3 else {
                        throw StreamError.unreadable("a number, an item and a part", entry)
                    }
                    let number = try Int(saved: fields[0])
                    guard inner.last.map({ $0.number < number }) ?? true else {
                        throw StreamError(message: "the streams of items are not in order")
                    }
                    let node = try SavedStateNode(fields[2], depth: depth + 1)
                    inner.append(Inner(number: number, item: fields[1], node: node))
                }
            case ("lastInner", .int(let number)) where number > 0 && number < Int64(Int32.max) << 20:
                lastInner = Int(number)
            default: throw StreamError(message: "a part has no \(JSON.string(key)) like this")
            }
        }
    }

    var saved: JSON {
        var object = JSON.Object()
        if version != 1 { object["version"] = .int(Int64(version)) }
        if !states.isEmpty { object["states"] = Self.object(states) { $0 } }
        if !children.isEmpty { object["parts"] = Self.object(children, \.saved) }
        if !inner.isEmpty {
            object["inner"] = .array(inner.map { [.int(Int64($0.number)), $0.item, $0.node.saved] })
        }
        if lastInner > 0 { object["lastInner"] = .int(Int64(lastInner)) }
        if !shared.isEmpty { object["shared"] = Self.object(shared, \.saved) }
        return .object(object)
    }

    /// Returns an object with its keys in order, so that equal states have equal texts.
    private static func object<Value>(_ members: [String: Value], _ json: (Value) -> JSON) -> JSON {
        .object(JSON.Object(members.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) }))
    }
}
