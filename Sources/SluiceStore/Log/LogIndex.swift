#if SQLite
import Sluice

/// The entries of the log that the tables do not hold yet, stream by stream.
///
/// The log has no index in the file, since that would write a page for each stream. This one is made when the file is
/// opened. The writer changes it within its transactions; readers use it as a hint: they read the entries that it names in
/// their own snapshot, look for newer ones, and leave out those that the tables hold by then.
final class LogIndex: Sendable {
    /// The entries of one run.
    struct Tail: Sendable {
        /// The number of the stream.
        let stream: Int
        var run: Int
        var revision: Int
        /// The number of the last output.
        var outputs: Int
        /// The place in the log up to which the tables hold everything.
        var base: Int
        /// The places of the entries; the first ones may be held by the tables.
        var places: [Int] = []
        /// The size of the entries after `base`, in bytes.
        var size = 0
        /// A Boolean value that indicates whether the run was forgotten.
        var isForgotten = false
        /// A Boolean value that indicates whether an entry can't be read: all stay in the log.
        var isDamaged = false

        /// The number of entries after `base`.
        var count: Int { places.count - (places.firstIndex { $0 > base } ?? places.count) }
        /// The place of the first entry after `base`.
        var oldest: Int? { places.first { $0 > base } }
    }

    /// The part of the index that a reader needs: the entries of a stream, and the last place that is known.
    struct Hint: Sendable {
        let places: [Int]
        let last: Int
    }

    /// The rules for what goes from the log to the tables.
    struct Limits: Sendable {
        /// The number of entries of a stream at which they go to the tables.
        var entries = 256
        /// The size of the entries of a stream at which they go to the tables, in bytes; a commit with outputs of that size goes
        /// there at once.
        var size = 32 << 10
        /// The largest distance in the log from the oldest entry that the tables don't hold to the newest.
        var span = 200_000
        /// The size of a checkpoint, in bytes, from which it goes to the tables at once.
        var checkpoint = 16 << 10
        /// The number of new entries after which the beginning of the log is removed.
        var piece = 2048
        /// The cost of the entries that are moved, and of those that are removed, before other writes have their turn; more
        /// only where more was written since the last time. An entry costs its size and ``entryCost``.
        var part = 512 << 10
        /// The cost of an entry besides its size.
        static let entryCost = 128
    }

    private struct State {
        var tails: [String: Tail] = [:]
        /// The first and the last place of the log.
        var first = 0
        var last = 0
        /// The streams whose entries are to go to the tables, the first first.
        var due = Deque<String>()
        var isDue: Set<String> = []
        /// The streams of which `base` has moved in this transaction.
        var moved: Set<String> = []
        /// The cost of the entries that were written since the last upkeep.
        var written = 0
        /// The size by which the outputs of streams in the tables have grown since they were trimmed, in bytes, by the number
        /// of the stream.
        var growth: [Int: Int] = [:]
        /// The place at which the log was last looked through for old entries.
        var lookedAt = 0
        /// The number by which SQLite tells a file that others have changed; `nil` where the index has to be made.
        var version: Int?
    }

    let limits: Limits
    private let state = Locked(State())
    /// The largest cost of the entries that are moved before other writes have their turn.
    private static let largestPart = 2 << 20

    init(limits: Limits) { self.limits = limits }

    // MARK: Readers

    /// Returns what a reader has to know of a stream before its snapshot is taken.
    func hint(_ id: String) -> Hint { state.withLock { Hint(places: $0.tails[id]?.places ?? [], last: $0.last) } }

    /// Returns what a reader has to know of all streams, by their numbers.
    func hints() -> (places: [Int: [Int]], last: Int) {
        state.withLock { state in
            (Dictionary(state.tails.values.map { ($0.stream, $0.places) }) { $0 + $1 }, state.last)
        }
    }

    // MARK: The writer

    /// Returns a Boolean value that indicates whether the index is of the file as it is.
    func isValid(_ version: Int) -> Bool { state.withLock { $0.version == version } }

    /// Replaces the index.
    func fill(_ tails: [String: Tail], first: Int, last: Int, version: Int) {
        state.withLock { state in
            // No place is used twice, whatever became of the transaction that used it.
            state.last = max(state.last, last)
            (state.tails, state.first, state.version) = (tails, first, version)
            (state.due, state.isDue, state.moved) = (Deque(), [], [])
            for (id, tail) in tails { noteDue(id, tail, &state) }
        }
    }

    /// Has the index made again: a transaction was undone.
    func invalidate() { state.withLock { $0.version = nil } }

    /// Returns the tail of a run; `nil` where none is known.
    func tail(_ id: String) -> Tail? {
        state.withLock { state in state.tails[id].flatMap { $0.isForgotten ? nil : $0 } }
    }

    /// The last place of the log.
    var last: Int { state.withLock { $0.last } }

    /// Notes a run whose entries the tables hold up to the end of the log.
    func put(_ id: String, stream: Int, run: Int, revision: Int, outputs: Int) {
        state.withLock { state in
            var tail = Tail(stream: stream, run: run, revision: revision, outputs: outputs, base: state.last)
            tail.places = state.tails[id]?.places ?? []
            state.tails[id] = tail
            state.moved.insert(id)
        }
    }

