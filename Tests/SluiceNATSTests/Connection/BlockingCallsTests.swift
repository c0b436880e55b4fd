#if NATS
import Dispatch
import Sluice
import Testing

@testable import SluiceNATS

@Suite(.timeLimit(.minutes(2))) struct BlockingCallsTests {
    /// A number that several threads change.
    private final class Number: Sendable {
        private let value = Locked(0)

        @discardableResult func add(_ other: Int) -> Int {
            value.withLock { value in
                value += other
                return value
            }
        }
    }

    /// Calls that wait for each other: with fewer threads than calls none would end.
    @Test func asManyCallsAreMadeAtOnceAsMayBe() async throws {
        let (calls, count) = (BlockingCalls(atOnce: 16), 16)
        let (number, gate) = (Number(), DispatchSemaphore(value: 0))
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<count {
                group.addTask {
                    try await calls.perform {
                        if number.add(1) == count { for _ in 0..<count { gate.signal() } }
                        gate.wait()
                    }
                }
            }
        }
        #expect(number.add(0) == count)
    }

    @Test func callsOfOneThreadComeOneAfterTheOther() async throws {
        let (calls, open) = (BlockingCalls(atOnce: 1), Number())
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<100 {
                group.addTask {
                    let most = try await calls.perform {
                        defer { open.add(-1) }
                        return open.add(1)
                    }
                    #expect(most == 1)
                }
            }
        }
    }

    @Test func aCallThatIsCanceledBeforeItBeginsIsNotMade() async throws {
        let calls = BlockingCalls(atOnce: 1)
        let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let first = Task {
            try await calls.perform {
                begun.signal()
                gate.wait()
            }
        }
        try await BlockingCalls(atOnce: 1).perform { begun.wait() }
        let second = Task { try await calls.perform { Issue.record("the call was made") } }
        second.cancel()
        gate.signal()
        try await first.value
        await #expect(throws: CancellationError.self) { try await second.value }
    }
}
#endif
