import Dispatch
import Sluice
import Testing

/// Nothing but the ending is kept after the end.
@Suite struct LifetimeTests {
    final class Payload: Sendable {}

    enum How: CaseIterable { case value, error, cancel }

    func end(_ context: Context<Int>, _ how: How) {
        switch how {
        case .value: context.emit(1)
        case .error: context.emit(error: Failure())
        case .cancel: context.cancel()
        }
    }

    @Test(arguments: How.allCases)
    func listenersAreLetGo(_ how: How) {
        let context = Context<Int>()
        weak var weakPayload: Payload?
        do {
            let payload = Payload()
            weakPayload = payload
            context.onCompleted { _ in withExtendedLifetime(payload) {} }
                .onError { _ in withExtendedLifetime(payload) {} }
                .onCanceled { withExtendedLifetime(payload) {} }
                .defer { withExtendedLifetime(payload) {} }
        }
        #expect(weakPayload != nil)
        end(context, how)
        #expect(weakPayload == nil)
    }

    @Test(arguments: How.allCases)
    func derivedObserversAreLetGo(_ how: How) {
        let context = Context<Int>()
        weak var weakDerived: Observer<(Int, Int)>?
        do {
            let derived = context.map { $0 + 1 }.recover { throw $0 }.combine(context.dispatch(on: .global()))
            weakDerived = derived
        }
        #expect(weakDerived != nil)
        end(context, how)
        // The dispatched half passes through a global queue: give it its time, and a leak an end.
        for _ in 0..<100_000 {
            guard let still = weakDerived else { break }
            wait(for: still)
        }
        #expect(weakDerived == nil)
    }

    private func wait(for observer: Observer<(Int, Int)>) {
        let semaphore = DispatchSemaphore(value: 0)
        observer.defer(isolation: nil) { semaphore.signal() }
        semaphore.wait()
    }

    @Test(arguments: How.allCases)
    func upstreamIsLetGo(_ how: How) {
        weak var weakRoot: Context<Int>?
        let derived: Observer<Int>
        do {
            let root = Context<Int>()
            weakRoot = root
            derived = root.map { $0 + 1 }
            end(root, how)
        }
        #expect(weakRoot == nil)
        withExtendedLifetime(derived) {}
    }

    @Test func cancelledBranchIsLetGo() {
        let root = Context<Int>()
        root.onCompleted { _ in }
        weak var weakBranch: Observer<Int>?
        weak var weakPayload: Payload?
        do {
            let payload = Payload()
            let branch = root.map { value in
                withExtendedLifetime(payload) {}
                return value
            }
            (weakBranch, weakPayload) = (branch, payload)
            branch.cancel()
        }
        #expect(weakBranch == nil)
        #expect(weakPayload == nil)
    }

    @Test func taskOfANodeIsLetGo() async throws {
        weak var weakPayload: Payload?
        let call: Observer<Int>
        do {
            let payload = Payload()
            weakPayload = payload
            let node = AnyNode<Int, Int> { input in
                withExtendedLifetime(payload) {}
                return input
            }
            call = node.start(1)
        }
        _ = try await call.value
        // The task lets go of the node when its last step has returned, a moment after it has ended the call.
        let end = ContinuousClock.now + .seconds(600)
        while weakPayload != nil, ContinuousClock.now < end { await Task.yield() }
        #expect(weakPayload == nil)
    }

    /// A call that nobody can end any more ends with cancel, so that nobody waits for ever.
    @Test func forgottenCallEndsWithCancel() async {
        let note = Recorder<String>()
        let derived: Observer<Int>
        do {
            let forgotten = Context<Int>()
            forgotten.onCanceled { note("canceled") }.defer { note("deferred") }
            derived = forgotten.map { $0 + 1 }
        }
        #expect(note.elements == ["canceled", "deferred"])
        await #expect(throws: CancellationError.self) { try await derived.value }
    }

    @Test func endedCallKeepsItsValueOnly() async throws {
        let context = Context<Payload>()
        weak var weakPayload: Payload?
        do {
            let payload = Payload()
            weakPayload = payload
            context.emit(payload)
        }
        #expect(try await context.value === weakPayload)
    }
}
