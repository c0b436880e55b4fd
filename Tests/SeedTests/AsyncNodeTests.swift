#if HTTP && OpenCombine && SQLite && Server
// NodeKit 5's names.

import Sluice
import SluiceClassic
import Testing

private struct Broken: Error {}

private struct Length: AsyncNode<String, Int> {
    func process(_ data: String, logContext: LoggingContext) async -> NodeResult<Int> {
        logContext.add("length of \(data)")
        return data.isEmpty ? .failure(Broken()) : .success(data.count)
    }
}

private final class Letters: AsyncPagerDataProvider {
    let failures: Locked<Int>

    init(failures count: Int = 0) { failures = Locked(count) }

    func provide(for index: Int, with pageSize: Int) async -> NodeResult<AsyncPagerData<[String]>> {
        let fails = failures.withLock { count in
            count -= 1
            return count >= 0
        }
        if fails { return .failure(Broken()) }
        let page = Array(["a", "b", "c"].dropFirst(index).prefix(pageSize))
        return .success(AsyncPagerData(value: page, len: page.count))
    }
}

@Suite struct AsyncNodeTests {
    /// A call gives a result or a value, by the type that is required.
    @Test func bothSpellings() async throws {
        let result: NodeResult<Int> = await Length().process("four")
        #expect(try result.get() == 4)
        #expect(try await Length().process("four") == 4)
        let failure = await Length().process("") as NodeResult<Int>
        #expect(throws: Broken.self) { try failure.get() }
        await #expect(throws: Broken.self) { _ = try await Length().process("") as Int }
    }

    /// Every node can be called so, also one without input.
    @Test func everyNodeGivesResults() async throws {
        let double = AnyNode<Int, Int> { $0 * 2 }
        let result: NodeResult<Int> = await double.process(4)
        #expect(try result.get() == 8)
        let void = AnyNode<Void, Int> { _ in throw Broken() }
        let failure: NodeResult<Int> = await void.process()
        #expect(throws: Broken.self) { try failure.get() }
    }

    @Test func pagesOfAProvider() async throws {
        let iterator = AsyncPagerIterator(dataProvider: Letters(), pageSize: 2)
        #expect(await iterator.hasNext())
        #expect(try await iterator.next().get() == ["a", "b"])
        await iterator.saveState()
        #expect(try await iterator.next().get() == ["c"])
        #expect(await iterator.hasNext() == false)
        let end = await iterator.next()
        #expect(throws: PagerEndError.self) { try end.get() }
        await iterator.restoreState()
        #expect(try await iterator.next().get() == ["c"])
        await iterator.renew()
        #expect(try await iterator.next().get() == ["a", "b"])
    }

    /// A failure changes nothing.
    @Test func aFailedPageIsFetchedAgain() async throws {
        let iterator = AsyncPagerIterator(dataProvider: Letters(failures: 1), pageSize: 2)
        let failure = await iterator.next()
        #expect(throws: Broken.self) { try failure.get() }
        #expect(try await iterator.next().get() == ["a", "b"])
    }
}
#endif
