package import Foundation
package import SluiceFilters
package import SluiceStreams

extension Outbox {
    // MARK: Requests

    /// The size of the requests that were made and are not delivered, in bytes.
    package var requestSize: Int {
        entries.requestSize + pool.values.reduce(0) { $0 + ($1.request?.text.utf8.count ?? 0) }
    }

    /// The size of the requests that may be made, in bytes; the last of them may exceed it.
    package var requestRoom: Int { max(0, requestLimit - requestSize) }

    /// A Boolean value that indicates whether a delivery needs a request, now or at the end of its batch.
    package var hasDrafts: Bool { entries.draftCount > 0 }

    /// Returns the next deliveries that need a request, in order. Where too large requests wait, that is the first one at
    /// most: all others may wait for it.
    package func drafts(upTo limit: Int, at now: Int64) -> [Draft] {
        guard entries.draftCount > 0 else { return [] }
        var drafts: [Draft] = []
        let first = requestRoom > 0 ? nil : entries.first { !$0.isDone }?.first
        // By index: an iterator copies each delivery.
        for index in entries.indices where entries[index].needsRequest {
            let entry = entries[index]
            if drafts.count >= limit || first != nil && entry.first != first { break }
            if let deadline = entry.deadline, deadline > now { break }
            drafts.append(Draft(place: entry.first, round: entry.round, items: entry.items, key: entry.key))
        }
        return drafts
    }

    /// Fixes the request of a delivery. No attempt is made before it is stored (``noteStored(_:)``).
    package mutating func fix(_ place: OutputPlace, key: String, request: String) {
        guard let index = index(of: place), entries[index].request == nil, !entries[index].isDone else { return }
        var entry = entries[index]
        (entry.request, entry.isStored, entry.deadline) = ((key, request), false, nil)
        note(&entry)
        entries[index] = entry
    }

    /// Notes that a delivery is to be stored.
    private mutating func note(_ entry: inout Entry) {
        entry.hasRow = true
        commit.isDirty = true
        commit.ended.remove(entry.first)
        commit.fixed[entry.first] = StoredDelivery(
            first: entry.first,
            last: entry.last,
            key: entry.request?.key ?? "",
            request: entry.request?.text ?? "",
            round: entry.round,
            refusal: entry.isBlocked ? entry.error ?? "" : nil
        )
    }

    /// A Boolean value that indicates whether something is to be stored.
    package var hasChanges: Bool { commit.isDirty }

    /// A Boolean value that indicates whether requests, or dead letters, are to be stored before the next attempts.
    package var hasFixes: Bool { !commit.fixed.isEmpty || !commit.letters.isEmpty }

    /// The state to store, with what has changed since the last call; `nil` where nothing has.
    package mutating func takeCommit() -> SinkCommit? {
        guard commit.isDirty else { return nil }
        defer { commit = PendingCommit() }
        takenLetters += commit.letters.count
        return SinkCommit(
            sink: stored,
            fixed: commit.fixed.values.sorted { $0.first < $1.first },
            ended: commit.ended.sorted(),
            letters: commit.letters
        )
    }

    /// Notes that what was taken (``takeCommit()``) is stored: the attempts of its requests may begin.
    package mutating func noteStored(_ commit: SinkCommit) {
        takenLetters -= commit.letters.count
        for delivery in commit.fixed {
            // An edit may have asked for another request meanwhile.
            if let index = index(of: delivery.first) {
                if entries[index].isMade(as: delivery) { entries[index].isStored = true }
            } else if pool[delivery.first]?.isMade(as: delivery) ?? false {
                pool[delivery.first]?.isStored = true
            }
        }
    }

    /// Takes back what a store has refused, so that the next commit holds it again.
    package mutating func restore(_ lost: SinkCommit) {
        for delivery in lost.fixed where commit.fixed[delivery.first] == nil && !commit.ended.contains(delivery.first) {
            commit.fixed[delivery.first] = delivery
        }
        for place in lost.ended where commit.fixed[place] == nil { commit.ended.insert(place) }
        takenLetters -= lost.letters.count
        commit.letters = lost.letters + commit.letters
        commit.isDirty = true
    }

    /// The state of the sink, as it is stored.
    package var stored: StoredSink {
        let ahead =
            entries.indices.lazy.filter { entries[$0].isAcknowledged }.map { entries[$0].first }
            + pool.values.filter(\.isAcknowledged).map(\.first)
        return StoredSink(
            stream: stream,
            id: id,
            cursor: cursor,
            acknowledged: ahead.filter { $0 > cursor }.sorted(),
            delivered: delivered,
            failed: failed,
            fingerprint: fingerprint
        )
    }

