import Dispatch
import Sluice
import Testing

@Suite struct MappingTests {
    @Test func mapsTheValue() async throws {
        let text: Observer<String> = Observer<Int>.emit(data: 4).map { "\($0)" }
        #expect(try await text.value == "4")
    }

    @Test func whatMapThrowsIsTheError() async {
        let call: Observer<Int> = Observer<Int>.emit(data: 4).map { _ in throw Failure(code: 9) }
        await #expect(throws: Failure(code: 9)) { try await call.value }
    }

    @Test func mapsToACall() async throws {
        let inner = Context<String>()
        let call = Observer<Int>.emit(data: 4).map { _ in inner }
        inner.emit("later")
        #expect(try await call.value == "later")
    }

    @Test func whatStartingACallThrowsIsTheError() async {
        let call = Observer<Int>.emit(data: 4).map { _ -> Observer<Int> in throw Failure(code: 2) }
        await #expect(throws: Failure(code: 2)) { try await call.value }
    }

    @Test func errorPassesAMapThatIsNotCalled() async {
        let call: Observer<Int> = Observer<Int>.emit(error: Failure(code: 1)).map { value in
            Issue.record("called")
            return value
        }
        await #expect(throws: Failure(code: 1)) { try await call.value }
    }

    @Test func mapsTheError() async {
        let call = Observer<Int>.emit(error: Failure(code: 1)).map { error in
            error is Failure ? Failure(code: 2) : error
        }
        await #expect(throws: Failure(code: 2)) { try await call.value }
    }

    @Test func errorBodyIsNotCalledForAValueOrCancel() async throws {
        let value = Observer<Int>.emit(data: 1).mapError { _ in Failure() }
        #expect(try await value.value == 1)
        let canceled = Context<Int>().cancel().mapError { _ in Failure() }
        await #expect(throws: CancellationError.self) { try await canceled.value }
    }

    @Test func recovers() async throws {
        let call = Observer<Int>.emit(error: Failure()).recover { _ in .emit(data: 3) }
        #expect(try await call.value == 3)
        let failed = Observer<Int>.emit(error: Failure()).recover { _ in throw Failure(code: 8) }
        await #expect(throws: Failure(code: 8)) { try await failed.value }
    }

    @Test func cancelIsNotRecovered() async {
        let call = Context<Int>().cancel().recover { _ in .emit(data: 3) }
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func filtersElements() async throws {
        let call = Observer<[Int]>.emit(data: [1, 2, 3, 4]).filter { $0.isMultiple(of: 2) }
        #expect(try await call.value == [2, 4])
    }

    @Test func combinesCallsThatRunAtTheSameTime() async throws {
        let (a, b) = (Context<Int>(), Context<String>())
        let both = a.combine(b)
        b.emit("b")  // either order
        a.emit(1)
        let (number, text) = try await both.value
        #expect(number == 1)
        #expect(text == "b")
    }

    @Test func firstErrorOfACombinationLeavesTheOther() async {
        let (a, b, note) = (Context<Int>(), Context<String>(), Recorder<String>())
        b.onCanceled { note("b stopped") }
        let both = a.combine(b)
        a.emit(error: Failure(code: 4))
        await #expect(throws: Failure(code: 4)) { try await both.value }
        #expect(note.elements == ["b stopped"])
    }

    @Test func combinationOfACallThatHasFailed() async {
        let (b, note) = (Context<String>(), Recorder<String>())
        b.onCanceled { note("b stopped") }
        let both = Observer<Int>.emit(error: Failure(code: 4)).combine(b)
        await #expect(throws: Failure(code: 4)) { try await both.value }
        #expect(note.elements == ["b stopped"])
    }

    @Test func chainKeepsBothValues() async throws {
        let call = Observer<Int>.emit(data: 2).chain { .emit(data: "\($0 + 1)") }
        let (first, second) = try await call.value
        #expect(first == 2)
        #expect(second == "3")
    }

    /// A poll that starts itself again by `map`, ten thousand times.
    @Test func longChainsOfCallsEnd() async throws {
        var tries: [Context<Int>] = []
        func poll(_ left: Int) -> Observer<Int> {
            let context = Context<Int>()
            tries.append(context)
            return context.map { left == 0 ? .emit(data: $0) : poll(left - 1) }
        }
        let call = poll(10_000)
        for index in 0...10_000 { tries[index].emit(index) }
        #expect(try await call.value == 10_000)
    }

    /// The same where every try has ended before it is asked: no stack is exhausted, on any thread.
    @Test func longChainsOfEndedCallsEnd() async throws {
        @Sendable func poll(_ tries: Int) -> Observer<Int> {
            .emit(data: tries).map { $0 >= 20_000 ? .emit(data: $0) : poll($0 + 1) }
        }
        let call: Observer<Int> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: poll(0)) }
        }
        #expect(try await call.value == 20_000)
    }

    /// The dispatcher of the seed, ten thousand times: each listener ends the next call.
    @Test func longChainsOfListenersEnd() async throws {
        let first = Context<Int>()
        var last = first
        for _ in 0..<10_000 {
            let next = Context<Int>()
            last.onCompleted { next.emit($0 + 1) }
            last = next
        }
        DispatchQueue.global().async { first.emit(0) }
        #expect(try await last.value == 10_000)
    }

    /// Ten thousand maps over one call: the end passes through without exhausting a thread's stack.
    @Test func deepChainsEnd() async throws {
        let root = Context<Int>()
        var last: Observer<Int> = root
        for _ in 0..<10_000 { last = last.map { $0 + 1 } }
        root.emit(0)
        #expect(try await last.value == 10_000)
    }
}
