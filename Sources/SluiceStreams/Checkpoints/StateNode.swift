import SluiceJSON

/// A node of the tree of subscriptions of a run that can be saved: a stage, a stream within one, or a stream that was
/// started for an item. It has the states, timers, and streams that belong to it.
///
/// A run that isn't saved has no nodes.
@usableFromInline final class StateNode {
    /// The path of the node, for messages.
    let path: String
    private unowned let run: Run
    private let lifetime: Lifetime
    /// The stream to whose stages this node belongs; `nil` for a stream.
    private weak var stream: StateNode?
    /// The saved state of the node; states are removed as they are restored.
    fileprivate(set) var saved: SavedStateNode?

    private var states: [(name: String, save: () -> JSON?)] = []
    private var children: [String: StateNode] = [:]
    private var inner: [Int: (item: () -> JSON?, node: StateNode)] = [:]
    private var lastInner = 0
    private var shared: [String: StateNode] = [:]
    /// The item for which a stream below this node was started.
    weak var outer: Outer?
    /// The plan's record of the effect of an edit on the stage; `nil` outside of an edit.
    private var outcome: StageOutcome?
    /// The version of the states of the stage.
    private var version = 1
    /// The object that an edit passes to the next run.
    var handover: AnyObject?
    /// The way from the clock of the run that the saved state comes from; `nil` for a state of this run.
    private let shift: SavedShift?

    /// Creates the node of a whole stream.
    init(_ run: Run, path: String = "", lifetime: Lifetime, saved: SavedStateNode?, shift: SavedShift? = nil) {
        self.run = run
        self.shift = saved?.shift ?? shift
        self.path = path
        self.lifetime = lifetime
        self.saved = saved
        outcome = saved?.outcome
        lastInner = saved?.lastInner ?? 0
    }

    private convenience init(of parent: StateNode, _ name: String, _ lifetime: Lifetime, _ saved: SavedStateNode?) {
        self.init(
            parent.run,
            path: parent.path.isEmpty ? name : "\(parent.path).\(name)",
            lifetime: lifetime,
            saved: saved,
            shift: saved == nil ? nil : parent.shift
        )
        outcome = saved == nil ? nil : outcome ?? parent.outcome
    }

    /// A Boolean value that indicates whether the subscription resumes from a saved state instead of beginning.
    var isRestoring: Bool { run.isRestoring && saved != nil }

    /// Migrates the saved state to the current version of the stage's kind.
    private func use(_ kind: StateKind) {
        version = kind.version
        do { try saved?.migrate(to: kind) } catch { fail(error) }
        guard let stages = saved?.stages, !stages.isEmpty else { return }
        saved?.stages = [:]
        stream?.saved?.children.merge(stages) { first, _ in first }
    }

    // MARK: States

    /// Registers a state for saving, and restores its saved value.
    @usableFromInline func keep<State>(_ cell: Cell<State>, _ name: String) {
        let name = unused(name)
        states.append((name, { SavedState.json(cell.state) }))
        guard let json = takeState(name) else { return }
        do { try SavedShift.reading(shift) { try SavedState.restore(&cell.state, json) } } catch { fail(error) }
    }

    /// Registers a timer for saving, and arms it as it was saved. If an edit has changed its duration, the timer moves.
    ///
    /// - Parameter notes: A Boolean value that indicates whether the plan says `due now` of a timer that moves to now.
    @usableFromInline func keep(_ timer: Timer, lasting duration: StreamTime?, notes: Bool) {
        let name = unused("timer")
        states.append((name, { [unowned run] in run.place(of: timer).saved }))
        guard let json = takeState(name) else { return }
        do {
            guard let place = try SavedShift.reading(shift, { try TimerPlace?(saved: json) }) else { return }
            // A checkpoint of an earlier version doesn't have it; it is of the same document.
            let since = place.since ?? duration.flatMap { place.due.subtracting($0) } ?? place.due
            run.arm(timer, at: place.due, order: place.order, since: since)
            if let duration { run.move(timer, toWait: duration) }
            if notes, timer.isMovedToNow { noteDueNow() }
        } catch {
            fail(error)
        }
    }

    /// A Boolean value that indicates whether the state is one that an edit has kept.
    var isEdited: Bool { outcome != nil }

    /// Records for the plan the stream that a condition chooses after an edit.
    func noteChoice(isOther: Bool, _ key: String) { outcome?.noteChoice(isOther: isOther, key) }

