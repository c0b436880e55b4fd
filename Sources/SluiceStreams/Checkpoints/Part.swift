import SluiceJSON

/// A part of the tree of subscriptions of a run that can be saved: a stage, a stream within one, or a stream that was
/// started for an item. It has the states, timers, and streams that belong to it.
///
/// A run that isn't saved has no parts.
@usableFromInline final class Part {
    /// The path of the part, for messages.
    let path: String
    private unowned let run: Run
    private let lifetime: Lifetime
    /// The stream to whose stages this part belongs; `nil` for a stream.
    private weak var stream: Part?
    /// The saved state of the part; states are removed as they are restored.
    fileprivate(set) var saved: SavedPart?

    private var states: [(name: String, save: () -> JSON?)] = []
    private var parts: [String: Part] = [:]
    private var inner: [Int: (item: () -> JSON?, part: Part)] = [:]
    private var lastInner = 0
    private var shared: [String: Part] = [:]
    /// The item for which a stream below this part was started.
    weak var outer: Outer?
    /// The plan's record of the effect of an edit on the stage; `nil` outside of an edit.
    private var outcome: StageOutcome?
    /// The version of the states of the stage.
    private var version = 1
    /// The object that an edit passes to the next run.
    var handover: AnyObject?

    /// Creates the part of a whole stream.
    init(_ run: Run, path: String = "", lifetime: Lifetime, saved: SavedPart?) {
        self.run = run
        self.path = path
        self.lifetime = lifetime
        self.saved = saved
        outcome = saved?.outcome
    }

