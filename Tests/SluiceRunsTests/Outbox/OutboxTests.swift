import Foundation
import SluiceFilters
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// The state machine of deliveries.
@Suite struct OutboxTests {
    static func rules(_ change: (inout SinkRules) -> Void = { _ in }) -> SinkRules {
        var rules = SinkRules()
        change(&rules)
        return rules
    }

    func place(_ sequence: Int) -> OutputPlace { OutputPlace(run: 1, sequence: sequence) }

    func outbox(_ rules: SinkRules = SinkRules(), count: Int = 0, key: (Int) -> String? = { _ in nil }) -> Outbox {
        var outbox = Outbox(StoredSink(stream: "a", id: "hook", cursor: .start), rules: rules)
        for number in 1..<(count + 1) where outbox.wantsMore {
            outbox.offer(place(number), .item("\(number)", key: key(number)), at: 0)
        }
        fix(&outbox)
        return outbox
    }

    func fix(_ outbox: inout Outbox, _ text: String = "r", at now: Int64 = 0) {
        for draft in outbox.drafts(upTo: 10_000, at: now) {
            outbox.fix(draft.place, key: "k\(draft.place.sequence)-\(draft.round)", request: text)
        }
        noteStored(&outbox)
    }

    /// Has the store take the requests and the dead letters, and leaves the requests for the test to see.
    func noteStored(_ outbox: inout Outbox) {
        guard var commit = outbox.takeCommit() else { return }
        outbox.noteStored(commit)
        commit.letters = []
        outbox.restore(commit)
    }

    func finish(_ outbox: inout Outbox, _ sequence: Int, _ outcome: Outbox.Outcome, at now: Int64 = 0) -> String? {
        let noon = RandomSource { .max / 2 }
        return outbox.finish(place(sequence), outcome, at: now, time: Date(timeIntervalSince1970: 0), random: noon)
    }

    /// Outputs of any world arrive, in order, with one request per key.
    @Test(arguments: ["in order", "keys", "batch", "skipped batch", "skip", "conditions", "small", "small keys"])
    func everyOutputArrives(_ kind: String) {
        let rules = Self.rules { rules in
            switch kind {
            case "keys", "small keys": rules.concurrency = 4
            case "conditions": (rules.onFailure, rules.concurrency) = (.block, 2)
            case "batch": (rules.batchCount, rules.batchSeconds) = (4, 15)
            case "skipped batch": (rules.batchCount, rules.batchSeconds, rules.onFailure) = (4, 15, .skip)
            case "skip": (rules.onFailure, rules.concurrency) = (.skip, 3)
            default: break
            }
        }
        var kills = 0
        for seed in 0..<300 {
            var model = OutboxModel(
                seed: UInt64(seed),
                rules: rules,
                count: 60,
                requestLimit: kind.hasPrefix("small") ? 12 : Outbox.largestRequests,
                changesCondition: kind == "conditions"
            )
            for _ in 0..<600 { model.step() }
            model.finish()
            kills += model.kills
            let faults = model.faults
            #expect(faults == [], "\(kind), seed \(seed)")
            if !faults.isEmpty { return }
        }
        #expect(kills > 1000)
    }

    /// The stack of a sink says when attempts are repeated, and when a failure is final.
    @Test(arguments: [SinkRules.FailurePolicy.block, .skip, .fail])
    func givesUpAfterTheAttemptsOfItsStack(_ policy: SinkRules.FailurePolicy) throws {
        let text = #"{"filters": [{"retry": {"maxAttempts": 3, "backoff": {"constant": {"seconds": 2}}}}]}"#
        let stack = try ConnectorStack(JSON(parsing: text), of: .sink)
        var outbox = outbox(Self.rules { ($0.stack, $0.onFailure) = (stack, policy) }, count: 2)
        var (now, failure): (Int64, String?) = (0, nil)
        for attempt in 1...3 {
            let begun = outbox.start(at: now)
            #expect(begun.map(\.place) == [place(1)])
            failure = finish(&outbox, 1, .failed("503", after: attempt == 1 ? .seconds(9) : nil), at: now)
            // The receiver's wait counts too.
            if attempt < 3 {
                #expect(outbox.nextDue(after: now) == now + (attempt == 1 ? 9 : 2) * 1_000_000_000)
                now = outbox.nextDue(after: now) ?? 0
            }
        }
        #expect(failure == (policy == .fail ? "503, at the last of 3 attempts" : nil))
        #expect(outbox.isBlocked == (policy != .skip))
        noteStored(&outbox)
        let next = outbox.start(at: now)
        #expect(next.map(\.place) == (policy == .skip ? [place(2)] : []))
        guard policy == .block else { return }
        // Attempts are counted from one again.
        let found = outbox.retry()
        let again = outbox.start(at: now)
        #expect(found && again.map(\.place) == [place(1)])
        _ = finish(&outbox, 1, .failed("503", after: nil), at: now)
        #expect(!outbox.isBlocked && outbox.nextDue(after: now) == now + 2_000_000_000)
    }

