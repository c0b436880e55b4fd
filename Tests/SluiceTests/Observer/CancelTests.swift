import Dispatch
import Sluice
import Synchronization
import Testing

/// Cancellation detaches its own branch; the work stops when its last branch is gone, or immediately when the root is
/// canceled.
@Suite struct CancelTests {
    /// A root whose author notes that the work is stopped.
    func work() -> (Context<Int>, Recorder<String>) {
        let (context, note) = (Context<Int>(), Recorder<String>())
        context.onCanceled { note("stopped") }
        return (context, note)
    }

    @Test func rootStopsAtOnceForEverybody() async {
        let (root, note) = work()
        root.onCompleted { _ in note("completed") }.defer { note("deferred") }
        let derived = root.map { $0 + 1 }
        derived.onCanceled { note("derived canceled") }.defer { note("derived deferred") }
        root.cancel()
        #expect(Set(note.elements) == ["stopped", "deferred", "derived canceled", "derived deferred"])
        root.emit(1)
        #expect(note.elements.count == 4)
        await #expect(throws: CancellationError.self) { try await derived.value }
    }

    @Test func workStopsWhenItsLastBranchIsGone() {
        let (root, note) = work()
        let (a, b) = (root.map { $0 + 1 }, root.map { $0 + 2 })
        a.cancel()
        #expect(note.elements.isEmpty)
        b.cancel()
        #expect(note.elements == ["stopped"])
    }

    @Test func otherBranchStillHearsTheValue() async throws {
        let (root, note) = work()
        let (a, b) = (root.map { $0 + 1 }, root.map { $0 + 2 })
        a.onCanceled { note("a canceled") }.onCompleted { _ in note("a completed") }
        a.cancel()
        root.emit(1)
        #expect(try await b.value == 3)
        #expect(note.elements == ["a canceled"])
    }

    @Test func ownListenersAreOneBranch() {
        let (root, note) = work()
        root.onCompleted { _ in note("completed") }
        root.map { $0 + 1 }.cancel()
        #expect(note.elements.isEmpty)  // the root's own listener still waits
        root.emit(1)
        #expect(note.elements == ["completed"])
    }

    @Test func cancelOfDerivedTakesItsOwnListenersOnly() {
        let (root, note) = work()
        let parent = root.map { $0 + 1 }
        parent.onCanceled { note("parent canceled") }.defer { note("parent deferred") }
        parent.map { $0 + 1 }.onCompleted { note("child completed with \($0)") }
        parent.cancel()
        #expect(note.elements == ["parent canceled", "parent deferred"])
        root.emit(1)
        #expect(note.elements == ["parent canceled", "parent deferred", "child completed with 3"])
    }

    @Test func cancelGoesUpALongChain() {
        let (root, note) = work()
        var last = root.map { $0 + 1 }
        for _ in 0..<50 { last = last.map { $0 + 1 } }
        last.onCompleted { _ in note("completed") }
        last.cancel()
        #expect(note.elements == ["stopped"])
    }

    /// A poll that starts itself again by `map`, ten thousand times: cancel finds its way to the last try.
    @Test func cancelGoesDownALongChainOfCalls() {
        let (last, note) = work()
        var tries: [Context<Int>] = []
        func poll(_ left: Int) -> Observer<Int> {
            let context = left == 0 ? last : Context<Int>()
            tries.append(context)
            return left == 0 ? context : context.map { _ in poll(left - 1) }
        }
        let call = poll(10_000)
        for index in 0..<10_000 { tries[index].emit(index) }
        #expect(note.elements.isEmpty)
        call.cancel()
        #expect(note.elements == ["stopped"])
    }

