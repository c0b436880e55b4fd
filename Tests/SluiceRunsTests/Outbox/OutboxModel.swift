import Foundation
import SluiceFilters
import SluiceStreams

@testable import SluiceRuns

/// A world around an outbox: a stream that puts out numbers, a store, and a receiver, all of which fail at random.
struct OutboxModel {
    var random: RandomSource
    var rules: SinkRules
    let count: Int
    /// The size of the requests from which no more are made, in bytes.
    let requestLimit: Int
    /// A Boolean value that indicates whether edits change the condition.
    let changesCondition: Bool
    var outbox: Outbox
    var now: Int64 = 0
    /// The contents of the store.
    var sink = StoredSink(stream: "a", id: "hook", cursor: .start)
    var deliveries: [OutputPlace: StoredDelivery] = [:]
    var letters: [StoredDeadLetter] = []
    /// The request of each key that the receiver has seen.
    var requests: [String: String] = [:]
    /// The outputs in the order in which the receiver has processed them, each key once.
    var processed: [Int] = []
    var flights: [OutputPlace: Outbox.Attempt] = [:]
    var generation = 1
    var produced = 0
    /// A change that was taken and is not stored yet.
    var taken: SinkCommit?
    var violations: [String] = []
    var kills = 0

    init(
        seed: UInt64,
        rules: SinkRules,
        count: Int,
        requestLimit: Int = Outbox.largestRequests,
        changesCondition: Bool = false
    ) {
        random = RandomSource(seed: seed)
        (self.rules, self.count) = (rules, count)
        (self.requestLimit, self.changesCondition) = (requestLimit, changesCondition)
        outbox = Outbox(sink, rules: rules)
        outbox.requestLimit = requestLimit
    }

    func chance(_ percent: Int) -> Bool {
        var random = random
        return Int.random(in: 0..<100, using: &random) < percent
    }

    /// The key of an output: numbers of one remainder are in order.
    static func key(_ number: Int) -> String { "\(number % 5)" }
    /// Outputs that the sink does not deliver.
    static func isPassed(_ number: Int) -> Bool { number % 7 == 3 }
    /// Outputs that some documents don't deliver.
    private func mayPass(_ number: Int) -> Bool { changesCondition && number % 3 == 0 }
    private func passes(_ number: Int) -> Bool {
        Self.isPassed(number) || mayPass(number) && (number / 3 + generation) % 4 < 2
    }

    mutating func read() {
        while outbox.wantsMore, outbox.read.sequence < produced {
            let number = outbox.read.sequence + 1
            let place = OutputPlace(run: 1, sequence: number)
            let key = rules.concurrency > 1 ? Self.key(number) : nil
            outbox.offer(place, passes(number) ? .passed : .item("\(number)", key: key), at: now)
        }
        if outbox.read.sequence == count { outbox.offer(OutputPlace(run: 1, sequence: count + 1), .ended, at: now) }
        for draft in outbox.drafts(upTo: 8, at: now) {
            let suffix = draft.round > 1 ? "/\(draft.round)" : ""
            let request = draft.items.joined(separator: ",") + ";\(generation)"
            outbox.fix(draft.place, key: "k\(draft.place.sequence)\(suffix)", request: request)
            if outbox.requestRoom == 0 { break }
        }
    }

    /// Takes a change, as one who stores acknowledgments does meanwhile; the store has it later, or never.
    mutating func take() {
        if taken == nil { taken = outbox.takeCommit() }
    }

    mutating func store() {
        if let commit = taken {
            taken = nil
            if chance(80) { land(commit) } else { outbox.restore(commit) }
        }
        if let commit = outbox.takeCommit() { land(commit) }
    }

    private mutating func land(_ commit: SinkCommit) {
        outbox.noteStored(commit)
        if commit.sink.cursor < sink.cursor { violations.append("the cursor goes back to \(commit.sink.cursor)") }
        sink = commit.sink
        for place in commit.ended { deliveries[place] = nil }
        for delivery in commit.fixed { deliveries[delivery.first] = delivery }
        letters += commit.letters
    }

    mutating func begin() {
        // A commit that was taken may not be stored yet. Its requests must not be attempted.
        if taken == nil { store() }
        let requests = deliveries.values.map(\.request) + outbox.entries.compactMap { $0.request?.text }
        let largest = requests.map(\.utf8.count).max() ?? 0
        if outbox.requestSize > requestLimit + 2 * largest { violations.append("the requests are too large") }
        for attempt in outbox.start(at: now) {
            if deliveries[attempt.place]?.request != attempt.request || deliveries[attempt.place]?.key != attempt.key {
                violations.append("the request of \(attempt.place) is not stored")
            }
            if flights[attempt.place] != nil { violations.append("\(attempt.place) is in flight twice") }
            flights[attempt.place] = attempt
        }
        if outbox.flights > rules.concurrency, generation == 1 { violations.append("too many in flight") }
    }