    /// An attempt that a filter holds back doesn't count, and is made when the filter allows it.
    @Test func anAttemptThatIsHeldBackDoesNotCount() throws {
        let text = #"{"filters": [{"retry": {"maxAttempts": 1}}, {"rate": {"limit": 1}}]}"#
        let stack = try ConnectorStack(JSON(parsing: text), of: .sink)
        var outbox = outbox(Self.rules { $0.stack = stack }, count: 1)
        var now: Int64 = 0
        for _ in 0..<20 {
            let begun = outbox.start(at: now)
            #expect(begun.count == 1)
            _ = finish(&outbox, 1, .held("the rate limit is reached", after: .seconds(3)), at: now)
            #expect(!outbox.isBlocked && outbox.nextDue(after: now) == now + 3_000_000_000)
            #expect(outbox.nextAttempt == now + 3_000_000_000)
            now += 3_000_000_000
        }
        // An edit of the stack ends the wait, since the filter may be gone.
        _ = outbox.start(at: now)
        _ = finish(&outbox, 1, .held("the rate limit is reached", after: .seconds(3)), at: now)
        outbox.edit(Self.rules { $0.stack = stack })
        outbox.offer(place(1), .item("1", key: nil), at: now)
        let same = outbox.start(at: now)
        outbox.edit(Self.rules())
        outbox.offer(place(1), .item("1", key: nil), at: now)
        let other = outbox.start(at: now)
        #expect(same.isEmpty && other.count == 1)
    }

    @Test func waitsLongerAfterEachFailure() {
        var outbox = outbox(count: 1)
        var (now, waits): (Int64, [Double]) = (0, [])
        for _ in 0..<12 {
            let value1 = outbox.start(at: now)
            #expect(value1.count == 1)
            _ = finish(&outbox, 1, .failed("503", after: nil), at: now)
            let next = outbox.nextDue(after: now) ?? 0
            let value2 = outbox.start(at: next - 1)
            #expect(value2 == [])
            waits.append(Double(next - now) / 1e9)
            now = next
        }
        // Half of 1 s, 2 s, …, 300 s.
        #expect(waits.prefix(4).map { ($0 * 100).rounded() } == [50, 100, 200, 400])
        #expect((waits[11] * 100).rounded() == 15_000)
    }

    @Test func obeysRetryAfter() {
        var outbox = outbox(count: 1)
        _ = outbox.start(at: 0)
        _ = finish(&outbox, 1, .failed("429", after: .seconds(77)))
        #expect(outbox.nextDue(after: 0) == 77_000_000_000)
        _ = outbox.start(at: 77_000_000_000)
        _ = finish(&outbox, 1, .failed("429", after: .seconds(1_000_000)), at: 0)
        #expect(outbox.nextDue(after: 0) == 86_400_000_000_000)
    }

    @Test func anAttemptIsNotStartedBeforeItsRequestIsFixed() {
        var outbox = Outbox(StoredSink(stream: "a", id: "hook", cursor: .start), rules: SinkRules())
        outbox.offer(place(1), .item("1", key: nil), at: 0)
        let value3 = outbox.start(at: 0)
        #expect(value3 == [])
        fix(&outbox)
        let value4 = outbox.start(at: 0)
        #expect(value4 == [Outbox.Attempt(place: place(1), key: "k1-1", request: "r")])
        let value5 = outbox.takeCommit()
        #expect(value5?.fixed.map(\.key) == ["k1-1"])
    }