    // MARK: Attempts

    /// Begins all attempts that may be made now.
    package mutating func start(at now: Int64) -> [Attempt] {
        // A dead letter that is lost in a kill would be attempted after what comes after it.
        guard !isBlocked, commit.letters.isEmpty, takenLetters == 0 else { return [] }
        var attempts: [Attempt] = []
        for index in candidates(at: now) {
            guard inFlight < rules.concurrency else { break }
            guard index == 0 || gap + inFlight < Self.largestGap else { break }
            guard let request = entries[index].request, entries[index].isStored, entries[index].isLoaded else {
                continue
            }
            (entries[index].isInFlight, entries[index].isAttempted, entries[index].isHeld) = (true, true, false)
            inFlight += 1
            attempts.append(Attempt(place: entries[index].first, key: request.key, request: request.text))
        }
        return attempts
    }

    /// Returns the indices of the deliveries that may be attempted: the first of each key that is not in flight.
    private func candidates(at now: Int64) -> [Int] {
        var found: [Int] = []
        var keys = Set<String?>(minimumCapacity: 2 * min(rules.concurrency, entries.count))
        for index in entries.indices where !entries[index].isDone {
            guard keys.insert(rules.concurrency > 1 ? entries[index].key : nil).inserted else { continue }
            if !entries[index].isInFlight, entries[index].due <= now { found.append(index) }
            if rules.concurrency == 1 || found.count + inFlight >= rules.concurrency { break }
        }
        return found
    }

    /// The time of the next attempt, or of the end of a batch; `nil` where nothing waits for a time.
    package func nextDue(after now: Int64) -> Int64? {
        guard !isBlocked, latestDue > now else { return nil }
        var due = Int64.max
        for index in entries.indices {
            if !entries[index].isDone, !entries[index].isInFlight, entries[index].due > now {
                due = min(due, entries[index].due)
            }
            if let deadline = entries[index].deadline, deadline > now { due = min(due, deadline) }
        }
        return due < .max ? due : nil
    }

    /// The time of the next attempt after one that has failed; `nil` where none waits.
    package var nextAttempt: Int64? {
        entries.lazy.filter { !$0.isDone && !$0.isInFlight && ($0.attempts > 0 || $0.isHeld) }.map(\.due).min()
    }

    /// Ends an attempt.
    ///
    /// - Parameters:
    ///   - place: the place of the attempt.
    ///   - outcome: the outcome.
    ///   - now: the time in nanoseconds.
    ///   - time: the wall-clock time, for dead letters.
    ///   - random: the source of jitter.
    /// - Returns: The error with which the run is to fail; `nil` where it goes on.
    package mutating func finish(
        _ place: OutputPlace,
        _ outcome: Outcome,
        at now: Int64,
        time: Date,
        random: RandomSource = .system
    ) -> String? {
        if case .delivered = outcome, let index = index(of: place), entries[index].isLoaded {
            if entries[index].isInFlight { acknowledge(at: index) }
            return nil
        }
        guard var entry = takeInFlight(place) else { return nil }
        entry.isInFlight = false
        inFlight -= 1
        var failure: String?
        switch outcome {
        case .delivered:
            noteDelivered(entry.first, count: entry.items.count, isBatch: entry.isBatch)
            entry.noteDelivered()
        case .failed(let reason, let hint):
            entry.attempts += 1
            entry.error = reason
            let wait = ConnectorStack.wait(
                after: entry.attempts,
                previous: entry.lastWait,
                by: rules.stack?.retry,
                standard: Self.backoff,
                random: random
            )
            guard let wait else {
                entry.attempts -= 1
                failure = refuse(&entry, "\(reason), at the last of \(entry.attempts + 1) attempts", time)
                break
            }
            entry.lastWait = wait
            hold(&entry, until: now.advanced(byClamping: max(wait, min(hint ?? .zero, Self.longestWait)).inNanoseconds))
        case .held(let reason, let hint):
            (entry.error, entry.isHeld) = (reason, true)
            let wait = max(ConnectorStack.shortestWait, hint ?? Self.backoff.delay(after: 1, random: random))
            hold(&entry, until: now.advanced(byClamping: min(wait, Self.longestWait).inNanoseconds))
        case .refused(let reason): failure = refuse(&entry, reason, time)
        }
        put(entry)
        return failure
    }