    /// The receiver processes a request, unless it knows the key.
    mutating func process(_ attempt: Outbox.Attempt) {
        if let known = requests[attempt.key] {
            if known != attempt.request { violations.append("\(attempt.key): \(known) and \(attempt.request)") }
            return
        }
        requests[attempt.key] = attempt.request
        let items = attempt.request.prefix { $0 != ";" }.split(separator: ",").compactMap { Int($0) }
        for letter in letters where letter.key != attempt.key {
            let buried = letter.items.dropFirst().dropLast().split(separator: ",").compactMap { Int($0) }
            if !Set(buried).isDisjoint(with: items) { violations.append("\(items) are dead letters") }
        }
        processed += items
    }

    mutating func end(_ attempt: Outbox.Attempt, isKind: Bool) {
        flights[attempt.place] = nil
        let outcome: Outbox.Outcome
        if isKind || chance(60) {
            process(attempt)
            // An answer may be lost.
            outcome = isKind || chance(80) ? .delivered : .failed("lost", after: nil)
        } else if chance(70) {
            outcome = .failed("503", after: chance(30) ? .seconds(40) : nil)
        } else {
            outcome = .refused("400")
        }
        _ = outbox.finish(attempt.place, outcome, at: now, time: Date(timeIntervalSince1970: 0), random: random)
    }

    /// The process is killed: only what is stored remains. What was in flight may arrive.
    mutating func kill() {
        kills += 1
        for attempt in flights.values.sorted(by: { $0.place < $1.place }) where chance(50) { process(attempt) }
        if let commit = taken, chance(50) { land(commit) }
        (flights, taken) = ([:], nil)
        outbox = Outbox(sink, deliveries.values.sorted { $0.first < $1.first }, rules: rules)
        outbox.requestLimit = requestLimit
    }

    mutating func step() {
        var generator = random
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<15: produced = min(count, produced + Int.random(in: 0...9, using: &generator))
        case 15..<35: read()
        case 35..<40: take()
        case 40..<50: store()
        case 50..<65: begin()
        case 65..<85:
            let open = flights.values.sorted { $0.place < $1.place }
            if let attempt = open.randomElement(using: &generator) { end(attempt, isKind: false) }
        case 85..<88: kill()
        case 88..<90:
            generation += 1
            outbox.edit(rules)
            if outbox.isBlocked { violations.append("blocked after an edit") }
        case 90..<92:
            let (isBlocked, found) = (outbox.isBlocked, outbox.retry())
            if outbox.isBlocked || isBlocked && !found { violations.append("blocked after a retry") }
        case 92..<94: skip()
        default: now += Int64.random(in: 0...20_000_000_000, using: &generator)
        }
    }

    private mutating func skip() {
        let isBlocked = outbox.isBlocked
        let wanted = outbox.unloaded.map { range in
            (range.lowerBound.sequence...range.upperBound.sequence).filter { !passes($0) }
        }
        let items = (wanted ?? []).map { "\($0)" }
        let count = outbox.pendingLetters
        let isSkipped = outbox.skip(time: Date(timeIntervalSince1970: 0), items: items)
        if isBlocked && !isSkipped || isSkipped && outbox.pendingLetters != count + 1 {
            violations.append("not skipped")
        }
    }

    /// Lets everything succeed until nothing is left.
    mutating func finish() {
        produced = count
        for _ in 0..<(20 * count) {
            _ = outbox.retry()
            read()
            begin()
            for attempt in flights.values.sorted(by: { $0.place < $1.place }) { end(attempt, isKind: true) }
            now += 86_400_000_000_000
            store()
            if outbox.cursor.sequence > count { break }
        }
    }

    /// The faults in the deliveries that the receiver has got.
    var faults: [String] {
        var faults = violations
        let buried = Set(
            letters.flatMap { $0.items.dropFirst().dropLast().split(separator: ",").compactMap { Int($0) } }
        )
        let wanted = (1...count).filter { !Self.isPassed($0) && !mayPass($0) }
        let got = Set(processed)
        let missing = wanted.filter { !got.contains($0) && !buried.contains($0) }
        if !missing.isEmpty { faults.append("missing: \(missing)") }
        if let passed = processed.first(where: Self.isPassed) { faults.append("\(passed) isn't for this sink") }
        var first: Set<Int> = []
        // An output that a later document accepts again comes after others that were delivered meanwhile.
        let order = processed.filter { first.insert($0).inserted && !buried.contains($0) && !mayPass($0) }
        for (_, numbers) in Dictionary(grouping: order, by: { rules.concurrency > 1 ? Self.key($0) : "" })
        where numbers != numbers.sorted() {
            faults.append("the order is \(numbers)")
        }
        if outbox.cursor.sequence != count + 1 { faults.append("the cursor is \(outbox.cursor)") }
        if !deliveries.isEmpty { faults.append("requests are left: \(deliveries.keys.sorted())") }
        return faults
    }
}
