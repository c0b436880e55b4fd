import Dispatch
import Sluice
import Testing

@Suite struct CallContextTests {
    func attempt(_ number: Int) -> CallContext {
        var context = CallContext()
        context.attempt = number
        return context
    }

    @Test func isEmptyOutsideOfACall() {
        let context = CallContext.current
        #expect(context.deadline == nil)
        #expect(context.attempt == 1)
        #expect(context.idempotencyKey == nil)
        #expect(context.trace.isEmpty)
        #expect(context.metadata.isEmpty)
        #expect(context.log == nil)
        #expect(MemoryLayout<CallContext>.size == MemoryLayout<Int>.size)
    }

    @Test func fieldsAreIndependentValues() {
        var first = CallContext()
        first.deadline = .now
        first.idempotencyKey = "key"
        var second = first
        second.trace = ["traceparent": "00"]
        second.metadata = ["user": "ada"]
        second.attempt = 3
        #expect(first.attempt == 1 && first.trace.isEmpty && first.metadata.isEmpty)
        #expect(second.deadline == first.deadline && second.idempotencyKey == "key" && second.attempt == 3)
    }

    @Test func reachesTheNodeAndItsStages() async throws {
        let node = AnyFilter<Int, Int, Int, Int> { try await $1.process($0) }
            .andThen(AnyNode { _ in CallContext.current.attempt })
        #expect(try await withCallContext(attempt(4)) { try await node.process(0) } == 4)
        let call: Observer<Int> = withCallContext(attempt(5)) { node.start(0) }
        #expect(try await call.value == 5)
    }

    @Test func isRestoredAroundListeners() async {
        let note = Recorder<Int>()
        let context = withCallContext(attempt(2)) { Context<Int>() }
        context.onCompleted { _ in note(CallContext.current.attempt) }
        let derived = context.map { value -> Int in
            note(CallContext.current.attempt)
            return value
        }
        derived.onCompleted { _ in note(CallContext.current.attempt) }
        DispatchQueue.global().async { context.emit(1) }
        await derived.ended()
        #expect(note.elements == [2, 2, 2])
    }

    @Test func isTheObserversOwnNotThatOfTheThreadThatEnds() {
        let note = Recorder<Int>()
        let context = Context<Int>()
        context.onCompleted { _ in note(CallContext.current.attempt) }
        withCallContext(attempt(7)) { _ = context.emit(1) }
        #expect(note.elements == [1])
    }

    @Test func derivedObserverHasTheContextInWhichItIsMade() async {
        let note = Recorder<String>()
        let root = withCallContext(attempt(2)) { Context<Int>() }
        let outside = root.map { value -> Int in
            note("outside \(CallContext.current.attempt)")
            return value
        }
        let inside = withCallContext(attempt(3)) {
            root.map { value -> Int in
                note("inside \(CallContext.current.attempt)")
                return value
            }
        }
        outside.onCompleted { _ in note("outside \(CallContext.current.attempt)") }
        inside.onCompleted { _ in note("inside \(CallContext.current.attempt)") }
        root.emit(1)
        #expect(note.elements == ["outside 2", "outside 2", "inside 3", "inside 3"])
    }

    @Test func goesOverDispatch() async throws {
        let node = AnyNode<Int, Int> { _ in CallContext.current.attempt }
        let call: Observer<Int> = withCallContext(attempt(3)) {
            Observer<Int>.emit(data: 1).dispatch(on: .global()).map { node.start($0) }
        }
        #expect(try await call.value == 3)
    }

    @Test func behindARawQueueItTakesWithCallContext() async throws {
        let node = AnyNode<Int, Int> { _ in CallContext.current.attempt }
        let (lost, kept) = (Context<Int>(), Context<Int>())
        withCallContext(attempt(3)) {
            let context = CallContext.current
            DispatchQueue.global().async {
                node.start(1).onCompleted { lost.emit($0) }
                withCallContext(context) { _ = node.start(1).onCompleted { kept.emit($0) } }
            }
        }
        #expect(try await lost.value == 1)
        #expect(try await kept.value == 3)
    }

    @Test func isRestoredOnAnActor() async throws {
        let context = withCallContext(attempt(6)) { Context<Int>() }
        let call = await MainActor.run {
            context.map { _ in
                MainActor.preconditionIsolated()
                return CallContext.current.attempt
            }
        }
        DispatchQueue.global().async { context.emit(1) }
        #expect(try await call.value == 6)
    }
}
