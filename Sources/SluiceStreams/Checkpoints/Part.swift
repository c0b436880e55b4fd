import SluiceJSON

/// A part of the tree of subscriptions of a run that can be saved: a stage, a stream within one, or a stream that was
/// started for an item. It knows the states, timers and streams that hang on it.
///
/// A run that is not to be saved has none.
@usableFromInline final class Part {
    /// The way to the part, for messages.
    let path: String
    private unowned let run: Run
    private let lifetime: Lifetime
    /// The stream whose stages this part is among; `nil` where it is a stream itself.
    private weak var stream: Part?
    /// What it was when it was saved; what is taken up is taken out.
    fileprivate(set) var saved: SavedPart?

    private var states: [(name: String, save: () -> JSON?)] = []
    private var parts: [String: Part] = [:]
    private var inner: [Int: (item: () -> JSON?, part: Part)] = [:]
    private var lastInner = 0
    private var shared: [String: Part] = [:]
    /// The item that a stream below it was started for.
    weak var outer: Outer?
    /// The plan's record of what the edit does to the stage; `nil` outside of an edit.
    private var outcome: StageOutcome?
    /// The version of the states of the stage.
    private var version = 1
    /// What an edit hands to the next run.
    var handover: AnyObject?

    /// Makes the part of a whole stream.
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

    /// Whether the subscription goes on from what was saved, and does not begin.
    var isRestoring: Bool { run.isRestoring && saved != nil }

    /// Brings what was saved to the version of the kind of the stage.
    private func use(_ kind: StateKind) {
        version = kind.version
        do { try saved?.migrate(to: kind) } catch { fail(error) }
        guard let stages = saved?.stages, !stages.isEmpty else { return }
        saved?.stages = [:]
        stream?.saved?.parts.merge(stages) { first, _ in first }
    }

    // MARK: States

    /// Saves a state with the others, and takes up what was saved of it.
    @usableFromInline func keep<State>(_ cell: Cell<State>, _ name: String) {
        let name = unused(name)
        states.append((name, { SavedState.json(cell.state) }))
        guard let json = takeState(name) else { return }
        do { try SavedState.restore(&cell.state, json) } catch { fail(error) }
    }

    /// Saves a timer, and arms it as it was; where an edit has changed how long it waits, it moves.
    ///
    /// - Parameter notes: whether the plan says `due now` of a timer that moves to now.
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

    /// Notes for the plan that an edit makes something due now.
    @usableFromInline func noteDueNow() { outcome?.isDueNow = true }

    /// Saves how many items are held back.
    @usableFromInline func keep(_ holding: Holding) {
        let name = unused("held")
        states.append((name, { holding.count.saved }))
        guard let json = takeState(name) else { return }
        do { holding.add(min(try Int(saved: json), run.limits.heldItems)) } catch { fail(error) }
    }

    /// The first two of a stage have the same name where it is made of several flows.
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

    /// What an edit has handed on.
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

    /// Begins a stream within this stage; within the stream itself where `isSource`.
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
            // What it gives at once has to find all others in their places.
            run.begin(for: sink.lifetime) { [run] in
                // Its input goes on, but what its values and its end make others subscribe to begins.
                let output = Sink<Value>(
                    lifetime: sink.lifetime,
                    end: { end in run.restoring(false) { sink.end(end) } },
                    receive: { value in run.restoring(false) { sink.receive(value) } }
                )
                run.restoring { start(nil, output) }
            }
        }
    }

    /// Whether a part below is there to go on.
    func hasSaved(_ key: String) -> Bool {
        if case .kept? = saved?.parts[key]?.mark { isRestoring } else { false }
    }

    // MARK: Streams for items

    /// The part of a stream that is started for an item.
    func begin<Item>(for item: Item, _ lifetime: Lifetime) -> Part {
        lastInner += 1
        return add(lastInner, item, lifetime, nil)
    }

    /// The streams that ran for items.
    ///
    /// - Parameter isOne: whether what was saved is an item of that type, where a stage starts streams for several.
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

    /// The part of a stream that several read, which begins; in place of one for another item.
    func shared(_ key: String) -> Part {
        let part = Part(of: self, key, Lifetime(), run.isRestoring ? saved?.shared.removeValue(forKey: key) : nil)
        shared[key] = part
        return part
    }

    /// Forgets the streams that several read within the stream of an item that has ended: nobody can read them again.
    func forgetShared() { shared = [:] }

    /// Calls `start` for the streams of this part and of those below that several read, and nobody has asked for.
    func claim(_ start: (Part, String) -> Void) {
        for key in saved?.shared.keys.sorted() ?? [] { start(self, key) }
        let below = parts.values + inner.values.map(\.part) + shared.values
        for part in below where !part.lifetime.isClosed { part.claim(start) }
    }

    // MARK: Saving

    /// What is to be saved of this part and of those below that have not ended.
    ///
    /// - Parameter unsaved: takes the paths of what cannot be saved.
    func save(_ unsaved: inout [String]) -> SavedPart {
        var result = SavedPart()
        result.version = version
        for (name, save) in states {
            if let json = save() { result.states[name] = json } else { unsaved.append("\(path).\(name)") }
        }
        // What has ended is not asked for again.
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
    /// The time from which the wait counts; `nil` in checkpoints of earlier versions.
    let since: StreamTime?

    /// Orders further from 0 are nobody's; some are left to count on.
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