    /// Ends an attempt that the receiver has acknowledged, in place: a copy of the delivery takes longer than all else.
    private mutating func acknowledge(at index: Int) {
        inFlight -= 1
        noteDelivered(entries[index].first, count: entries[index].items.count, isBatch: entries[index].isBatch)
        if index > 0, !entries[index].isAcknowledged { gap += 1 }
        entries[index].noteDelivered(isAhead: index > 0)
        commit.isDirty = true
        advance()
    }

    private mutating func noteDelivered(_ place: OutputPlace, count: Int, isBatch: Bool) {
        delivered += max(1, count)
        // A batch is kept until the cursor has passed it, since the row alone knows all its outputs.
        if isBatch { return }
        commit.fixed[place] = nil
        commit.ended.insert(place)
    }

    /// Has a delivery wait for its next attempt.
    private mutating func hold(_ entry: inout Entry, until due: Int64) {
        entry.due = due
        latestDue = max(latestDue, due)
    }

    /// Gives up a delivery without an attempt: its request can't be made.
    ///
    /// - Returns: The error with which the run is to fail; `nil` where it goes on.
    package mutating func refuse(_ place: OutputPlace, _ reason: String, time: Date) -> String? {
        guard let index = index(of: place), !entries[index].isDone else { return nil }
        var entry = entries[index]
        let failure = refuse(&entry, reason, time)
        put(entry)
        return failure
    }

    private mutating func refuse(_ entry: inout Entry, _ reason: String, _ time: Date) -> String? {
        entry.error = reason
        entry.attempts += 1
        switch rules.onFailure {
        case .block, .fail:
            entry.isBlocked = true
            if entry.request == nil { entry.request = ("", "") }
        case .skip where letterRoom > 0: bury(&entry, entry.items, time)
        case .skip:
            entry.isBlocked = true
            if entry.request == nil { entry.request = ("", "") }
        }
        return rules.onFailure == .fail ? reason : nil
    }

    /// Makes a dead letter of a delivery.
    private mutating func bury(_ entry: inout Entry, _ items: [String], _ time: Date) {
        letterRoom -= 1
        failed += max(1, items.count)
        let request = entry.request.flatMap { $0.key.isEmpty ? nil : $0 }
        commit.letters.append(
            StoredDeadLetter(
                stream: stream,
                sink: id,
                place: entry.first,
                items: "[" + items.joined(separator: ",") + "]",
                key: request?.key ?? "",
                request: request?.text,
                error: entry.error ?? "it was skipped",
                time: time,
                round: entry.round
            )
        )
        (entry.isDone, entry.isBlocked, entry.request, entry.isStored) = (true, false, nil, false)
        // A batch is kept until the cursor has passed it, since the row alone knows all its outputs.
        guard entry.first == entry.last else { return note(&entry) }
        entry.hasRow = false
        commit.fixed[entry.first] = nil
        commit.ended.insert(entry.first)
        commit.isDirty = true
    }

    /// The number of dead letters that are not stored yet.
    package var pendingLetters: Int { commit.letters.count }

    // MARK: Commands

    /// Attempts the deliveries that are blocked, or wait for their next attempt, now, with the same requests.
    ///
    /// - Parameter isBlockedOnly: A Boolean value that indicates whether those that wait continue to wait.
    /// - Returns: A Boolean value that indicates whether there was one.
    package mutating func retry(isBlockedOnly: Bool = false) -> Bool {
        var found = false
        for var entry in Array(entries) + pool.values where !entry.isDone {
            guard isBlockedOnly ? entry.isBlocked : entry.hasFailed else { continue }
            found = true
            (entry.isBlocked, entry.isHeld, entry.due, entry.attempts, entry.lastWait) = (false, false, 0, 0, nil)
            if entry.request?.key.isEmpty ?? false { entry.request = nil } else { note(&entry) }
            if let index = index(of: entry.first) { entries[index] = entry } else { pool[entry.first] = entry }
        }
        return found
    }

    /// The delivery that ``skip(time:items:)`` moves.
    private var skipped: Entry? {
        oldest(where: \.isBlocked) ?? oldest { !$0.isDone && !$0.isInFlight && ($0.attempts > 0 || $0.isHeld) }
    }

