import Dispatch
import Sluice
import Testing

private struct Doubler: Node {
    func process(_ input: Int) async throws -> Int {
        if input < 0 { throw Failure(code: input) }
        return input * 2
    }
}

private struct Length: ObserverNode<String, Int> {
    func start(_ text: String) -> Observer<Int> {
        let result = Context<Int>()
        if text.isEmpty { result.emit(error: Failure()) } else { result.emit(text.count) }
        return result
    }
}

private struct Now: Node {
    func process(_ input: Void) async throws -> String { "now" }
}

private struct Same: ObserverNode<Int, Int> {
    func start(_ input: Int) -> Observer<Int> { .emit(data: input) }
}

private struct OnQueue: DeliveringNode {
    static let key = DispatchSpecificKey<Bool>()
    static let queue = {
        let queue = DispatchQueue(label: "callbacks")
        queue.setSpecific(key: key, value: true)
        return queue
    }()
    var callbackQueue: DispatchQueue? { Self.queue }
    func process(_ input: Int) async throws -> Int { input }
}

private struct Stuck: DeliveringNode {
    var callbackQueue: DispatchQueue? { .main }
    func process(_ input: Int) async throws -> Int { try await untilCancelled() }
}

@Suite struct NodeTests {
    @Test func answersAwait() async throws {
        #expect(try await Doubler().process(4) == 8)
        await #expect(throws: Failure(code: -1)) { try await Doubler().process(-1) }
    }

    @Test func startReturnsAnObserver() async throws {
        let call = Doubler().start(4)
        #expect(try await call.value == 8)
        let failing = Doubler().start(-2)
        await #expect(throws: Failure(code: -2)) { try await failing.value }
    }

    @Test func takesNothing() async throws {
        #expect(try await Now().process() == "now")
        let call: Observer<String> = Now().start()
        #expect(try await call.value == "now")
    }

    @Test func observerNodeThatTakesNothingIsStartedHere() {
        struct Here: ObserverNode<Void, Int> {
            func start(_ input: Void) -> Observer<Int> { .emit(data: 7) }
        }
        let note = Recorder<Int>()
        Here().start().onCompleted { note($0) }
        #expect(note.elements == [7])  // at once: no task was made
    }

    /// `start` is the conformer's own where only `some Node` or `any Node` is known.
    @Test func startIsDispatchedDynamically() async throws {
        func begin(_ node: some Node<Int, Int>) -> Observer<Int> { node.start(1) }
        let note = Recorder<Int>()
        begin(Same()).onCompleted { note($0) }
        (Same() as any Node<Int, Int>).start(2).onCompleted { note($0) }
        #expect(note.elements == [1, 2])  // at once: no task was made
        let place = await withCheckedContinuation { continuation in
            begin(OnQueue()).onCompleted(isolation: nil) { _ in
                continuation.resume(returning: DispatchQueue.getSpecific(key: OnQueue.key))
            }
        }
        #expect(place == true)
    }

    /// A call of a node that chooses the queue is a root: canceling it ends what was derived from it.
    @Test func callOfADeliveringNodeIsARoot() async throws {
        let call = Stuck().start(1)
        let derived = call.map { $0 + 1 }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await derived.value }
    }

    @Test func observerNodeAnswersBothWays() async throws {
        #expect(try await Length().process("four") == 4)
        await #expect(throws: Failure()) { try await Length().process("") }
        let call: Observer<Int> = Length().start("four")
        #expect(try await call.value == 4)
    }

    @Test func cancelledTaskCancelsAnObserverNode() async {
        let context = Context<Int>()
        let note = Recorder<String>()
        context.onCanceled { note("stopped") }
        struct Pending: ObserverNode<Int, Int> {
            let context: Context<Int>
            func start(_ input: Int) -> Observer<Int> { context }
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
