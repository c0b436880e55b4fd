import Sluice
import Testing

private struct Doubler: Node {
    func process(_ input: Int) async throws -> Int {
        if input < 0 { throw Failure(code: input) }
        return input * 2
    }
}

private struct Length: ObserverNode<String, Int> {
    func process(_ text: String) -> Observer<Int> {
        let result = Context<Int>()
        if text.isEmpty { result.emit(error: Failure()) } else { result.emit(text.count) }
        return result
    }
}

private struct Now: Node {
    func process(_ input: Void) async throws -> String { "now" }
}

@Suite struct NodeTests {
    @Test func answersAwait() async throws {
        #expect(try await Doubler().process(4) == 8)
        await #expect(throws: Failure(code: -1)) { try await Doubler().process(-1) }
    }

    @Test func answersWithAnObserverWhereItsTypeIsWritten() async throws {
        let call: Observer<Int> = Doubler().process(4)
        #expect(try await call.value == 8)
        let failing: Observer<Int> = Doubler().process(-2)
        await #expect(throws: Failure(code: -2)) { try await failing.value }
    }

    @Test func takesNothing() async throws {
        #expect(try await Now().process() == "now")
        let call: Observer<String> = Now().process()
        #expect(try await call.value == "now")
    }

    @Test func observerNodeThatTakesNothingIsStartedHere() {
        struct Here: ObserverNode<Void, Int> {
            func process(_ input: Void) -> Observer<Int> { .emit(data: 7) }
        }
        let note = Recorder<Int>()
        Here().process().onCompleted { note($0) }
        #expect(note.elements == [7])  // at once: no task was made
    }

    @Test func observerNodeAnswersBothWays() async throws {
        #expect(try await Length().process("four") == 4)
        await #expect(throws: Failure()) { try await Length().process("") }
        let call: Observer<Int> = Length().process("four")
        #expect(try await call.value == 4)
    }

    @Test func cancelledTaskCancelsAnObserverNode() async {
        let context = Context<Int>()
        let note = Recorder<String>()
        context.onCanceled { note("stopped") }
        struct Pending: ObserverNode<Int, Int> {
            let context: Context<Int>
            func process(_ input: Int) -> Observer<Int> { context }
        }
        let task = Task { try await Pending(context: context).process(1) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(note.elements == ["stopped"])
    }

    @Test func closuresAreNodes() async throws {
        let node = AnyNode { (text: String) in text.count }
        #expect(try await node.process("five!") == 5)
        let erased: [AnyNode<Int, Int>] = [AnyNode(Doubler()), AnyNode { $0 + 1 }]
        #expect(try await erased[0].process(2) == 4)
        #expect(try await erased[1].process(2) == 3)
    }

    @Test func nodesInARow() async throws {
        let node = Length().andThen(Doubler()).andThen(AnyNode("text") { "\($0)" })
        #expect(try await node.process("four") == "8")
        #expect(node.description == "Length → Doubler → text")
        await #expect(throws: Failure()) { try await node.process("") }
    }
}
