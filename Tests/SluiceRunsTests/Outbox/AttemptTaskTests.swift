import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// The tasks that attempts may cancel.
@Suite(.timeLimit(.minutes(20))) struct AttemptTaskTests {
    /// An attempt cancels its task, also before the owner has set it.
    @Test(arguments: [true, false]) func anAttemptCancelsItsTask(_ isLate: Bool) async {
        let task = AttemptTask()
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (passes, pass) = AsyncStream.makeStream(of: Void.self)
        let work = Task {
            await task.attempt { cancel in
                if isLate { for await _ in passes { break } }
                cancel()
                begin.finish()
                while !Task.isCancelled { await Task.yield() }
                return Task.isCancelled
            }
        }
        if !isLate { for await _ in begun {} }
        task.set(work)
        pass.finish()
        #expect(await work.value)
    }

    /// An attempt that has ended cancels no later one.
    @Test func anAttemptThatHasEndedCancelsNothing() async {
        let (task, kept) = (AttemptTask(), Kept())
        let work = Task {
            await task.attempt { cancel in kept.cancel.withLock { $0 = cancel } }
            kept.cancel.withLock { $0 }?()
            return await task.attempt { cancel in
                kept.cancel.withLock { $0 }?()
                return Task.isCancelled
            }
        }
        task.set(work)
        #expect(await !work.value)
    }

    private static let filters =
        #""stack": {"filters": [{"breaker": {"opensOn": [{"consecutiveFailures": {"count": 1000}}]}}]}"#

    private final class Kept: Sendable {
        let cancel = Locked<(@Sendable () -> Void)?>(nil)
    }

    /// A receiver that ends its attempt at a time limit: the outputs that it refuses so come again, and the others are
    /// delivered, in order for each key.
    ///
    /// Filters around the attempts wait in tasks of their own: what the receiver says is shown all the same.
    @Test(arguments: ["", #", "concurrency": 4, "key": "x % 7""#], ["", ", \(filters)"]) func slowAttemptsAreMadeAgain(
        _ rules: String,
        _ stack: String
    ) async throws {
        let (store, timer, seen) = (MemoryStreamStore(), ManualTimer(), Seen())
        let sink = #"{"id": "s", "outside": {"name": "r"\#(rules)\#(stack)}}"#
        let text = #"{"id": "a", "source": {"values": [1]}, "sinks": [\#(sink)]}"#
        try await DeliveryBoundsTests.store(100, of: "a", text, in: store)
        var host = StreamHost()
        host.registerSink("r") { delivery in
            let isFirst = seen.attempts.withLock { attempts in
                attempts[delivery.key, default: 0] += 1
                return attempts[delivery.key] == 1
            }
            guard isFirst, delivery.key.hasSuffix("5") else {
                return seen.values.withLock { $0.append(delivery.request["value"]?.int ?? -1) }
            }
            delivery.cancel()
            while !Task.isCancelled { await Task.yield() }
            throw SinkRetryError("too slow")
        }
        let deliveries = Deliveries(store: store, host: host, timer: timer)
        var program = try Supervised.program(text, revision: 1)
        _ = try program.takeCompiled()
        deliveries.use(program.sinks, of: "a", after: .start)
        var errors: Set<String> = []
        while seen.values.withLock({ $0.count }) < 100 {
            errors.formUnion(await deliveries.statusWithoutLetters(of: "a").compactMap(\.error))
            timer.move(to: timer.now + 1_000_000_000)
            for _ in 0..<100 { await Task.yield() }
        }
        #expect(errors == ["too slow"])
        let values = seen.values.withLock { $0 }
        #expect(Set(values).count == 100)
        for key in 0..<7 {
            let own = values.filter { $0 % 7 == key }
            #expect(own == own.sorted(), "\(values)")
        }
        #expect(seen.attempts.withLock { $0.values.filter { $0 == 2 }.count } == 10)
        await deliveries.close()
    }

    private final class Seen: Sendable {
        let attempts = Locked<[String: Int]>([:])
        let values = Locked<[Int]>([])
    }
}