    /// A request that was taken is not stored yet, and one that an edit has asked for meanwhile is another.
    @Test func anAttemptIsNotStartedBeforeItsRequestIsStored() throws {
        var outbox = Outbox(StoredSink(stream: "a", id: "hook", cursor: .start), rules: SinkRules())
        outbox.offer(place(1), .item("1", key: nil), at: 0)
        outbox.fix(place(1), key: "k", request: "old")
        let taken = outbox.takeCommit()
        let first = try #require(taken)
        let early = outbox.start(at: 0)
        #expect(early == [])
        outbox.edit(SinkRules())
        outbox.offer(place(1), .item("1", key: nil), at: 0)
        outbox.fix(place(1), key: "k", request: "new")
        outbox.noteStored(first)
        let other = outbox.start(at: 0)
        #expect(other == [])
        let next = outbox.takeCommit()
        let second = try #require(next)
        // A store that has failed has stored nothing.
        outbox.restore(second)
        let refused = outbox.start(at: 0)
        #expect(refused == [])
        let last = outbox.takeCommit()
        outbox.noteStored(try #require(last))
        let begun = outbox.start(at: 0)
        #expect(begun == [Outbox.Attempt(place: place(1), key: "k", request: "new")])
    }

    /// A batch whose outputs were not offered again is done as a whole, also for a process that is killed then.
    @Test(arguments: ["skipped", "delivered", "refused"], [false, true])
    func aBatchThatIsDoneAheadIsDoneAsAWhole(_ way: String, isEdited: Bool) throws {
        let rules = Self.rules { ($0.batchCount, $0.onFailure) = (3, way == "refused" ? .skip : .block) }
        var outbox = outbox(rules, count: 6)
        let taken = outbox.takeCommit()
        var rows = try #require(taken).fixed
        #expect(rows.map(\.first) == [place(1), place(4)] && rows.map(\.last) == [place(3), place(6)])
        if way == "refused" {
            // A request that can't be made has no row before.
            outbox = Outbox(outbox.stored, [], rules: rules)
            for number in 1...6 { outbox.offer(place(number), .item("\(number)", key: nil), at: 0) }
            _ = outbox.refuse(place(4), "no URL", time: Date(timeIntervalSince1970: 0))
        } else {
            rows[1] = StoredDelivery(first: place(4), last: place(6), key: "k4-1", request: "r", refusal: "404")
            outbox = Outbox(outbox.stored, rows, rules: rules)
            #expect(outbox.unloaded == place(4)...place(6))
            _ = outbox.skip(time: Date(timeIntervalSince1970: 0), items: ["4", "5", "6"])
        }
        if way == "delivered" {
            outbox = Outbox(
                StoredSink(stream: "a", id: "hook", cursor: .start, acknowledged: [place(4)]),
                rows,
                rules: rules
            )
        }
        if isEdited { outbox.edit(rules) }
        var deliveries = Dictionary(uniqueKeysWithValues: way == "refused" ? [] : rows.map { ($0.first, $0) })
        if let commit = outbox.takeCommit() {
            for place in commit.ended { deliveries[place] = nil }
            for row in commit.fixed { deliveries[row.first] = row }
        }
        // The process is killed.
        var next = Outbox(outbox.stored, deliveries.values.sorted { $0.first < $1.first }, rules: rules)
        for number in 1...6 where next.wantsMore { next.offer(place(number), .item("\(number)", key: nil), at: 0) }
        fix(&next)
        let attempts = next.start(at: .max)
        #expect(attempts.map(\.key) == ["k1-1"])
        _ = next.finish(place(1), .delivered, at: 0, time: Date(timeIntervalSince1970: 0))
        let further = next.start(at: .max)
        #expect(further == [] && next.cursor == place(6))
        let ended = next.takeCommit()?.ended.sorted()
        #expect(ended == [place(1), place(4)])
    }

    @Test func aRefusalBlocksUntilRetryOrSkip() {
        var outbox = outbox(count: 3)
        _ = outbox.takeCommit()
        _ = outbox.start(at: 0)
        let value6 = finish(&outbox, 1, .refused("404"))
        #expect(value6 == nil)
        let value7 = outbox.start(at: .max)
        #expect(outbox.isBlocked && outbox.error == "404" && value7 == [])
        let value8 = outbox.takeCommit()
        #expect(value8?.fixed.map(\.refusal) == ["404"])
        let (first, second) = (outbox.retry(), outbox.retry())
        #expect(first && !second)
        // The same request under the same key.
        let value9 = outbox.start(at: 0)
        #expect(value9.map(\.key) == ["k1-1"])
        _ = finish(&outbox, 1, .refused("404"))
        let value10 = outbox.skip(time: Date(timeIntervalSince1970: 9))
        #expect(value10)
        let commit = outbox.takeCommit()
        let letter = commit?.letters.first
        #expect(letter?.items == "[1]" && letter?.error == "404" && letter?.request == "r" && letter?.key == "k1-1")
        // Outputs after a dead letter wait until it is stored, since a kill could bring it back.
        let early = outbox.start(at: 0)
        #expect(early == [])
        if let commit { outbox.noteStored(commit) }
        let value11 = outbox.start(at: 0)
        #expect(value11.map(\.key) == ["k2-1"])
        #expect(outbox.failed == 1 && outbox.cursor == place(1))
    }

    @Test func aBlockedSinkIsBlockedAfterAKill() {
        var outbox = outbox(count: 2)
        _ = outbox.start(at: 0)
        _ = finish(&outbox, 1, .refused("404"))
        guard let commit = outbox.takeCommit() else { return }
        outbox = Outbox(commit.sink, commit.fixed, rules: SinkRules())
        #expect(outbox.isBlocked)
        for number in 1...2 { outbox.offer(place(number), .item("\(number)", key: nil), at: 0) }
        let value12 = outbox.start(at: 0)
        #expect(outbox.error == "404" && value12 == [])
        let value13 = outbox.retry()
        #expect(value13)
        let value14 = outbox.start(at: 0)
        #expect(value14.map(\.request) == ["r"])
    }

    @Test func anEditMakesAnotherRequestOfTheBlockedOutputAlone() {
        var outbox = outbox(count: 3)
        _ = outbox.start(at: 0)
        _ = finish(&outbox, 1, .refused("404"))
        outbox.edit(SinkRules())
        for number in 1...3 { outbox.offer(place(number), .item("\(number)", key: nil), at: 0) }
        fix(&outbox, "new")
        let value15 = outbox.start(at: 0)
        #expect(value15 == [Outbox.Attempt(place: place(1), key: "k1-2", request: "new")])
        _ = finish(&outbox, 1, .delivered)
        // One that was not attempted has its first request still.
        let value16 = outbox.start(at: 0)
        #expect(value16 == [Outbox.Attempt(place: place(2), key: "k2-1", request: "new")])
        _ = finish(&outbox, 2, .failed("503", after: nil))
        outbox.edit(SinkRules())
        for number in 2...3 { outbox.offer(place(number), .item("\(number)", key: nil), at: 0) }
        fix(&outbox, "newer")
        // One that was attempted keeps its request.
        let value17 = outbox.start(at: .max)
        #expect(value17.map(\.request) == ["new"])
    }

    @Test func aDeliveryThatIsRefusedDuringAnEditKeepsItsOutputs() {
        let rules = Self.rules { $0.onFailure = .skip }
        var outbox = outbox(rules, count: 2)
        _ = outbox.start(at: 0)
        outbox.edit(rules)
        _ = finish(&outbox, 1, .refused("404"))
        for number in 1...2 { outbox.offer(place(number), .item("\(number)", key: nil), at: 0) }
        let commit = outbox.takeCommit()
        #expect(commit?.letters.map(\.items) == ["[1]"] && outbox.cursor == place(1))
    }

    /// Commands and edits reach a delivery whose outputs were not offered again since a kill, or since an edit.
    @Test(arguments: ["retry", "skip", "edit"], [false, true])
    func aBlockedDeliveryThatIsNotLoadedIsReached(_ command: String, isEdited: Bool) {
        let rules = Self.rules { $0.concurrency = 2 }
        let deliveries = (1...2).map { number in
            StoredDelivery(
                first: place(number),
                last: place(number),
                key: "k\(number)-1",
                request: "r",
                refusal: number == 2 ? "404" : nil
            )
        }
        var outbox = Outbox(StoredSink(stream: "a", id: "hook", cursor: .start), deliveries, rules: rules)
        if isEdited {
            outbox.edit(rules)
            #expect(!outbox.isBlocked)
            for number in 1...2 { outbox.offer(place(number), .item("\(number)", key: "\(number)"), at: 0) }
            fix(&outbox)
            let begun = outbox.start(at: 0)
            #expect(begun.map(\.key) == ["k1-1", "k2-2"])
            _ = finish(&outbox, 2, .refused("404"))
            outbox = Outbox(outbox.stored, outbox.takeCommit()?.fixed ?? [], rules: rules)
        }
        #expect(outbox.isBlocked && outbox.error == "404" && outbox.troubled?.place == place(2))
        let round = isEdited ? 2 : 1
        switch command {
        case "retry":
            let found = outbox.retry()
            #expect(found && !outbox.isBlocked)
        case "skip":
            #expect(outbox.canSkip && outbox.unloaded == place(2)...place(2))
            let found = outbox.skip(time: Date(timeIntervalSince1970: 0), items: ["2"])
            let commit = outbox.takeCommit()
            if let commit { outbox.noteStored(commit) }
            let letter = commit?.letters.first
            #expect(found && !outbox.isBlocked && letter?.items == "[2]" && letter?.key == "k2-\(round)")
        default:
            outbox.edit(rules)
            #expect(!outbox.isBlocked)
        }
        for number in 1...2 { outbox.offer(place(number), .item("\(number)", key: "\(number)"), at: 0) }
        fix(&outbox)
        let attempts = outbox.start(at: .max).map(\.key).filter { $0.hasPrefix("k2") }
        #expect(attempts == (command == "skip" ? [] : ["k2-\(command == "edit" ? round + 1 : round)"]))
    }

    @Test func anEditThatRejectsABlockedOutputLeavesNoRequest() {
        var outbox = outbox(count: 2)
        _ = outbox.start(at: 0)
        _ = finish(&outbox, 1, .refused("404"))
        _ = outbox.takeCommit()
        outbox.edit(SinkRules())
        // A kill at this point does not bring the old request back.
        let stored = outbox.takeCommit()?.fixed
        #expect(stored?.map(\.refusal) == [nil] && stored?.map(\.round) == [2])
        var next = Outbox(StoredSink(stream: "a", id: "hook", cursor: .start), stored ?? [], rules: SinkRules())
        #expect(!next.isBlocked)
        next.offer(place(1), .item("1", key: nil), at: 0)
        #expect(next.drafts(upTo: 9, at: 0).map(\.round) == [2])
        outbox.offer(place(1), .passed, at: 0)
        let commit = outbox.takeCommit()
        #expect(commit?.ended == [place(1)] && commit?.sink.cursor == place(1))
        // A row that an earlier process has left is removed.
        var old = Outbox(StoredSink(stream: "a", id: "hook", cursor: place(5)), stored ?? [], rules: SinkRules())
        let removed = old.takeCommit()
        #expect(removed?.ended == [place(1)])
    }

    @Test func theRequestsThatWaitAreBounded() {
        var outbox = outbox()
        outbox.requestLimit = 10
        for number in 1...9 { outbox.offer(place(number), .item("\(number)", key: nil), at: 0) }
        for number in 1...9 {
            for draft in outbox.drafts(upTo: 9, at: 0) {
                outbox.fix(draft.place, key: "k", request: "1234")
                if outbox.requestRoom == 0 { break }
            }
            noteStored(&outbox)
            #expect(outbox.requestSize <= 12)
            let attempts = outbox.start(at: 0)
            #expect(attempts.map(\.place) == [place(number)])
            _ = finish(&outbox, number, .delivered)
        }
        #expect(outbox.cursor == place(9) && outbox.requestSize == 0)
    }

    @Test func aStreamWithTooManyDeadLettersBlocks() {
        var outbox = outbox(Self.rules { $0.onFailure = .skip }, count: 3)
        outbox.letterRoom = 1
        for number in 1...2 {
            _ = outbox.start(at: 0)
            _ = finish(&outbox, number, .refused("404"))
            noteStored(&outbox)
        }
        let attempts = outbox.start(at: .max)
        #expect(outbox.isBlocked && outbox.pendingLetters == 0 && outbox.isFullOfLetters && attempts == [])
        #expect(outbox.error == "the stream has 10000 dead letters, and no room for another: drop or resend some: 404")
        let isRefused = outbox.skip(time: Date(timeIntervalSince1970: 0))
        #expect(!isRefused && outbox.canSkip)
        outbox.letterRoom = 1
        let isSkipped = outbox.skip(time: Date(timeIntervalSince1970: 0))
        let letters = outbox.takeCommit()?.letters
        #expect(isSkipped && letters?.map(\.error) == ["404"] && outbox.letterRoom == 0 && !outbox.isBlocked)
    }

    @Test func failAsksForTheEndOfTheRun() {
        var outbox = outbox(Self.rules { $0.onFailure = .fail }, count: 1)
        _ = outbox.start(at: 0)
        let value18 = finish(&outbox, 1, .refused("404"))
        #expect(value18 == "404")
        #expect(outbox.isBlocked)
    }

    @Test func keysAreIndependent() {
        var outbox = outbox(Self.rules { $0.concurrency = 2 }, count: 6) { $0 % 2 == 0 ? "even" : "odd" }
        let value19 = outbox.start(at: 0)
        #expect(value19.map(\.place.sequence) == [1, 2])
        let value20 = outbox.start(at: 0)
        #expect(value20 == [])
        _ = finish(&outbox, 2, .delivered)
        #expect(outbox.stored.acknowledged == [place(2)] && outbox.cursor == .start)
        let value21 = outbox.start(at: 0)
        #expect(value21.map(\.place.sequence) == [4])
        _ = finish(&outbox, 1, .delivered)
        #expect(outbox.cursor == place(2) && outbox.stored.acknowledged == [])
    }

    @Test func oneStuckOutputLetsAtMostAThousandPass() {
        var outbox = outbox(Self.rules { $0.concurrency = 8 }, count: 5000) { $0 == 1 ? "stuck" : "\($0 % 50)" }
        let value22 = outbox.start(at: 0)
        #expect(value22.first?.place.sequence == 1)
        var next = outbox.read.sequence
        for _ in 0..<2000 {
            for attempt in outbox.start(at: 0) { _ = finish(&outbox, attempt.place.sequence, .delivered) }
            for sequence in 2...8 { _ = finish(&outbox, sequence, .delivered) }
            while outbox.wantsMore, next < 5000 {
                next += 1
                outbox.offer(place(next), .item("\(next)", key: "\(next % 50)"), at: 0)
            }
            fix(&outbox)
        }
        // The one that is stuck is in flight too.
        #expect(outbox.stored.acknowledged.count == Outbox.largestGap - 1)
        _ = finish(&outbox, 1, .delivered)
        #expect(outbox.stored.acknowledged == [] && outbox.cursor.sequence == Outbox.largestGap)
    }

    @Test func aBatchEndsWithItsCountItsTimeAndItsRun() {
        var outbox = outbox(Self.rules { ($0.batchCount, $0.batchSeconds) = (3, 10) })
        for number in 1...4 { outbox.offer(place(number), .item("\(number)", key: nil), at: 5) }
        #expect(outbox.drafts(upTo: 9, at: 5).map(\.items) == [["1", "2", "3"]])
        fix(&outbox, at: 5)
        #expect(outbox.nextDue(after: 5) == 10_000_000_005)
        #expect(outbox.drafts(upTo: 9, at: 10_000_000_005).map(\.items) == [["4"]])
        outbox.offer(place(5), .passed, at: 6)
        outbox.offer(place(6), .ended, at: 6)
        #expect(outbox.drafts(upTo: 9, at: 6).map(\.items) == [["4"]])
        fix(&outbox, at: 6)
        _ = outbox.start(at: 6)
        _ = finish(&outbox, 1, .delivered, at: 6)
        _ = outbox.start(at: 6)
        _ = finish(&outbox, 4, .delivered, at: 6)
        #expect(outbox.cursor == place(6) && outbox.delivered == 4)
    }

    @Test func keysAreStructuredFieldsWithoutEscapes() {
        let key = DeliveryKey.make(stream: "a/b \"é", run: "01R", sink: "hook", sequence: 7)
        #expect(key == "a%2Fb%20%22%C3%A9/01R/hook/7")
        #expect(DeliveryKey.make(stream: "a", run: "R", sink: "s", sequence: 1, round: 3) == "a/R/s/1/3")
    }
}