    /// Records for the plan that the stage can't continue.
    func noteFailure(_ reason: String) { outcome?.failure = reason }

    /// Records for the plan that an edit makes something due now.
    @usableFromInline func noteDueNow() { outcome?.isDueNow = true }

    /// Registers the number of held items for saving.
    @usableFromInline func keep(_ holding: Holding) {
        let name = unused("held")
        states.append((name, { holding.count.saved }))
        guard let json = takeState(name) else { return }
        do { holding.add(min(try Int(saved: json), run.limits.heldItems)) } catch { fail(error) }
    }

    /// Returns a unique name for a state, since a stage that is made of several flows may use a name more than once.
    private func unused(_ name: String) -> String {
        var (number, found) = (1, name)
        while states.contains(where: { $0.name == found }) {
            number += 1
            found = "\(name)-\(number)"
        }
        return found
    }

    private func takeState(_ name: String) -> JSON? { isRestoring ? saved?.states.removeValue(forKey: name) : nil }

    private func fail(_ error: any Error) {
        run.restoringFailures.append(StreamError(path: path, message: StreamError(error).message))
    }

    /// Returns the object that an edit has passed on, and clears it.
    func takeHandover() -> AnyObject? {
        defer { saved?.handover = nil }
        return saved?.handover
    }

    // MARK: Nodes below

    /// Begins a stage of the stream that this node belongs to, or of the stream itself.
    func beginStage<Value>(
        _ key: String,
        _ kind: StateKind,
        _ scope: Scope,
        _ sink: Sink<Value>,
        _ subscribe: @escaping (Scope, Sink<Value>) -> Void
    ) {
        let stream = stream ?? self
        stream.begin(key, kind, in: stream, scope, sink, subscribe)
    }

    /// Begins a stream within this stage, or within the stream itself with `isSource`.
    func beginStream<Value>(
        _ key: String,
        isSource: Bool,
        _ scope: Scope,
        _ sink: Sink<Value>,
        _ subscribe: @escaping (Scope, Sink<Value>) -> Void
    ) {
        (isSource ? stream ?? self : self).begin(key, nil, in: nil, scope, sink, subscribe)
    }

    private func begin<Value>(
        _ key: String,
        _ kind: StateKind?,
        in stream: StateNode?,
        _ scope: Scope,
        _ sink: Sink<Value>,
        _ subscribe: @escaping (Scope, Sink<Value>) -> Void
    ) {
        func start(_ saved: SavedStateNode?, _ sink: Sink<Value>) {
            let node = StateNode(of: self, key, sink.lifetime, saved)
            node.stream = stream
            if let kind { node.use(kind) }
            children[key] = node
            subscribe(scope.at(node), sink)
        }
        guard isRestoring else { return start(nil, sink) }
        guard let saved = saved?.children.removeValue(forKey: key) else {
            // It had ended, or had not begun.
            return sink.lifetime.close()
        }
        switch saved.mark {
        case .kept: start(saved, sink)
        case .completed: run.begin(for: sink.lifetime) { sink.finish(.completed) }
        case .fresh:
            // Values that it gives immediately require that all other children are in place.
            run.begin(for: sink.lifetime) { [run] in
                // Its input continues, but the subscriptions that its values and its end cause begin now.
                let output = Sink<Value>(
                    lifetime: sink.lifetime,
                    end: { end in run.restoring(false) { sink.end(end) } },
                    receive: { value in run.restoring(false) { sink.receive(value) } }
                )
                run.restoring { start(nil, output) }
            }
        }
    }

    /// Makes a stream within this stage begin in place of another, which is dropped.
    func begin(_ key: String, insteadOf old: String) {
        saved?.children[old] = nil
        saved?.children[key] = SavedStateNode(.fresh)
    }

    /// Drops the shared streams whose keys begin with a prefix, and that have not been requested.
    func dropShared(_ prefix: String) {
        let left = saved?.shared.filter { !$0.key.hasPrefix(prefix) }
        saved?.shared = left ?? [:]
    }

    /// Returns a Boolean value that indicates whether a node below has a saved state to resume from.
    func hasSaved(_ key: String) -> Bool {
        if case .kept? = saved?.children[key]?.mark { isRestoring } else { false }
    }

    // MARK: Streams for items

    /// Returns the node of a stream that is started for an item.
    func begin<Item>(for item: Item, _ lifetime: Lifetime) -> StateNode {
        lastInner += 1
        return add(lastInner, item, lifetime, nil)
    }

