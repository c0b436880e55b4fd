#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import Testing

@testable import SluiceHTTP

@Suite struct MemoryStoreTests {
    func entry(_ key: String, _ count: Int = 100) -> CacheEntry {
        CacheEntry(
            key: key,
            vary: [],
            status: .ok,
            headers: [.contentType: "a/b"],
            body: Array(repeating: 1, count: count),
            requestTime: 0,
            responseTime: 0
        )
    }

    @Test func oldestGoFirst() {
        let size = entry("1").size
        let store = MemoryStore(limit: 3 * size)
        for key in ["1", "2", "3"] { store.store(entry(key), replacing: { _ in true }) }
        _ = store.entries("1")
        store.store(entry("4"), replacing: { _ in true })
        #expect(["1", "2", "3", "4"].map { store.entries($0).count } == [1, 0, 1, 1])
        #expect(store.byteCount == 3 * size)
        // An entry that is larger than the whole store evicts only its own predecessor.
        store.store(entry("1", 4 * size), replacing: { _ in true })
        #expect(["1", "3", "4"].map { store.entries($0).count } == [0, 1, 1])
        store.removeAll()
        #expect(store.byteCount == 0)
    }

    /// The order equals that of a list that is searched.
    @Test func leastRecent() {
        var order = LeastRecent<Int>()
        var model: [Int] = []
        let random = RandomSource(seed: 7)
        for _ in 0..<10_000 {
            let key = Int(random.below(20))
            model.removeAll { $0 == key }
            if random.below(4) == 0 {
                order.remove(key)
            } else {
                order.use(key)
                model.append(key)
            }
            #expect(order.oldest == model.first)
        }
        while let oldest = order.oldest {
            #expect(oldest == model.removeFirst())
            order.remove(oldest)
        }
        #expect(model.isEmpty)
    }

    /// Concurrent readers, writers, and removals, in memory and in files.
    @Test(arguments: [true, false]) func manyAtOnce(_ isOnDisk: Bool) async throws {
        let directory = try TemporaryDirectory()
        let cache = isOnDisk ? try HTTPCache(directory: directory.path, bytes: 20_000) : HTTPCache(bytes: 20_000)
        let fixture = CacheFixture(cache: cache) { request, number in
            await Task.yield()
            return .of(
                200,
                .control("max-age=\(number % 3)", [.eTag: "\"\(number)\""]),
                String(repeating: request.url.lastPathComponent, count: 300)
            )
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for call in 0..<1000 {
                group.addTask {
                    let path = "\(call % 40)"
                    if call % 50 == 0 { fixture.advance(1) }
                    if call % 17 == 0 { return _ = try await fixture.get([:], path, method: .delete) }
                    let text = try await fixture.text([.accept: "\(call % 2)"], path)
                    #expect(text == String(repeating: path, count: 300))
                }
            }
            try await group.waitForAll()
        }
        #expect(await cache.byteCount <= 20_000)
        await cache.removeAll()
        #expect(await cache.byteCount == 0)
        #expect(try directory.files == [])
    }
}
#endif