    private convenience init(of parent: Part, _ name: String, _ lifetime: Lifetime, _ saved: SavedPart?) {
        self.init(
            parent.run,
            path: parent.path.isEmpty ? name : "\(parent.path).\(name)",
            lifetime: lifetime,
            saved: saved
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
        stream?.saved?.parts.merge(stages) { first, _ in first }
    }

    // MARK: States

    /// Registers a state for saving, and restores its saved value.
    @usableFromInline func keep<State>(_ cell: Cell<State>, _ name: String) {
        let name = unused(name)
        states.append((name, { SavedState.json(cell.state) }))
        guard let json = takeState(name) else { return }
        do { try SavedState.restore(&cell.state, json) } catch { fail(error) }
    }

    /// Registers a timer for saving, and arms it as it was saved. If an edit has changed its duration, the timer moves.
    ///
    /// - Parameter notes: A Boolean value that indicates whether the plan says `due now` of a timer that moves to now.
    @usableFromInline func keep(_ timer: Timer, lasting duration: StreamTime?, notes: Bool) {
        let name = unused("timer")
        states.append((name, { [unowned run] in run.place(of: timer).saved }))
        guard let json = takeState(name) else { return }
        do {
            guard let place = try TimerPlace?(saved: json) else { return }
            // A checkpoint of an earlier version doesn't have it; it is of the same document.
            let since = place.since ?? duration.flatMap { place.due.subtracting($0) } ?? place.due
            run.arm(timer, at: place.due, order: place.order, since: since)
            if let duration { run.move(timer, toWait: duration) }
            if notes, timer.isMovedToNow { noteDueNow() }
        } catch {
            fail(error)
        }
    }

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

    // MARK: Parts below

    /// Begins a stage of the stream that this part belongs to, or of the stream itself.
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
        in stream: Part?,
        _ scope: Scope,
        _ sink: Sink<Value>,
        _ subscribe: @escaping (Scope, Sink<Value>) -> Void
    ) {
        func start(_ saved: SavedPart?, _ sink: Sink<Value>) {
            let part = Part(of: self, key, sink.lifetime, saved)
            part.stream = stream
            if let kind { part.use(kind) }
            parts[key] = part
            subscribe(scope.at(part), sink)
        }
        guard isRestoring else { return start(nil, sink) }
        guard let saved = saved?.parts.removeValue(forKey: key) else {
            // It had ended, or had not begun.
            return sink.lifetime.close()
        }
        switch saved.mark {
        case .kept: start(saved, sink)
        case .completed: run.begin(for: sink.lifetime) { sink.finish(.completed) }
        case .fresh:
            // Values that it gives immediately require that all other parts are in place.
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

    /// Returns a Boolean value that indicates whether a part below has a saved state to resume from.
    func hasSaved(_ key: String) -> Bool {
        if case .kept? = saved?.parts[key]?.mark { isRestoring } else { false }
    }

    // MARK: Streams for items

    /// Returns the part of a stream that is started for an item.
    func begin<Item>(for item: Item, _ lifetime: Lifetime) -> Part {
        lastInner += 1
        return add(lastInner, item, lifetime, nil)
    }

    /// Returns the streams that were running for items.
    ///
    /// - Parameter isOne: A closure that returns whether a saved value is an item of that type, for a stage that starts
    ///   streams for several types.
    func takeInner<Item>(_: Item.Type, where isOne: (JSON) -> Bool) -> [(item: Item, begin: (Lifetime) -> Part)] {
        guard isRestoring, let all = saved?.inner, !all.isEmpty else { return [] }
        let entries = all.filter { isOne($0.item) }
        saved?.inner = all.filter { !isOne($0.item) }
        lastInner = max(lastInner, all.last?.number ?? 0)
        return entries.compactMap { entry in
            do {
                guard let type = Item.self as? any Savable.Type, let item = try type.init(saved: entry.item) as? Item
                else { throw StreamError(message: "an item of \(Item.self) cannot be restored") }
                return (item, { self.add(entry.number, item, $0, entry.part) })
            } catch {
                fail(error)
                return nil
            }
        }
    }

    private func add<Item>(_ number: Int, _ item: Item, _ lifetime: Lifetime, _ saved: SavedPart?) -> Part {
        let part = Part(of: self, "\(number)", lifetime, saved)
        inner[number] = ({ (item as? any Savable)?.saved }, part)
        lifetime.whenClosed { [weak self] in self?.inner[number] = nil }
        return part
    }

    // MARK: Streams that several read

    /// Returns the new part of a shared stream, which replaces the one for another item.
    func shared(_ key: String) -> Part {
        let part = Part(of: self, key, Lifetime(), run.isRestoring ? saved?.shared.removeValue(forKey: key) : nil)
        shared[key] = part
        return part
    }

    /// Removes the shared streams within the stream of an item that has ended, since nothing can read them again.
    func forgetShared() { shared = [:] }

    /// Calls `start` for the shared streams of this part and of those below that have not been requested.
    func claim(_ start: (Part, String) -> Void) {
        for key in saved?.shared.keys.sorted() ?? [] { start(self, key) }
        let below = parts.values + inner.values.map(\.part) + shared.values
        for part in below where !part.lifetime.isClosed { part.claim(start) }
    }

    // MARK: Saving

    /// Returns the saved state of this part and of those below that have not ended.
    ///
    /// - Parameter unsaved: Collects the paths of states that cannot be saved.
    func save(_ unsaved: inout [String]) -> SavedPart {
        var result = SavedPart()
        result.version = version
        for (name, save) in states {
            if let json = save() { result.states[name] = json } else { unsaved.append("\(path).\(name)") }
        }
        // A part that has ended is not saved again.
        parts = parts.filter { !$0.value.lifetime.isClosed }
        for (key, part) in parts { result.parts[key] = part.save(&unsaved) }
        for (number, entry) in inner.sorted(by: { $0.key < $1.key }) where !entry.part.lifetime.isClosed {
            guard let item = entry.item() else {
                unsaved.append(entry.part.path)
                continue
            }
            result.inner.append(SavedPart.Inner(number: number, item: item, part: entry.part.save(&unsaved)))
        }
        for (key, part) in shared { result.shared[key] = part.save(&unsaved) }
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
        order = try Int64(saved: parts[1])
        since = parts.count > 2 ? try StreamTime(saved: parts[2]) : nil
        guard order != 0, order.magnitude < Int64.max.magnitude else { throw StreamError.unreadable("a place", json) }
    }

    var saved: JSON { .array([due.saved, .int(order)] + (since.map { [$0.saved] } ?? [])) }
}