    /// Returns the streams that were running for items.
    ///
    /// - Parameter isOne: A closure that returns whether a saved value is an item of that type, for a stage that starts
    ///   streams for several types.
    func takeInner<Item>(_: Item.Type, where isOne: (JSON) -> Bool) -> [(item: Item, begin: (Lifetime) -> StateNode)] {
        guard isRestoring, let all = saved?.inner, !all.isEmpty else { return [] }
        let entries = all.filter { isOne($0.item) }
        saved?.inner = all.filter { !isOne($0.item) }
        lastInner = max(lastInner, all.last?.number ?? 0)
        return entries.compactMap { entry in
            do {
                let type = Item.self as? any Savable.Type
                guard let item = try SavedShift.reading(shift, { try type?.init(saved: entry.item) }) as? Item
                else { throw StreamError(message: "an item of \(Item.self) cannot be restored") }
                return (item, { self.add(entry.number, item, $0, entry.node) })
            } catch {
                fail(error)
                return nil
            }
        }
    }

    private func add<Item>(_ number: Int, _ item: Item, _ lifetime: Lifetime, _ saved: SavedStateNode?) -> StateNode {
        let node = StateNode(of: self, "\(number)", lifetime, saved)
        inner[number] = ({ (item as? any Savable)?.saved }, node)
        lifetime.whenClosed { [weak self] in self?.inner[number] = nil }
        return node
    }

    // MARK: Streams that several read

    /// Returns the new node of a shared stream, which replaces the one for another item.
    func shared(_ key: String) -> StateNode {
        let node = StateNode(of: self, key, Lifetime(), run.isRestoring ? saved?.shared.removeValue(forKey: key) : nil)
        shared[key] = node
        return node
    }

    /// Removes the shared streams within the stream of an item that has ended, since nothing can read them again.
    func forgetShared() { shared = [:] }

    /// Calls `start` for the shared streams of this node and of those below that have not been requested.
    func claim(_ start: (StateNode, String) -> Void) {
        for key in saved?.shared.keys.sorted() ?? [] { start(self, key) }
        let below = children.values + inner.values.map(\.node) + shared.values
        for node in below where !node.lifetime.isClosed { node.claim(start) }
    }

    // MARK: Saving

    /// Returns the saved state of this node and of those below that have not ended.
    ///
    /// - Parameter unsaved: Collects the paths of states that cannot be saved.
    func save(_ unsaved: inout [String]) -> SavedStateNode {
        var result = SavedStateNode()
        result.version = version
        for (name, save) in states {
            if let json = save() { result.states[name] = json } else { unsaved.append("\(path).\(name)") }
        }
        // A node that has ended is not saved again.
        children = children.filter { !$0.value.lifetime.isClosed }
        for (key, node) in children { result.children[key] = node.save(&unsaved) }
        for (number, entry) in inner.sorted(by: { $0.key < $1.key }) where !entry.node.lifetime.isClosed {
            guard let item = entry.item() else {
                unsaved.append(entry.node.path)
                continue
            }
            result.inner.append(SavedStateNode.Inner(number: number, item: item, node: entry.node.save(&unsaved)))
        }
        // A journal has these numbers, so that a replay has to number the streams alike.
        if run.outside != nil, lastInner > result.inner.last?.number ?? 0 { result.lastInner = lastInner }
        for (key, node) in shared { result.shared[key] = node.save(&unsaved) }
        result.handover = handover
        return result
    }
}

/// The time at which a timer is due, and its place in the order.
struct TimerPlace: Savable {
    let due: StreamTime
    let order: Int64
    /// The time at which the wait began; `nil` in checkpoints of earlier versions.
    let since: StreamTime?

    /// The greatest position in the order of timers; the positions beyond it leave room for new timers.
    static let lastOrder = Int64.max / 4 * 3

    init(due: StreamTime, order: Int64, since: StreamTime?) {
        (self.due, self.order, self.since) = (due, order, since)
    }

    init(saved json: JSON) throws {
        guard case .array(let parts) = json, (2...3).contains(parts.count) else {
            throw StreamError.unreadable("a time and a place in the order", json)
        }
        due = try StreamTime(saved: parts[0])
        order = try SavedOrder(saved: parts[1]).value
        since = parts.count > 2 ? try StreamTime(saved: parts[2]) : nil
        guard order != 0, order.magnitude < Int64.max.magnitude else { throw StreamError.unreadable("a place", json) }
    }

    var saved: JSON { .array([due.saved, .int(order)] + (since.map { [$0.saved] } ?? [])) }
}
