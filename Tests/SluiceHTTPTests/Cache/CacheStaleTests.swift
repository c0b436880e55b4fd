#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import Testing

@testable import SluiceHTTP

/// Tests of RFC 5861 and of the policies.
@Suite("RFC 5861: stale answers") struct CacheStaleTests {
    @Test("5861, 3: the old at once, a new one meanwhile, one at a time") func whileRevalidate() async throws {
        let gate = Context<Void>()
        let cache = CacheFixture { _, number in
            if number > 1 { try await gate.value }
            return .of(200, .control("max-age=60, stale-while-revalidate=30"), "\(number)")
        }
        try await cache.get()
        cache.advance(90)
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<1000 { group.addTask { try await cache.text() } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(texts == ["1"])
        await cache.settle { cache.sent == 2 }
        gate.emit(())
        await cache.settle { (try? await cache.text()) == "2" }
        #expect(cache.sent == 2)
    }

    /// A caller may have read the entry before a validation replaced it, and ask for one after that has ended.
    @Test("one validation serves all callers that read the entry before it ended", arguments: [0, 30])
    func lateReader(_ staleWhileRevalidate: Int) async throws {
        let store = HeldStore()
        let cache = CacheFixture(cache: HTTPCache(store: store, maximumBodyBytes: 1 << 20)) { _, number in
            .of(200, .control("max-age=60, stale-while-revalidate=\(staleWhileRevalidate)"), "\(number)")
        }
        try await cache.get()
        cache.advance(90)
        store.holdNext()
        async let late = cache.text()
        await cache.settle { store.isHolding }
        let first = try await cache.text()
        #expect(first == (staleWhileRevalidate == 0 ? "2" : "1"))
        await cache.settle { (try? await cache.text()) == "2" }
        store.release()
        #expect(try await late == first)
        await cache.settle { cache.cache.isIdle }
        #expect(cache.sent == 2)
        #expect(try await cache.text() == "2")
    }

    @Test("5861, 3: not after its time, and again after a failure") func whileRevalidateEnds() async throws {
        let cache = CacheFixture { request, number in
            if number == 2 { throw HTTPError(.unreachable, "no", request: request) }
            return .of(200, .control("max-age=60, stale-while-revalidate=30"), "\(number)")
        }
        try await cache.get()
        cache.advance(70)
        #expect(try await cache.text() == "1")
        await cache.settle { cache.sent == 2 }
        await cache.settle { (try? await cache.text()) == "3" }
        cache.advance(91)
        #expect(try await cache.text() == "4")
    }

    @Test(
        "5861, 4: stale-if-error for failures of the server and of the connection",
        arguments: [500, 502, 503, 504, 0]
    )
    func ifError(_ status: Int) async throws {
        let cache = CacheFixture { request, number in
            if number == 1 { return .of(200, .control("max-age=60, stale-if-error=30"), "1") }
            if status == 0 { throw HTTPError(.unreachable, "no", request: request) }
            return .of(status)
        }
        try await cache.get()
        cache.advance(90)
        #expect(try await cache.text() == "1")
        let status9211 = try await cache.get().headers[.cacheStatus]
        #expect(status9211 == "sluice;hit;detail=stale-if-error;ttl=-30")
        cache.advance(1)
        if status == 0 {
            await #expect(throws: HTTPError.self) { try await cache.get() }
        } else {
            #expect(try await cache.get().status.code == status)
        }
    }

    @Test("5861, 4: where a StatusFilter inside makes errors of answers") func ifErrorBehindAStatusFilter() async throws
    {
        let cache = CacheFixture(.of(200, .control("max-age=60, stale-if-error=30"), "1"), .of(503), .of(404))
        let node = cache.filter.andThen(StatusFilter()).andThen(cache.stub.node)
        _ = try await node.process(.get("https://example.com/a"))
        cache.advance(60)
        #expect(try await node.process(.get("https://example.com/a")).text() == "1")
        await #expect(throws: HTTPError.self) { try await node.process(.get("https://example.com/a")) }
    }

    @Test("5861, 4: a request may allow it, and must-revalidate forbids it") func ifErrorOfTheRequest() async throws {
        let plain = CacheFixture(.of(200, .control("max-age=60"), "1"), .of(503))
        try await plain.get()
        plain.advance(70)
        #expect(try await plain.get().status.code == 503)
        #expect(try await plain.get(.control("stale-if-error=10")).status.code == 200)
        let strict = CacheFixture(.of(200, .control("max-age=60, must-revalidate, stale-if-error=30")), .of(503))
        try await strict.get()
        strict.advance(70)
        #expect(try await strict.get().status.code == 503)
    }

    @Test("policy: what is stored if the connection fails") func ifUnreachable() async throws {
        let cache = CacheFixture(policy: .cacheIfUnreachable) { request, number in
            if number == 1 { return .of(200, .control("max-age=60"), "1") }
            if number == 2 { return .of(503) }
            throw HTTPError(number == 3 ? .timedOut : .unreachable, "no", request: request)
        }
        try await cache.get()
        cache.advance(100_000)
        #expect(try await cache.get().status.code == 503)
        #expect(try await cache.text() == "1")
        #expect(try await cache.text() == "1")
        await #expect(throws: HTTPError.self) { try await cache.get([:], "other") }
        await #expect(throws: HTTPError.self) { try await cache.get(.control("no-cache")) }
    }

    @Test("policy: only the cache, and never the network") func cacheOnly() async throws {
        let cache = CacheFixture(.of(200, .control("max-age=60"), "1"))
        try await cache.get()
        cache.advance(100_000)
        let (stored, missing, posted) = try await CachePolicy.cacheOnly.apply {
            (
                try await cache.text(), try await cache.get([:], "b").status.code,
                try await cache.get(method: .post).status.code
            )
        }
        #expect((stored, missing, posted) == ("1", 504, 504))
        #expect(cache.sent == 1)
    }

    @Test("policy: what the server forbids is not given") func cacheOnlyAndMustRevalidate() async throws {
        for control in ["max-age=60, must-revalidate", "no-cache"] {
            let cache = CacheFixture(.of(200, .control(control), "1"))
            try await cache.get()
            cache.advance(61)
            #expect(try await CachePolicy.cacheOnly.apply { try await cache.get().status.code } == 504)
        }
    }

    @Test("policy: first the cache, then the network") func cacheThenNetwork() async throws {
        let cache = CacheFixture { _, number in .of(200, .control("max-age=60"), "\(number)") }
        func texts() async throws -> [String] {
            var texts: [String] = []
            for try await response in cache.node.cacheThenNetwork(try .get("https://example.com/a")) {
                texts.append(try await response.text())
            }
            return texts
        }
        #expect(try await texts() == ["1"])
        #expect(try await texts() == ["1", "2"])
        cache.advance(100)
        #expect(try await texts() == ["2", "3"])
        #expect(cache.sent == 3)
    }

    @Test("policy: the network may say that the stored holds") func reloadWithConditions() async throws {
        let cache = CacheFixture { _, number in
            switch number {
            case 1: .of(200, .control("max-age=60, stale-if-error=60", [.eTag: "\"a\""]), "1")
            case 2: .of(304)
            default: .of(503)
            }
        }
        try await cache.get()
        let response = try await CachePolicy.reload.apply { try await cache.get() }
        #expect(try await response.text() == "1")
        #expect(response.headers[.cacheStatus] == "sluice;fwd=request;fwd-status=304;ttl=60")
        // A call that uses the network gets its failure.
        #expect(try await CachePolicy.reload.apply { try await cache.get().status.code } == 503)
    }

    @Test("policy: an error of the network comes after the stored") func cacheThenError() async throws {
        let cache = CacheFixture { request, number in
            if number == 1 { return .of(200, .control("max-age=60"), "1") }
            throw HTTPError(.unreachable, "no", request: request)
        }
        try await cache.get()
        var answers = cache.node.cacheThenNetwork(try .get("https://example.com/a")).makeAsyncIterator()
        #expect(try await answers.next()?.text() == "1")
        await #expect(throws: HTTPError.self) { try await answers.next() }
        #expect(try await answers.next() == nil)
    }

    @Test("policy: a miss is not tried again") func missIsNotRetried() async throws {
        let cache = CacheFixture(.of(200, .control("max-age=60"), "1"))
        let tries = Counter()
        let node = RetryFilter<TransportRequest, TransportResponse>.http(backoff: .none)
            .andThen(
                AnyFilter("count") {
                    _ = tries.next(); return try await $1.process($0)
                }
            )
            .andThen(cache.filter).andThen(cache.stub.node)
        var answers = node.cacheThenNetwork(try .get()).makeAsyncIterator()
        #expect(try await answers.next()?.text() == "1")
        #expect(tries.value == 2)
    }

    @Test func obeysTheLaws() async throws { try await checkLaws { CacheFilter(HTTPCache()) } }
}

/// A store whose reads can be held between the read and its return.
private final class HeldStore: CacheStore {
    private let store = MemoryStore(limit: 1 << 20)
    private let gate = Context<Void>()
    private let state = Locked((isNext: false, isHolding: false))

    /// A Boolean value that indicates whether a read is held.
    var isHolding: Bool { state.withLock { $0.isHolding } }

    /// Holds the next read.
    func holdNext() { state.withLock { $0.isNext = true } }

    func release() { gate.emit(()) }

    func entries(_ key: String, in partitions: Set<String>?) async -> [CacheEntry] {
        let entries = store.entries(key, in: partitions)
        let isHeld = state.withLock { state in
            defer { state.isNext = false }
            if state.isNext { state.isHolding = true }
            return state.isNext
        }
        if isHeld { try? await gate.value }
        return entries
    }

    func store(_ entry: CacheEntry, replacing isReplaced: @escaping @Sendable (CacheEntry) -> Bool) {
        store.store(entry, replacing: isReplaced)
    }

    func hashKey() -> [UInt8] { store.hashKey() }
    func remove(_ key: String) { store.remove(key) }
    func removeAll() { store.removeAll() }
    var byteCount: Int { store.byteCount }
}
#endif
