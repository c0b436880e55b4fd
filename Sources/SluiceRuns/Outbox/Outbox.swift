package import SluiceFilters
package import SluiceStreams

/// The deliveries of one sink, as a state machine: time, the outputs, and the answers of the receiver are its input.
///
/// Outputs come in order (``offer(_:_:at:)``). Each becomes a delivery, or several become one where the sink collects
/// batches. A delivery gets its request (``fix(_:key:request:)``), which is stored (``takeCommit()``,
/// ``noteStored(_:)``) before the first attempt, and which each attempt repeats, also after a kill. An attempt (``start(at:)``) ends with an outcome
/// (``finish(_:_:at:random:)``). Deliveries are attempted in order, or, with concurrency, in order of each key.
package struct Outbox: Sendable {
    /// The largest number of outputs that are acknowledged while an earlier one is not.
    package static let largestGap = 1024
    /// The waits between attempts.
    package static let backoff = Backoff.exponential(from: .seconds(1), to: .seconds(300), jitter: .full)
    /// The longest wait that a receiver may ask for.
    package static let longestWait = Duration.seconds(86_400)
    /// The size of the outputs from which no more are taken, in bytes.
    static let largestSize = 1 << 20
    /// The size of the requests from which no more are made, in bytes.
    package static let largestRequests = 4 << 20
    /// The largest number of dead letters of a stream.
    package static let largestLetters = 10_000

    /// An output, as its sink sees it.
    package enum Offer: Sendable {
        /// An output to deliver, with its text, and its key where the sink has one.
        case item(String, key: String?)
        /// An output that the sink does not deliver.
        case passed
        /// The end of a run: a batch ends with it.
        case ended
    }

    /// The outcome of an attempt.
    package enum Outcome: Sendable, Hashable {
        /// The receiver has the outputs.
        case delivered
        /// The attempt has failed; another one may succeed, after the receiver's wait at the earliest.
        case failed(String, after: Duration?)
        /// A filter has held the attempt back: nothing was sent. Another one is made after its wait.
        case held(String, after: Duration?)
        /// The delivery has failed for good.
        case refused(String)
    }

    /// An attempt that begins.
    package struct Attempt: Sendable, Hashable {
        /// The place of the first output.
        package let place: OutputPlace
        /// The idempotency key.
        package let key: String
        /// The request as JSON.
        package let request: String
    }

    /// The outputs of a delivery without a request.
    package struct Draft: Sendable, Hashable {
        /// The place of the first output.
        package let place: OutputPlace
        /// The number of the request, from 1.
        package let round: Int
        /// The texts of the outputs.
        package let items: [String]
        /// The key of the first output; `nil` where it has none, or an expression of the sink has failed.
        package let key: String?
    }

    /// A delivery.
    struct Entry: Sendable {
        let first: OutputPlace
        var last: OutputPlace
        var items: [String] = []
        /// The texts that were offered again so far; they replace `items` when all were.
        var offered: [String] = []
        var key: String?
        /// The time until which a batch may collect outputs; `nil` where it is complete.
        var deadline: Int64?
        var request: (key: String, text: String)?
        /// A Boolean value that indicates whether the store has a row for it, or is about to.
        var hasRow = false
        /// A Boolean value that indicates whether the store has its request.
        var isStored = false
        var round = 1
        /// A Boolean value that indicates whether an attempt may have been made, so that the request can't change.
        var isAttempted = false
        var isInFlight = false
        /// A Boolean value that indicates whether nothing is left to deliver.
        var isDone = false
        /// A Boolean value that indicates whether the receiver has acknowledged it while an earlier one was open.
        var isAcknowledged = false
        var attempts = 0
        var due: Int64 = 0
        var lastWait: Duration?
        var error: String?
        var isBlocked = false
        /// A Boolean value that indicates whether a filter has held the last attempt back.
        var isHeld = false
        /// A Boolean value that indicates whether all its outputs were offered since the sink was opened or edited.
        var isLoaded = true
    }

    /// The id of the stream.
    package let stream: String
    /// The id of the sink.
    package let id: String
    /// The rules of delivery.
    package internal(set) var rules: SinkRules
    /// The last output up to which all are done.
    package internal(set) var cursor: OutputPlace
    /// The last output that was offered.
    package internal(set) var read: OutputPlace
    /// The number of outputs that were delivered, and that went to the dead letters.
    package internal(set) var delivered: Int
    package internal(set) var failed: Int
    /// The fingerprint of the sink that makes the requests.
    package var fingerprint: String?
    /// The deliveries of the outputs after the cursor, in order.
    var entries = DeliveryQueue()
    /// Deliveries that were attempted, or acknowledged, and whose outputs are to be offered again.
    var pool: [OutputPlace: Entry] = [:]
    var size = 0
    var inFlight = 0
    /// The number of entries that are acknowledged after the cursor.
    var gap = 0
    var commit = PendingCommit()
    /// The latest time for which an attempt, or a batch, has waited.
    var latestDue: Int64 = 0
    /// The number of dead letters that were taken to be stored, and are not stored yet.
    var takenLetters = 0
    /// The size of the requests from which no more are made, in bytes.
    var requestLimit = Outbox.largestRequests
    /// The number of dead letters that there is room for, which the owner sets before it ends an attempt.
    package var letterRoom = Outbox.largestLetters

    /// The changes that are not stored.
    struct PendingCommit: Sendable {
        var fixed: [OutputPlace: StoredDelivery] = [:]
        var ended: Set<OutputPlace> = []
        var letters: [StoredDeadLetter] = []
        var isDirty = false
    }

    /// Creates the outbox of a stored sink.
    ///
    /// - Parameter deliveries: the deliveries whose requests were stored: attempts of them may have been made.
    package init(_ sink: StoredSink, _ deliveries: [StoredDelivery] = [], rules: SinkRules) {
        (stream, id, cursor, read, self.rules) = (sink.stream, sink.id, sink.cursor, sink.cursor, rules)
        (delivered, failed, fingerprint) = (sink.delivered, sink.failed, sink.fingerprint)
        for place in sink.acknowledged where place > cursor {
            var entry = Entry(first: place, last: place)
            (entry.isDone, entry.isAcknowledged, entry.isLoaded) = (true, true, false)
            pool[place] = entry
        }
        for delivery in deliveries {
            guard delivery.first > cursor else {
                commit.ended.insert(delivery.first)
                commit.isDirty = true
                continue
            }
            if pool[delivery.first] != nil {
                // A batch that is done: its row says which outputs it had.
                pool[delivery.first]?.last = delivery.last
                pool[delivery.first]?.hasRow = true
                continue
            }
            var entry = Entry(first: delivery.first, last: delivery.last)
            // Without a key, an edit has asked for another request.
            entry.request = delivery.key.isEmpty ? nil : (delivery.key, delivery.request)
            (entry.hasRow, entry.isStored) = (true, entry.request != nil)
            (entry.round, entry.error, entry.isBlocked) = (delivery.round, delivery.refusal, delivery.refusal != nil)
            (entry.isAttempted, entry.isLoaded) = (true, false)
            pool[delivery.first] = entry
        }
    }

    /// A Boolean value that indicates whether the sink has stopped at an output.
    package var isBlocked: Bool { entries.blockedCount > 0 || pool.values.contains(where: \.isBlocked) }

    /// The error of the output at which the sink is blocked, or of the oldest whose attempt has failed.
    package var error: String? {
        guard let entry = trouble, let error = entry.error else { return nil }
        guard isFullOfLetters, entry.isBlocked else { return error }
        return "\(DeadLettersFullError()): \(error)"
    }

    /// A Boolean value that indicates whether a delivery waits for room among the dead letters.
    package var isFullOfLetters: Bool { rules.onFailure == .skip && isBlocked }

    /// The oldest delivery that is blocked or has failed: its place, key, and request.
    package var troubled: Attempt? {
        trouble.map { Attempt(place: $0.first, key: $0.request?.key ?? "", request: $0.request?.text ?? "") }
    }

    private var trouble: Entry? { oldest(where: \.isBlocked) ?? oldest { !$0.isDone && $0.error != nil } }

    /// Returns the oldest delivery that meets a condition, also of those whose outputs were not offered again.
    func oldest(where isWanted: (Entry) -> Bool) -> Entry? {
        let (entry, pooled) = (entries.first(where: isWanted), pool.values.filter(isWanted).min { $0.first < $1.first })
        guard let entry, let pooled else { return entry ?? pooled }
        return entry.first < pooled.first ? entry : pooled
    }

    /// The number of attempts in flight.
    package var flights: Int { inFlight }

    /// The number of outputs after the cursor that are done.
    package var doneAhead: Int { entries.count(where: \.isDone) }

    // MARK: Taking outputs

    /// The largest number of deliveries that are not done, or wait for one before them.
    private var capacity: Int {
        max(128, rules.batchCount, rules.concurrency > 1 ? Self.largestGap + rules.concurrency : 0)
    }

    /// A Boolean value that indicates whether there is room for so many further outputs that they are worth a read of the store,
    /// and a write of their requests: not one for each delivery that is done.
    package var hasRoom: Bool { rules.batchCount > 1 || entries.count <= capacity - capacity / 4 }

    /// A Boolean value that indicates whether further outputs can be offered.
    package var wantsMore: Bool {
        let most = capacity
        let count = rules.batchCount > 1 ? (entries.last?.items.count ?? 0) : 0
        return entries.count < most && (size < Self.largestSize || entries.isEmpty || count > 0 && isCollecting)
            && (rules.batchCount == 1 || entries.count < 4)
    }

    /// A Boolean value that indicates whether the last delivery is a batch that takes more outputs.
    private var isCollecting: Bool {
        guard let last = entries.last else { return false }
        return last.deadline != nil && !last.isDone && last.request == nil && last.items.count < rules.batchCount
    }

    /// Takes the next output.
    ///
    /// - Parameters:
    ///   - place: its place, after all that were offered.
    ///   - offer: the output, as the sink sees it.
    ///   - now: the time in nanoseconds.
    package mutating func offer(_ place: OutputPlace, _ offer: Offer, at now: Int64) {
        guard place > read else { return }
        read = place
        // A delivery that was attempted keeps its outputs.
        if let index = entries.indices.last, !entries[index].isLoaded, place <= entries[index].last {
            return load(offer, into: index)
        }
        if let index = entries.indices.last, !entries[index].isLoaded { endLoading(index) }
        if let entry = pool.removeValue(forKey: place) {
            endBatch()
            entries.append(entry)
            size += entry.size
            if entry.isAcknowledged { gap += 1 }
            return load(offer, into: entries.count - 1)
        }
        switch offer {
        case .item(let text, let key): append(text, key, at: place, now)
        case .passed, .ended:
            if case .ended = offer { endBatch() }
            if let index = entries.indices.last, entries[index].isDone && !entries[index].isAcknowledged || isCollecting
            {
                entries[index].last = place
            } else {
                var entry = Entry(first: place, last: place)
                entry.isDone = true
                entries.append(entry)
            }
        }
        advance()
    }

    /// Ends the batch that takes further outputs: it is delivered as it is.
    package mutating func endBatch() {
        if isCollecting { entries[entries.count - 1].deadline = nil }
    }

    private mutating func append(_ text: String, _ key: String?, at place: OutputPlace, _ now: Int64) {
        size += text.utf8.count
        if isCollecting {
            let index = entries.count - 1
            entries[index].last = place
            entries[index].items.append(text)
            if entries[index].items.count >= rules.batchCount { entries[index].deadline = nil }
            return
        }
        var entry = Entry(first: place, last: place)
        (entry.items, entry.key) = ([text], key)
        if rules.batchCount > 1 {
            let end = rules.batchSeconds.map { now.advanced(byClamping: Int64($0 * 1e9)) }
            entry.deadline = end ?? .max
            latestDue = max(latestDue, end ?? 0)
        }
        entries.append(entry)
    }

    /// Puts an output into a delivery that was attempted before.
    private mutating func load(_ offer: Offer, into index: Int) {
        if case .item(let text, let key) = offer, !entries[index].isDone {
            entries[index].offered.append(text)
            entries[index].key = key
        }
        if read >= entries[index].last { endLoading(index) }
        advance()
    }

    /// Notes that all outputs of a delivery were offered again.
    private mutating func endLoading(_ index: Int) {
        entries[index].isLoaded = true
        guard !entries[index].isDone else { return }
        size -= entries[index].size
        (entries[index].items, entries[index].offered) = (entries[index].offered, [])
        size += entries[index].size
        // The edited sink delivers none of them.
        if entries[index].items.isEmpty, entries[index].request == nil { entries[index].isDone = true }
    }

    /// Moves the cursor over all that is done.
    mutating func advance() {
        while !entries.isEmpty, entries[0].isDone, entries[0].isLoaded, !entries[0].isInFlight,
            let entry = entries.popFirst()
        {
            if entry.isAcknowledged { gap -= 1 }
            cursor = max(cursor, entry.last)
            size -= entry.size
            commit.isDirty = true
            guard entry.hasRow else { continue }
            commit.fixed[entry.first] = nil
            commit.ended.insert(entry.first)
        }
    }
}

extension Outbox.Entry {
    /// A Boolean value that indicates whether an attempt has failed or was held back, or the sink is blocked at it.
    var hasFailed: Bool { attempts > 0 || isBlocked || isHeld }

    /// Returns a Boolean value that indicates whether its request is the one of a row.
    func isMade(as delivery: StoredDelivery) -> Bool {
        request?.key == delivery.key && request?.text == delivery.request && !delivery.key.isEmpty
    }

    /// A Boolean value that indicates whether it has several outputs.
    var isBatch: Bool { first < last }

    /// Notes that the receiver has acknowledged it.
    ///
    /// - Parameter isAhead: A Boolean value that indicates whether an earlier one is open.
    mutating func noteDelivered(isAhead: Bool = false) {
        (isDone, isInFlight, error, request) = (true, false, nil, nil)
        if isAhead { isAcknowledged = true }
        if !isBatch { hasRow = false }
    }

    /// The size of its outputs, in bytes.
    var size: Int { items.reduce(0) { $0 + $1.utf8.count } }
}
