#if HTTP && OpenCombine && SQLite && Server
// The samples of ServiceSwift's example app, with the class that its text inherits from as a protocol.

import Dispatch
import Sluice
import SluiceClassic
import SluiceFilters
import Testing

private struct Broken: Error {}

/// The sample's long operation, without its `sleep`.
private struct LongOperationService: Service<Int, String> {
    func apply(request: Int) -> Future<String> {
        return Future<String> { complete in
            complete(.success("ok"))
        }
    }
}

/// The sample's service that fails twice. A stored variable of a class is behind a lock.
private final class TestRetryService: Service<Void, String> {
    private let attempt = Locked(0)

    func apply(request: Void) -> Future<String> {
        let attempt = attempt.withLock { attempt in
            attempt += 1
            return attempt
        }
        if attempt > 2 {
            return Future<String>.success("ok")
        } else {
            return Future.failed(Broken())
        }
    }
}

/// The sample's login: a future on a queue, which a filter continues with.
private struct RefreshTokenAuthorize {
    func authorize() -> Future<String> {
        return Future(queue: .main) { complete in
            complete(.success("new token"))
        }
    }
}

@Suite struct FutureTests {
    @Test func aClosureCompletesAFuture() async throws {
        func call() -> Future<String> { LongOperationService().apply(request: 42) }
        #expect(try await call().value == "ok")
    }

    @Test func retriesAClassWithALock() async throws {
        func call() -> Future<String> { RetryFilter<Void, String>(attempt: 3).andThen(TestRetryService()).apply() }
        #expect(try await call().value == "ok")
    }

    /// Only the first result counts, from whatever thread.
    @Test func onlyTheFirstResultCounts() async throws {
        let future = Future<Int> { complete in
            complete(.success(1))
            complete(.success(2))
            complete(.failure(Broken()))
        }
        #expect(try await future.value == 1)
    }

    @Test func listenersOfBothEnds() async throws {
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        func listen() {
            Future<Int> { $0(.success(8)) }
                .onFailure { line.yield("failed: \($0)") }
                .onSuccess { line.yield("success: \($0)") }
            Future<Int> { $0(.failure(Broken())) }
                .onSuccess { line.yield("success: \($0)") }
                .onFailure { line.yield("failed: \($0)") }
        }
        listen()
        var seen: Set<String> = []
        for await text in lines {
            seen.insert(text)
            if seen.count == 2 { break }
        }
        #expect(seen == ["success: 8", "failed: Broken()"])
    }

    @Test func rescueContinuesWithAnotherFuture() async throws {
        func call() -> Future<String> {
            Future<String>.failed(Broken()).rescue { _ in
                RefreshTokenAuthorize().authorize().flatMap { token in .success("with \(token)") }
            }
        }
        #expect(try await call().value == "with new token")
    }

    /// Work that forgets its future cancels it, so that no caller waits forever.
    @Test func forgottenWorkIsCanceled() async {
        let future = Future<Int> { _ in }
        await #expect(throws: CancellationError.self) { try await future.value }
    }

    /// Work runs on its queue: it may block.
    @Test func workRunsOnItsQueue() async throws {
        let queue = DispatchQueue(label: "work")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let future = Future<Bool>(queue: queue) { $0(.success(DispatchQueue.getSpecific(key: key) == true)) }
        #expect(try await future.value)
    }
}
#endif