    /// Notes that a run is forgotten.
    func forget(_ id: String) {
        state.withLock { state in
            state.tails[id]?.isForgotten = true
            if let stream = state.tails[id]?.stream { state.growth[stream] = nil }
            state.tails[id]?.base = state.last
            state.moved.insert(id)
        }
    }

    /// The place of the next entry. It is not the last place before ``append(_:of:outputs:size:)``: a reader finds an entry
    /// by the places that the index has, or after the last of them.
    var nextPlace: Int { state.withLock { $0.last + 1 } }

    /// Notes an entry at the next place.
    func append(_ place: Int, of id: String, outputs: Int, size: Int) {
        state.withLock { state in
            state.last = max(state.last, place)
            state.written += size + Limits.entryCost
            guard var tail = state.tails.removeValue(forKey: id) else { return }
            tail.places.append(place)
            tail.outputs = outputs
            tail.size += size
            state.tails[id] = tail
            noteDue(id, tail, &state)
        }
    }

    private func noteDue(_ id: String, _ tail: Tail, _ state: inout State) {
        guard tail.places.count >= limits.entries || tail.size >= limits.size, !state.isDue.contains(id) else { return }
        if tail.isDamaged { return }
        guard tail.count >= limits.entries || tail.size >= limits.size else { return }
        state.due.append(id)
        state.isDue.insert(id)
    }

    /// Notes that the tables hold entries of a run.
    ///
    /// - Parameters:
    ///   - place: the place of the last of them; `nil` where they are all.
    ///   - size: their size, in bytes.
    func applied(_ id: String, upTo place: Int? = nil, size: Int = 0) {
        state.withLock { state in
            state.moved.insert(id)
            guard var tail = state.tails.removeValue(forKey: id) else { return }
            tail.base = place ?? state.last
            tail.size = place == nil ? 0 : max(0, tail.size - size)
            state.tails[id] = tail
            if place != nil { noteDue(id, tail, &state) }
        }
    }

    /// Forgets the entries that the tables hold: the transaction that moved them is on the disk.
    func committed() {
        state.withLock { state in
            for id in state.moved {
                guard var tail = state.tails.removeValue(forKey: id) else { continue }
                tail.places.removeAll { $0 <= tail.base }
                if !tail.isForgotten { state.tails[id] = tail }
            }
            if !state.moved.isEmpty { state.moved = [] }
        }
    }

    // MARK: Growth

    /// Notes that the tables have more outputs of a stream.
    func noteGrowth(_ size: Int, of stream: Int) { state.withLock { $0.growth[stream, default: 0] += size } }

    /// Returns the streams that have grown by a size, and begins to count again for them.
    func takeGrown(by size: Int) -> [Int] {
        state.withLock { state in
            let grown = state.growth.filter { $0.value >= size }.map(\.key)
            for stream in grown { state.growth[stream] = nil }
            return grown
        }
    }

    // MARK: Upkeep

    /// The streams that have entries which the tables do not hold.
    var open: [String] { state.withLock { state in state.tails.filter { $0.value.count > 0 }.map(\.key) } }

    /// A Boolean value that indicates whether there is something to move or to remove.
    var needsUpkeep: Bool {
        state.withLock { state in !state.due.isEmpty || state.last - state.lookedAt >= limits.piece }
    }

    /// Returns the cost of the entries to move and to remove now. It is more than was written since the last call, so that
    /// the log does not grow; but what comes after a large entry is divided, since other writes wait for it.
    func takeBudget() -> Int {
        state.withLock { state in
            let budget = max(limits.part, min(state.written / 2 * 3, Self.largestPart))
            state.written = max(0, state.written - budget / 3 * 2)
            return budget
        }
    }

    /// Returns a stream whose entries are to go to the tables now; `nil` where nothing is due.
    func takeDue() -> String? {
        state.withLock { state in
            guard let id = state.due.popFirst() else { return nil }
            state.isDue.remove(id)
            return id
        }
    }

    /// Sets a stream aside, of which an entry can't be read: its entries stay in the log, and the others go on.
    func setAside(_ id: String) { state.withLock { $0.tails[id]?.isDamaged = true } }

    /// The numbers of the streams that were set aside.
    var damaged: [Int] { state.withLock { $0.tails.values.filter(\.isDamaged).map(\.stream) } }

    /// Returns the places that may be removed from the beginning of the log, and has old entries moved; `nil` where it is not
    /// the time for that.
    func old() -> Range<Int>? {
        state.withLock { state in
            guard state.last - state.lookedAt >= limits.piece else { return nil }
            var oldest = state.last  // the newest entry stays, so that no place is used twice
            for (id, tail) in state.tails {
                guard !tail.isDamaged, let place = tail.oldest else { continue }
                oldest = min(oldest, place)
                if place < state.last - limits.span, state.isDue.insert(id).inserted { state.due.append(id) }
            }
            let end = min(oldest, state.first + 2 * limits.piece)
            guard end > state.first else {
                state.lookedAt = state.last
                return nil
            }
            if end == oldest { state.lookedAt = state.last }
            return state.first..<end
        }
    }

    /// Notes that the entries before a place were removed.
    ///
    /// - Parameter isPart: a Boolean value that indicates whether there are more to remove.
    func removed(before place: Int, isPart: Bool) {
        state.withLock { state in
            state.first = place
            // The next look comes at once.
            if isPart { state.lookedAt = min(state.lookedAt, state.last - limits.piece) }
        }
    }
}
#endif
