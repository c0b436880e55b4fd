import Sluice
import SluiceTesting
import Testing

/// The check finds each law's breaker.
@Suite struct BrokenLawsTests {
    private func broken(
        _ filter: @escaping @Sendable () -> AnyFilter<Int, Int, Int, Int>
    ) async -> [String] {
        do { try await FilterLaws(request: 1, answer: 2, filter).check() } catch let error as BrokenLaws {
            return error.laws
        } catch { return ["\(error)"] }
        return []
    }

    @Test func nothingIsWrongWithAFilterThatCalls() async {
        #expect(await broken { AnyFilter { try await $1.process($0) } } == [])
    }

    @Test func otherWordsForErrors() async {
        struct Other: Error {}
        let laws = await broken {
            AnyFilter { request, next in
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
            AnyFilter { request, next in
                do { return try await next.process(request) } catch { return try await next.process(request) }
            }
        }
        #expect(laws == ["cancel: it called 2 times"])
    }

    @Test func oneForAll() async {
        let laws = await broken {
            let running = Shared()
            return AnyFilter { request, next in
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

    @Test func errorsAreReadable() {
        #expect("\(BrokenLaws(laws: ["a: b", "c: d"]))" == "a: b\nc: d")
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
