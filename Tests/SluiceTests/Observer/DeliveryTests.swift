import Dispatch
import Foundation
import Sluice
import Synchronization
import Testing

/// A presenter as an app has it: everything that it registers must run on the main actor.
@MainActor
final class Presenter {
    var shown: [String] = []

    func load(_ node: some Node<Int, Int>, _ done: @escaping @MainActor () -> Void) -> Observer<Int> {
        let call: Observer<Int> = node.start(4)
        call
            .map { value -> String in
                MainActor.preconditionIsolated()
                self.shown.append("map")
                return "\(value)"
            }
            .onCompleted { [weak self] text in
                MainActor.preconditionIsolated()
                self?.shown.append(text)
            }.onError { [weak self] error in
                MainActor.preconditionIsolated()
                self?.shown.append("\(error)")
            }.defer { [weak self] in
                MainActor.preconditionIsolated()
                self?.shown.append("over")
                done()
            }
        return call
    }

    /// Registered late, on the actor itself: called before the next line.
    func late(_ call: Observer<Int>) {
        call.onCompleted { self.shown.append("late \($0)") }
        shown.append("next line")
    }

    func recovering(_ call: Observer<Int>) -> Observer<Int> {
        call
            .mapError { error in
                MainActor.preconditionIsolated()
                self.shown.append("mapError")
                return error
            }
            .recover { _ in
                MainActor.preconditionIsolated()
                self.shown.append("recover")
                return .emit(data: 5)
            }
    }

    func adults(_ call: Observer<[Int]>) -> Observer<[Int]> {
        call.filter { age in
            MainActor.preconditionIsolated()
            return age >= 18
        }
    }
}

actor Counter {
    private(set) var count = 0
    func listen(_ call: Observer<Int>, _ done: @escaping @Sendable () -> Void) {
        call.onCompleted {
            self.preconditionIsolated()
            self.count += $0
        }.defer(done)
    }
}

/// Bodies written on an actor run on that actor, always; others on the queue of the last dispatch, else on the thread
/// that ends the call.
@Suite struct DeliveryTests {
    static let key = DispatchSpecificKey<String>()

    func queue(_ name: String) -> DispatchQueue {
        let queue = DispatchQueue(label: name)
        queue.setSpecific(key: Self.key, value: name)
        return queue
    }

    @Test func presenterIsToldOnTheMainActor() async {
        let presenter = Presenter()
        await withCheckedContinuation { continuation in
            Task { @MainActor in
                _ = presenter.load(AnyNode { $0 * 2 }) { continuation.resume() }
            }
        }
        #expect(await presenter.shown == ["map", "8", "over"])
    }

    /// The end comes from another thread, in between the registrations.
    @Test func presenterKeepsItsOrder() async {
        for _ in 0..<100 {
            let presenter = Presenter()
            let context = Context<Int>()
            let node = Answer(context: context)
            DispatchQueue.global().async { context.emit(3) }
            await withCheckedContinuation { continuation in
                Task { @MainActor in
                    _ = presenter.load(node) { continuation.resume() }
                }
            }
            #expect(await presenter.shown == ["map", "3", "over"])
        }
    }

    @Test func lateListenerOnTheActorIsToldAtOnce() async {
        let presenter = Presenter()
        await presenter.late(.emit(data: 1))
        #expect(await presenter.shown == ["late 1", "next line"])
    }

    @Test func recoveryAndErrorBodiesRunOnTheirActor() async throws {
        let presenter = Presenter()
        let context = Context<Int>()
        let call = await presenter.recovering(context)
        DispatchQueue.global().async { context.emit(error: Failure()) }
        #expect(try await call.value == 5)
        #expect(await presenter.shown == ["mapError", "recover"])
    }

    @Test func elementFilterRunsOnItsActor() async throws {
        let presenter = Presenter()
        let context = Context<[Int]>()
        let call = await presenter.adults(context)
        DispatchQueue.global().async { context.emit([17, 18, 40]) }
        #expect(try await call.value == [18, 40])
    }

    @Test func anyActorWillDo() async {
        let (counter, context) = (Counter(), Context<Int>())
        await withCheckedContinuation { continuation in
            Task {
                await counter.listen(context) { continuation.resume() }
                DispatchQueue.global().async { context.emit(7) }
            }
        }
        #expect(await counter.count == 7)
    }

    @Test func actorWinsOverDispatch() async {
        let (counter, context) = (Counter(), Context<Int>())
        await withCheckedContinuation { continuation in
            Task {
                await counter.listen(context.dispatch(on: .global())) { continuation.resume() }
                context.emit(7)
            }
        }
        #expect(await counter.count == 7)
    }

    @Test func withoutDispatchOnTheThreadThatEnds() async {
        let (context, note, ending) = (Context<Int>(), Recorder<String>(), queue("ending"))
        context.map { value in
            note("map on \(DispatchQueue.getSpecific(key: Self.key) ?? "none")")
            return value
        }.onCompleted { _ in note("completed on \(DispatchQueue.getSpecific(key: Self.key) ?? "none")") }
        ending.async { context.emit(1) }
        await context.ended()
        ending.sync {}
        #expect(note.elements == ["map on ending", "completed on ending"])
    }

    @Test func dispatchMovesAllThatFollows() async {
        let (context, note) = (Context<Int>(), Recorder<String>())
        let (ending, first, second) = (queue("ending"), queue("first"), queue("second"))
        let place: @Sendable (String) -> Void = {
            note("\($0) on \(DispatchQueue.getSpecific(key: Self.key) ?? "none")")
        }
        let call =
            context
            .map { value in
                place("map")
                return value
            }
            .dispatch(on: first)
            .map { (value: Int) in
                place("map")
                return value
            }
            .map { (value: Int) -> Observer<Int> in
                place("start")
                return .emit(data: value)
            }
            .dispatch(on: second)
            .onCompleted { _ in place("completed") }
        ending.async { context.emit(1) }
        await call.ended()
        #expect(note.elements == ["map on ending", "map on first", "start on first", "completed on second"])
    }

    @Test func awaitNeverTouchesMain() async throws {
        // The main queue is held while a value passes through a dispatched observer and `await`.
        let context = Context<Int>()
        let (held, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        DispatchQueue.main.async {
            held.signal()
            release.wait()
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                held.wait()
                continuation.resume()
            }
        }
        DispatchQueue.global().async { context.emit(1) }
        #expect(try await context.map { $0 + 1 }.value == 2)
        release.signal()
    }
}

private struct Answer: ObserverNode<Int, Int> {
    let context: Context<Int>
    func start(_ input: Int) -> Observer<Int> { context }
}