    /// A Boolean value that indicates whether there is a delivery to skip.
    package var canSkip: Bool { skipped != nil }

    /// The first and the last output of the delivery that ``skip(time:items:)`` moves, where it was attempted before and
    /// its outputs were not offered again.
    package var unloaded: ClosedRange<OutputPlace>? {
        skipped.flatMap { $0.isLoaded ? nil : $0.first...max($0.first, $0.last) }
    }

    /// Moves the delivery at which the sink is blocked, or the oldest that has failed, to the dead letters.
    ///
    /// - Parameters:
    ///   - time: the wall-clock time.
    ///   - items: the outputs of a delivery that is ``unloaded``.
    /// - Returns: A Boolean value that indicates whether there was one, and room for it.
    package mutating func skip(time: Date, items: [String] = []) -> Bool {
        guard letterRoom > 0, var entry = skipped else { return false }
        bury(&entry, entry.isLoaded ? entry.items : items, time)
        put(entry)
        return true
    }

    /// Takes up an edited sink. What was attempted keeps its request; a blocked delivery gets another one, under a key of
    /// its own. The outputs after the cursor have to be offered again.
    package mutating func edit(_ rules: SinkRules) {
        let hasOtherStack = rules.stack != self.rules.stack
        self.rules = rules
        let known = Array(entries) + pool.values
        (entries, pool, size, gap, read) = (DeliveryQueue(), [:], 0, 0, cursor)
        for var entry in known {
            // The filter that has held it back may be gone.
            if hasOtherStack, entry.isHeld { entry.due = 0 }
            if entry.isBlocked {
                if !(entry.request?.key.isEmpty ?? true) { entry.round += 1 }
                (entry.request, entry.isStored, entry.isBlocked, entry.isAttempted) = (nil, false, false, true)
                (entry.attempts, entry.due, entry.error) = (0, 0, nil)
                // A process that is killed now makes the other request.
                note(&entry)
            } else if entry.hasRow, !entry.isAttempted, !entry.isAcknowledged {
                commit.fixed[entry.first] = nil
                commit.ended.insert(entry.first)
                commit.isDirty = true
            }
            guard entry.isAttempted || entry.isAcknowledged || entry.isInFlight else { continue }
            // A delivery in flight may become a dead letter before its outputs are offered again.
            (entry.offered, entry.isLoaded) = ([], false)
            pool[entry.first] = entry
        }
    }

    /// Forgets the outputs up to a run, which were removed from the store. Those of later runs are to be read again.
    package mutating func forget(upTo run: Int) {
        let newest = min(max(read, pool.keys.max() ?? .start), OutputPlace(run: run + 1, sequence: 0))
        (entries, pool, size, gap, inFlight) = (DeliveryQueue(), [:], 0, 0, 0)
        (cursor, read) = (newest, newest)
        // Dead letters that are not stored yet stay.
        let letters = commit.letters
        commit = PendingCommit()
        (commit.letters, commit.isDirty) = (letters, true)
    }

    // MARK: Entries

    /// Returns the index of the delivery with a place.
    ///
    /// - Complexity: O(log *n*) in the number of deliveries.
    private func index(of place: OutputPlace) -> Int? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].first < place { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].first == place ? low : nil
    }

    /// Returns the delivery with a place, if an attempt of it is in flight.
    private func takeInFlight(_ place: OutputPlace) -> Entry? {
        let entry = index(of: place).map { entries[$0] } ?? pool[place]
        return entry?.isInFlight ?? false ? entry : nil
    }

    /// Puts a changed delivery in its place.
    private mutating func put(_ entry: Entry) {
        var entry = entry
        if let index = index(of: entry.first) {
            if entry.isDone, !entry.isLoaded, index == entries.count - 1 {
                // Its other outputs need not be offered.
                read = max(read, entry.last)
                entry.isLoaded = true
            }
            if entry.isDone, index > 0, !entry.isAcknowledged {
                entry.isAcknowledged = true
                gap += 1
            }
            if entry.isBlocked, !(entry.request?.key.isEmpty ?? true) { note(&entry) }
            entries[index] = entry
            if entry.isDone { commit.isDirty = true }
            return advance()
        }
        guard pool[entry.first] != nil else { return }
        if entry.isDone { entry.isAcknowledged = true }
        if entry.isBlocked, !(entry.request?.key.isEmpty ?? true) { note(&entry) }
        pool[entry.first] = entry
        commit.isDirty = true
    }
}
