import Sluice
import SluiceTesting
import Testing

/// The check finds each law's breaker.
@Suite struct BrokenLawsErrorTests {
    private func broken(
        clock: TestClock = TestClock(),
        patience: Duration = .seconds(120),
        _ filter: @escaping @Sendable () -> some Filter<Int, Int, Int, Int>
    ) async -> [String] {
        let laws = FilterLaws(request: 1, answer: 2, clock: clock, patience: patience, filter)
        do { try await laws.check() } catch let error as BrokenLawsError {
            return error.laws
        } catch { return ["\(error)"] }
        return []
    }

    @Test func nothingIsWrongWithAFilterThatCalls() async {
        #expect(await broken { AnyFilter<Int, Int, Int, Int> { try await $1.process($0) } } == [])
    }

    @Test func otherWordsForErrors() async {
        struct Other: Error {}
        let laws = await broken {
            AnyFilter<Int, Int, Int, Int> { request, next in
                do { return try await next.process(request) } catch {
                    try Task.checkCancellation()
                    throw Other()
                }
            }
        }
        #expect(laws == ["errors: of an error that it has no part in it fails with Other()"])
    }

    @Test func anotherTryAfterCancel() async {
        let laws = await broken {
            AnyFilter<Int, Int, Int, Int> { request, next in
                do { return try await next.process(request) } catch { return try await next.process(request) }
            }
        }
        #expect(laws == ["cancel: it called 2 times"])
    }

    @Test func oneForAll() async {
        let laws = await broken {
            let running = Shared()
            return AnyFilter<Int, Int, Int, Int> { request, next in
                let work = running.work { try await next.process(request) }
                return try await withTaskCancellationHandler {
                    try await work.value
                } onCancel: {
                    work.cancel()
                    running.forget()
                }
            }
        }
        #expect(laws == ["others: the other call fails with CancellationError()"])
    }

    /// A filter that inspects the stage that it surrounds, and treats a filter there differently.
    @Test func anotherAnswerForAFilterInside() async {
        let laws = await broken { Nosy() }
        #expect(laws == ["identity: before a filter that does nothing it answers -1, alone it answers 2"])
    }

    /// A filter that is shared between laws: ten calls before this one, and the eleventh behaves differently.
    @Test func anotherAnswerForTheSameStack() async {
        let calls = Calls()
        let laws = await broken {
            AnyFilter<Int, Int, Int, Int> { request, next in
                let number = calls.next()
                let answer = try await next.process(request)
                return number == 11 ? -1 : answer
            }
        }
        #expect(laws == ["associativity: (a.b).c answers 2, a.(b.c) answers -1"])
    }

    @Test func aCallThatNeverEnds() async {
        let laws = await broken(patience: .seconds(2)) {
            let calls = Calls()
            return AnyFilter<Int, Int, Int, Int> { request, next in
                if calls.next() == 5 { try await TestClock().sleep(for: .seconds(1)) }
                return try await next.process(request)
            }
        }
        #expect(laws == ["ends: 1 of 10 calls at once do not end"])
    }

    @Test func whatIsLeftBehind() async {
        let clock = TestClock()
        let laws = await broken(clock: clock, patience: .seconds(2)) {
            AnyFilter<Int, Int, Int, Int> { request, next in
                // Nobody cancels this wait.
                let wait = Task { try await clock.sleep(for: .seconds(60)) }
                let answer = try await next.process(request)
                wait.cancel()
                return answer
            }
        }
        #expect(laws.contains("timeout: a wait is left behind"))
    }

    @Test func errorsAreReadable() {
        #expect("\(BrokenLawsError(laws: ["a: b", "c: d"]))" == "a: b\nc: d")
    }
}

/// The work that all callers share, and all lose when one cancels.
private final class Shared: Sendable {
    private let task = Locked<Task<Int, any Error>?>(nil)

    func work(_ body: @escaping @Sendable () async throws -> Int) -> Task<Int, any Error> {
        task.withLock { task in
            if let task { return task }
            let new = Task { try await body() }
            task = new
            return new
        }
    }

    func forget() { task.withLock { $0 = nil } }
}

/// Answers in another way before a filter than before a node.
private struct Nosy: SimpleFilter<Int, Int> {
    func process(_ request: Int, next: some Node<Int, Int>) async throws -> Int {
        let answer = try await next.process(request)
        return "\(type(of: next))".hasPrefix("Filtered") ? -1 : answer
    }
}

/// Numbers calls, from 1.
private final class Calls: Sendable {
    private let count = Locked(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
