import Sluice
import SluiceStreams
import Testing

@testable import SluiceRuns

/// The transactions that durable runs need.
@Suite(.timeLimit(.minutes(20))) struct CommitQueueTests {
    private func ticks(_ seconds: Double, first: Double = 0, _ operators: String = "") -> String {
        #"{"source": {"interval": {"seconds": \#(seconds), "first": \#(first)}}, "operators": [\#(operators)]}"#
    }

    /// 200 streams tick once a second, each at its own time: there is a transaction and a task per interval of 50 ms, not
    /// per stream, and no checkpoint but the first of each.
    @Test func allRunsShareTheTransactions() async throws {
        let crew = try await Crew((0..<200).map { ticks(1, first: Double($0) / 200) })
        try await crew.start()
        await crew.pass(1)
        let (before, tasks) = (crew.store.counts.withLock { $0 }, crew.taskCount)
        await crew.pass(10)
        let after = crew.store.counts.withLock { $0 }
        #expect(after.outputs - before.outputs >= 1990)
        #expect(after.transactions - before.transactions <= 10 * 20 + 1)
        #expect(crew.taskCount - tasks <= 10 * 20 + 1)
        #expect(after.checkpoints == before.checkpoints)
        await crew.shutDown()
        for index in [0, 57, 199] {
            let outputs = try await crew.outputs(index)
            #expect(outputs == (1...outputs.count).map { "\($0) \($0 - 1)" } && outputs.count >= 10)
        }
    }

    /// 500 groups make a large state: it is written when as much has happened as it is large, not every second.
    @Test func checkpointsComeByNeed() async throws {
        let group = #"{"groupBy": {"key": "x % 500", "operators": [{"scan": {"expression": "acc + x"}}]}}"#
        let crew = try await Crew([ticks(0.01, group)])
        try await crew.start()
        await crew.pass(60)
        let counts = crew.store.counts.withLock { $0 }
        #expect(counts.outputs >= 5990)
        let largest = try await crew.store.run(of: "stream-0")?.checkpoint?.utf8.count ?? 0
        #expect(largest > 10_000)
        #expect(counts.checkpoints >= 2 && counts.checkpoints <= 12, "\(counts)")
        await crew.shutDown()
    }

    /// A text that grows to 128 KB and passes through a stage a hundred times a second: its checkpoints write a megabyte a
    /// second, not thirteen.
    @Test func checkpointsOfALargeStateAreLimited() async throws {
        let grow = #"{"scan": {"expression": "size(acc) < 131072 ? acc + acc : acc", "initialValue": "x"}}"#
        let crew = try await Crew([ticks(0.01, #"\#(grow), {"map": {"expression": "size(x)"}}"#)])
        try await crew.start()
        await crew.pass(5)
        let counts = crew.store.counts.withLock { $0 }
        #expect(counts.outputs >= 490)
        #expect(counts.checkpointSize > 1_000_000 && counts.checkpointSize < 6_500_000, "\(counts)")
        await crew.shutDown()
    }

    /// While a batch is stored, every run has more to store, and asks for it at a time of its own. A request waits for that
    /// batch and its own, not for one per run.
    @Test func aRequestWaitsForOneBatch() async throws {
        let crew = try await Crew((0..<20).map { ticks(1, first: Double($0) / 20) })
        try await crew.start()
        await crew.pass(1)
        let begun = Locked(false)
        let mayEnd = Locked(false)
        let isOver = Locked(false)
        crew.store.work.withLock {
            $0 = {
                if isOver.withLock({ $0 }) { return }
                // Every run ticks, and the queue's alarm rings for it.
                for _ in 0..<40 { await crew.move(50_000_000) }
                begun.withLock { $0 = true }
                while !mayEnd.withLock({ $0 }) { await Task.yield() }
            }
        }
        while !begun.withLock({ $0 }) {
            crew.timer.move(to: crew.timer.now + 50_000_000)
            await Task.yield()
        }
        let queue = crew.environment.commits
        let (calls, before) = (queue.waitingCount, crew.store.counts.withLock { $0.transactions })
        let request = Task {
            await crew.supervisors[7].save()
            isOver.withLock { $0 = true }
        }
        while queue.waitingCount == calls { await Task.yield() }
        mayEnd.withLock { $0 = true }
        await request.value
        // Others may begin before the request has returned.
        let streams = crew.store.counts.withLock { $0.streams[before...] }
        #expect(streams.first == ["stream-7"], "\(streams)")
        await crew.shutDown()
    }

    /// Requests that wait while a batch is stored share the next one, and wait for nothing that the other runs hold.
    @Test func requestsShareABatchOfTheirOwn() async throws {
        let crew = try await Crew((0..<20).map { _ in ticks(1) })
        try await crew.start()
        await crew.pass(1)
        let begun = Locked(false)
        let mayEnd = Locked(false)
        let stored = Locked<[Int]>([])
        crew.store.work.withLock {
            $0 = {
                let count = crew.store.counts.withLock { $0.commits }
                stored.withLock { $0.append(count) }
                begun.withLock { $0 = true }
                while !mayEnd.withLock({ $0 }) { await Task.yield() }
            }
        }
        while !begun.withLock({ $0 }) {
            await crew.move(50_000_000)
            await Task.yield()
        }
        // Each run ticks once more, and the alarm rings.
        for _ in 0..<30 { await crew.move(50_000_000) }
        let queue = crew.environment.commits
        let calls = queue.waitingCount
        let requests = (0..<10).map { number in Task { await crew.supervisors[number].save() } }
        while queue.waitingCount < calls + 10 { await Task.yield() }
        mayEnd.withLock { $0 = true }
        for request in requests { await request.value }
        let counts = stored.withLock { $0 }
        #expect(counts.count >= 2 && counts[1] - counts[0] == 10, "\(counts)")
        await crew.shutDown()
    }

    /// More than a disk takes: after each batch the store is free for as long as the batch took, and everything is stored.
    @Test func theStoreRestsBetweenBatches() async throws {
        let text = String(repeating: "y", count: 60_000)
        let crew = try await Crew((0..<40).map { _ in ticks(1, #"{"map": {"expression": "'\#(text)'"}}"#) })
        try await crew.start()
        let times = Locked<[(begin: Int64, end: Int64)]>([])
        crew.store.work.withLock {
            $0 = {
                let begin = crew.timer.now
                crew.timer.move(to: begin + 30_000_000)
                times.withLock { $0.append((begin, crew.timer.now)) }
            }
        }
        await crew.pass(5)
        crew.store.work.withLock { $0 = nil }
        let batches = times.withLock { $0 }
        #expect(batches.count > 10)
        for (before, next) in zip(batches, batches.dropFirst()) {
            #expect(next.begin - before.end >= before.end - before.begin, "\(before) \(next)")
        }
        await crew.pass(5)
        await crew.shutDown()
        let counts = try await crew.outputs(0).count
        #expect(counts >= 10)
        for index in 0..<40 { #expect(try await crew.outputs(index).count >= counts - 1) }
    }

    /// A few runs have more to store than the others together, and are asked for by requests meanwhile: no transaction holds
    /// all of it, everything is stored in order, and a request ends although its run goes on.
    @Test func aLargeBacklogIsStoredInParts() async throws {
        let text = String(repeating: "y", count: 20_000)
        let crew = try await Crew((0..<3).map { _ in ticks(0.01, #"{"map": {"expression": "'\#(text)'"}}"#) })
        try await crew.start()
        // The store is busy until each run has 400 outputs, which are 8 MB.
        let mayEnd = Locked(false)
        crew.store.work.withLock { $0 = { while !mayEnd.withLock({ $0 }) { await Task.yield() } } }
        for _ in 0..<400 { await crew.move(10_000_000) }
        crew.store.counts.withLock { $0.largestTransaction = 0 }
        let queue = crew.environment.commits
        let calls = queue.waitingCount
        let requests = (0..<2).map { number in Task { await crew.supervisors[number].save() } }
        while queue.waitingCount < calls + 2 { await Task.yield() }
        mayEnd.withLock { $0 = true }
        for request in requests { await request.value }
        await crew.pass(2)
        await crew.shutDown()
        #expect(crew.store.counts.withLock { $0.largestTransaction } < CommitQueue.largestSize * 3 / 2)
        for index in 0..<3 {
            let stored = try await crew.store.outputs(of: "stream-\(index)", run: nil, after: 0, limit: 10_000)
            #expect(stored.map(\.sequence) == Array(1...max(1, stored.count)) && stored.count >= 390, "\(stored.count)")
        }
    }

    /// A run that was killed continues from a checkpoint of long ago, at the time that it would have reached.
    @Test func aRunContinuesFromAnOldCheckpoint() async throws {
        let text = ticks(1, #"{"scan": {"expression": "acc + x"}}"#)
        let crew = try await Crew([text])
        try await crew.start()
        await crew.pass(40.5)
        let stored = try #require(try await crew.store.run(of: "stream-0"))
        #expect(stored.outputs == 41)
        #expect(try StreamCheckpoint(parsing: stored.checkpoint ?? "").outputs < 5)
        let next = try await Crew([text], after: crew)
        try await next.supervisors[0].resume(stored, journal: next.store.journal(of: "stream-0"))
        await next.pass(2)
        let sums = (0...42).reduce(into: [Int]()) { $0.append(($0.last ?? 0) + $1) }
        #expect(try await next.outputs(0) == sums.enumerated().map { "\($0.offset + 1) \($0.element)" })
        await next.shutDown()
        await crew.shutDown()
    }

    /// An edit that was stored before a kill, and not taken up by the run, comes after what the run had given.
    @Test func anEditComesAfterWhatIsStored() async throws {
        func text(_ factor: Int) -> String { ticks(1, #"{"id": "m", "map": {"expression": "x * \#(factor)"}}"#) }
        let crew = try await Crew([text(1)])
        try await crew.start()
        await crew.pass(20.5)
        let stored = try #require(try await crew.store.run(of: "stream-0"))
        let next = try await Crew([text(1)], after: crew)
        try await next.supervisors[0].edit(to: Supervised.program(text(100), revision: 2))
        try await next.supervisors[0].resume(stored, journal: [])
        await next.pass(2)
        let values = (0...20).map { "\($0 + 1) \($0)" } + ["22 2100", "23 2200"]
        #expect(try await next.outputs(0) == values)
        await next.shutDown()
        await crew.shutDown()
    }

    /// While the store refuses, the runs go on, and everything is stored when it accepts again: also what was touched by
    /// requests, and the runs that were begun meanwhile.
    @Test func whatIsRefusedIsStoredLater() async throws {
        let crew = try await Crew([ticks(0.1), ticks(1)])
        try await crew.start()
        await crew.pass(1)
        crew.store.refusal.withLock { $0 = StoreError(.full) }
        await crew.pass(3)
        #expect(crew.publisher.last?.warning == "the output is not stored: \(StoreError(.full).reason)")
        await crew.supervisors[1].change(speed: 2)
        await crew.supervisors[1].save()
        try await crew.supervisors[1].start()
        let refused = crew.store.counts.withLock { $0.transactions }
        await crew.pass(3)
        // It is tried once a second, for all together.
        #expect(crew.store.counts.withLock { $0.transactions } - refused <= 4)
        crew.store.refusal.withLock { $0 = nil }
        await crew.pass(2)
        #expect(crew.publisher.last?.warning == nil)
        let first = try await crew.outputs(0)
        #expect(first == (1...first.count).map { "\($0) \($0 - 1)" } && first.count >= 85)
        let second = try #require(try await crew.store.run(of: "stream-1"))
        #expect(second.run == 2 && second.speed == 2 && second.outputs >= 8)
        let all = try await crew.store.outputs(of: "stream-1", afterRun: 0, sequence: 0, limit: 1000)
        #expect(all.filter { $0.run == 1 }.map(\.sequence) == Array(1...(all.filter { $0.run == 1 }.count)))
        await crew.shutDown()
    }

    /// An edit of a run that waits for its next attempt, while the store refuses: the state is kept, and the run resumes when
    /// the store accepts again.
    @Test func anEditWhileTheStoreRefusesKeepsTheState() async throws {
        func text(_ divisor: String) -> String {
            ticks(
                1,
                #"{"id": "s", "scan": {"expression": "acc + x"}}, {"id": "d", "map": {"expression": "\#(divisor)"}}"#
            )
        }
        var settings = RunSettings()
        settings.restart = .onFailure(from: .seconds(100), to: .seconds(100), maxRestarts: 5)
        let crew = try await Crew([text("x < 10 ? x : 1 / 0")], settings: settings)
        let run = crew.supervisors[0]
        try await run.start()
        await crew.pass(4.5)
        #expect(await run.status.state == .restarting)
        crew.store.refusal.withLock { $0 = StoreError(.full) }
        try await run.take(Supervised.program(text("x"), revision: 2))
        await crew.pass(2)
        #expect(await run.status.state == .restarting)
        crew.store.refusal.withLock { $0 = nil }
        await crew.pass(3)
        #expect(await run.status.run == 1)
        #expect(await run.status.state == .running)
        #expect(try await crew.outputs(0).contains { $0.hasSuffix(" 15") })
        await crew.shutDown()
    }

    /// A reset comes after a batch that is being stored, and before the next run.
    @Test func aResetLeavesNothingBehind() async throws {
        let crew = try await Crew([ticks(0.01)])
        for _ in 0..<20 {
            try await crew.start()
            await crew.pass(0.03)
            async let saved: Void = crew.supervisors[0].save()
            try await crew.supervisors[0].reset()
            await saved
            #expect(try await crew.store.run(of: "stream-0") == nil)
        }
        try await crew.start()
        await crew.pass(0.2)
        #expect(try await crew.outputs(0).first == "1 0")
        await crew.shutDown()
    }

    /// The last commit has a checkpoint, so that the next start repeats nothing.
    @Test func anOrderlyEndLeavesACheckpoint() async throws {
        let crew = try await Crew([ticks(1)])
        try await crew.start()
        await crew.pass(10.5)
        await crew.shutDown()
        let stored = try #require(try await crew.store.run(of: "stream-0"))
        #expect(try StreamCheckpoint(parsing: stored.checkpoint ?? "").outputs == stored.outputs)
        #expect(stored.outputs == 11)
    }
}