    /// Values that a body holds are released outside of any lock, since their deinit may call the same observer.
    @Test func whatABodyHoldsMayCancelWhenItIsLetGo() {
        final class Last: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
            deinit { body() }
        }
        let (root, note) = work()
        root.onCompleted { _ in }
        let derived: Observer<Int>
        do {
            let last = Last { root.cancel() }
            derived = root.map { value in
                withExtendedLifetime(last) {}
                return value
            }
        }
        derived.cancel()
        #expect(note.elements == ["stopped"])
    }

    @Test func lettingGoDoesNotCancel() {
        let (root, note) = work()
        do { _ = root.map { $0 + 1 }.onCompleted { note("completed with \($0)") } }
        root.emit(1)
        #expect(note.elements == ["completed with 2"])
    }

    @Test func cancelAfterTheEndDoesNothing() {
        let (root, note) = work()
        let derived = root.map { $0 + 1 }
        derived.onCanceled { note("canceled") }
        root.emit(1)
        derived.cancel()
        root.cancel()
        #expect(note.elements.isEmpty)
    }

    @Test func cancelReachesTheCallThatMapStarted() {
        let (outer, outerNote) = work()
        let (inner, innerNote) = work()
        let derived = outer.map { _ in inner as Observer<Int> }
        outer.emit(1)
        derived.cancel()
        #expect(innerNote.elements == ["stopped"])
        #expect(outerNote.elements.isEmpty)
    }

    @Test func cancelReachesTheCallThatRecoveryStarted() {
        let (inner, note) = work()
        let derived = Observer<Int>.emit(error: Failure()).recover { _ in inner }
        derived.cancel()
        #expect(note.elements == ["stopped"])
    }

    @Test func cancelOfACombinationLeavesBoth() {
        let ((a, noteA), (b, noteB)) = (work(), work())
        a.combine(b).cancel()
        #expect(noteA.elements == ["stopped"])
        #expect(noteB.elements == ["stopped"])
    }

    @Test func cancelledWaiterLeavesAlone() async throws {
        let (root, note) = work()
        let other: Observer<Int> = root.map { $0 }
        let (waits, waiting) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            waiting.yield()
            return try await root.value
        }
        for await _ in waits.prefix(1) {}
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(note.elements.isEmpty)
        root.emit(4)
        #expect(try await other.value == 4)
    }

    @Test func lastCancelledWaiterStopsTheWork() async {
        let (root, note) = work()
        let task = Task { try await root.value }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(note.elements == ["stopped"])
    }

    @Test func cancelReachesTheTaskOfANode() async {
        let (started, isStarted) = AsyncStream.makeStream(of: Void.self)
        let note = Recorder<String>()
        let node = AnyNode<Int, Int> { _ in
            try await withTaskCancellationHandler {
                // The handler is in place: a cancellation runs it before `cancel` returns.
                isStarted.yield()
                return try await untilCancelled()
            } onCancel: {
                note("canceled")
            }
        }
        let call: Observer<Int> = node.start(1)
        for await _ in started.prefix(1) {}
        call.map { $0 + 1 }.cancel()
        await call.ended()
        #expect(note.elements == ["canceled"])
    }

    @Test func cancelIsNeverAnothersCall() async throws {
        let gate = Context<Void>()
        // The gate has a branch of its own: a canceled call may be the only one that waits for it yet.
        gate.onCompleted { _ in }
        let node = AnyNode<Int, Int> { input in
            try await gate.value
            return input
        }
        let calls: [Observer<Int>] = (0..<10).map { node.start($0) }
        for index in stride(from: 0, to: 10, by: 2) { calls[index].cancel() }
        gate.emit(())
        for (index, call) in calls.enumerated() {
            if index.isMultiple(of: 2) {
                await #expect(throws: CancellationError.self) { try await call.value }
            } else {
                #expect(try await call.value == index)
            }
        }
    }

    @Test func nodeThatThrowsCancellationEndsWithCancel() async {
        let note = Recorder<String>()
        let node = AnyNode<Int, Int> { _ in throw CancellationError() }
        let call: Observer<Int> = node.start(1)
        call.onError { _ in note("error") }.onCanceled { note("canceled") }
        await call.ended()
        #expect(note.elements == ["canceled"])
    }

    /// Branches leave and come from many threads while the root ends: stopped at most once, nobody left behind.
    @Test func branchesLeaveUnderRaces() {
        for round in 0..<300 {
            let (root, note) = work()
            let branches = (0..<6).map { index in root.map { $0 + index } }
            let ends = Recorder<Int>()
            for (index, branch) in branches.enumerated() { branch.defer { ends(index) } }
            DispatchQueue.concurrentPerform(iterations: 7) { thread in
                if thread < 6 { branches[thread].cancel() } else if round.isMultiple(of: 2) { root.emit(1) }
            }
            #expect(ends.elements.sorted() == Array(0..<6))
            #expect(note.elements.count <= 1)
            if !round.isMultiple(of: 2) { #expect(note.elements == ["stopped"]) }
        }
    }
}
