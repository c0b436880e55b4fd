import Dispatch
import Sluice
import Testing

/// After `cancel()` returns on an actor, no listener of that branch on that actor is called with a value or an error,
/// even if one was already on its way.
@MainActor
@Suite struct CancelOnActorTests {
    /// A way to derive an observer; its bodies are declared on the main actor unless the name says otherwise.
    struct Derivation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let apply: @MainActor @Sendable (Observer<Int>, Log) -> Observer<Int>

        init(_ name: String, _ apply: @escaping @MainActor @Sendable (Observer<Int>, Log) -> Observer<Int>) {
            testDescription = name
            self.apply = apply
        }
    }

    /// The bodies that were called on the main actor, and the ends that its listeners heard.
    @MainActor
    final class Log {
        var events: [String] = []
        /// The calls that `map` and `recover` have started, which end later.
        var calls: [Context<Int>] = []

        func body(_ value: Int) -> Int {
            events.append("body")
            return value
        }

        func call() -> Observer<Int> {
            events.append("body")
            let call = Context<Int>()
            calls.append(call)
            return call
        }

        func listen(_ observer: Observer<Int>) {
            observer
                .onCompleted { _ in self.events.append("value") }
                .onError { _ in self.events.append("error") }
                .onCanceled { self.events.append("canceled") }
                .respond { result in
                    if case .failure(let error) = result, error is CancellationError { return }
                    self.events.append("result")
                }
                .defer { self.events.append("deferred") }
        }
    }

    nonisolated static let queue = DispatchQueue(label: "other")

    nonisolated static let derivations: [Derivation] = [
        Derivation("itself") { call, _ in call },
        Derivation("map") { call, log in call.map { log.body($0) } },
        Derivation("map on no actor") { call, _ in call.map(isolation: nil) { $0 + 1 } },
        Derivation("map to an ended call") { call, log in call.map { Observer<Int>.emit(data: log.body($0)) } },
        Derivation("map to a call") { call, log in call.map { _ in log.call() } },
        Derivation("map to a call on no actor") { call, log in
            let inner = Context<Int>()
            log.calls.append(inner)
            return call.map(isolation: nil) { _ in inner as Observer<Int> }
        },
        Derivation("map of the error") { call, log in
            call.map { (error: any Error) -> any Error in
                _ = log.body(0)
                return error
            }
        },
        Derivation("mapError") { call, log in
            call.mapError { error in
                _ = log.body(0)
                return error
            }
        },
        Derivation("recover") { call, log in call.recover { _ in .emit(data: log.body(0)) } },
        Derivation("recover by a call") { call, log in call.recover { _ in log.call() } },
        Derivation("filter") { call, log in
            call.map(isolation: nil) { [$0] }.filter { log.body($0) == $0 }.map(isolation: nil) { $0.first ?? 0 }
        },
        Derivation("dispatch") { call, _ in call.dispatch(on: queue) },
        Derivation("dispatch on the main queue") { call, _ in call.dispatch(on: .main) },
        Derivation("combine, first") { call, _ in call.combine(Observer<Int>.emit(data: 0)).map(isolation: nil) { $0.0 }
        },
        Derivation("combine, second") { call, _ in Context<Int>().emit(0).combine(call).map(isolation: nil) { $0.1 } },
        Derivation("combine with a pending call") { call, log in
            let other = Context<Int>()
            log.calls.append(other)
            return call.combine(other).map(isolation: nil) { $0.0 }
        },
        Derivation("chain") { call, log in
            call.chain { Observer<Int>.emit(data: log.body($0)) }.map(isolation: nil) { $0.0 }
        },
        Derivation("chain with a call") { call, log in call.chain { _ in log.call() }.map(isolation: nil) { $0.0 } },
    ]

    /// Every derivation, every two in a row, the root and the last one canceled, a value and an error, and a cancellation
    /// after each number of steps on the main actor.
    @Test(arguments: derivations)
    func nothingComesAfterCancel(_ first: Derivation) async {
        for second in Self.derivations {
            for isError in [false, true] {
                for cancelsRoot in [false, true] {
                    for steps in 0..<4 {
                        await run([first, second], isError: isError, cancelsRoot: cancelsRoot, steps: steps)
                    }
                }
            }
        }
    }

    func run(_ derivations: [Derivation], isError: Bool, cancelsRoot: Bool, steps: Int) async {
        let name = derivations.map(\.testDescription).joined(separator: ", ") + (isError ? ", error" : ", value")
        let place = "\(name), \(cancelsRoot ? "root" : "last") canceled after \(steps) steps"
        let (root, log) = (Context<Int>(), Log())
        let last = derivations.reduce(root as Observer<Int>) { $1.apply($0, log) }
        log.listen(last)
        let ended = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            if isError { root.emit(error: Failure()) } else { root.emit(1) }
            ended.signal()
        }
        block(until: ended)
        for step in 0..<steps {
            Self.queue.sync {}
            await Task.yield()
            if step == 2 { log.calls.forEach { $0.emit(5) } }
        }
        let before = log.events
        if cancelsRoot { root.cancel() } else { last.cancel() }
        let isOver = log.events.contains("deferred")
        if steps > 0 { Self.queue.sync {} }
        log.calls.forEach { $0.emit(6) }
        // The listener of `defer` is called in the end, whichever end it is.
        await until { log.events.contains("deferred") }
        for _ in 0..<4 { await Task.yield() }
        let after = log.events.dropFirst(before.count)
        #expect(log.events.filter { $0 == "deferred" }.count == 1, "\(place): \(log.events)")
        #expect(Set(after).isSubset(of: ["canceled", "deferred"]), "\(place): \(before) before, \(after) after")
        if !isOver {
            #expect(Set(log.events).isDisjoint(with: ["value", "error", "result"]), "\(place): \(log.events)")
        }
    }

    /// Blocks the main actor's thread, so that nothing runs on it meanwhile.
    private func block(until semaphore: DispatchSemaphore) { semaphore.wait() }

    /// The presenter of the issue.
    @Test func presenterThatLeaves() async {
        let (root, log) = (Context<Int>(), Log())
        let shown: Observer<String> = root.map { "\(log.body($0))" }
        shown.onCompleted { _ in log.events.append("shown") }.defer { log.events.append("over") }
        DispatchQueue.global().sync { _ = root.emit(1) }
        shown.cancel()
        await until { log.events.contains("over") }
        #expect(log.events == ["over"])
    }

    /// Another thread ends the call while `cancel()` runs: either end may win, and no value comes afterwards.
    @Test(arguments: [false, true])
    func cancelThatMeetsTheEnd(cancelsRoot: Bool) async {
        for round in 0..<2000 {
            let (root, log) = (Context<Int>(), Log())
            let last: Observer<Int> = root.map(isolation: nil) { $0 + 1 }
            log.listen(last)
            let begins = DispatchSemaphore(value: 0)
            let ended = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                begins.wait()
                root.emit(1)
                ended.signal()
            }
            begins.signal()
            // The two threads meet at another place in each round.
            for _ in 0..<(round % 200) { _ = log.events.isEmpty }
            if cancelsRoot { root.cancel() } else { last.cancel() }
            block(until: ended)
            await until { log.events.contains("deferred") }
            #expect(log.events == ["canceled", "deferred"])
        }
    }

    /// A nonisolated listener on the main queue, as an app without isolation has it.
    @Test func listenersOnAQueueToo() async {
        let (root, log) = (Context<Int>(), Recorder<String>())
        let call = root.dispatch(on: .main)
        call.onCompleted(isolation: nil) { _ in log("value") }.onCanceled(isolation: nil) { log("canceled") }
        root.emit(1)
        call.cancel()
        await call.ended()
        #expect(log.elements == ["canceled"])
    }

    /// Listeners that are called one after the other: the first one cancels.
    @Test func listenerThatCancels() async {
        let (root, log) = (Context<Int>(), Log())
        root.onCompleted { _ in
            log.events.append("first")
            root.cancel()
        }
        log.listen(root)
        root.emit(1)
        await until { log.events.contains("deferred") }
        #expect(log.events == ["first", "canceled", "deferred"])
    }

    /// A listener that comes after `cancel()`, and one that comes after everybody has heard the end.
    @Test func lateListeners() async {
        let (root, log) = (Context<Int>(), Log())
        log.listen(root)
        root.emit(1)
        root.cancel()
        let late = Log()
        late.listen(root)
        late.listen(root.map { $0 + 1 })
        await until { late.events.filter { $0 == "deferred" }.count == 2 }
        #expect(Set(late.events) == ["canceled", "deferred"])

        let (heard, other) = (Context<Int>(), Log())
        other.listen(heard)
        heard.emit(1)
        await until { other.events.contains("deferred") }
        for _ in 0..<10 { await Task.yield() }
        heard.cancel()
        other.listen(heard)
        #expect(other.events == ["value", "result", "deferred", "value", "result", "deferred"])
    }

    /// Cancel of a branch leaves the others, also while the end is on its way.
    @Test func otherBranchesHearTheValue() async {
        let (root, log, other) = (Context<Int>(), Log(), Log())
        let (branch, sibling) = (root.map { log.body($0) }, root.map { other.body($0) })
        log.listen(branch)
        other.listen(sibling)
        root.emit(1)
        branch.cancel()
        await until { other.events.contains("deferred") }
        #expect(other.events == ["body", "value", "result", "deferred"])
        #expect(log.events == ["canceled", "deferred"])
    }

    /// Cancel of a root reaches the work that `map` has started, after the root itself has ended.
    @Test func cancelOfAnEndedRootStopsTheCallThatFollows() {
        let (root, inner, note) = (Context<Int>(), Context<Int>(), Recorder<String>())
        inner.onCanceled(isolation: nil) { note("stopped") }
        let call = root.map(isolation: nil) { _ in inner as Observer<Int> }
        call.onCanceled(isolation: nil) { note("canceled") }
        root.emit(1)
        root.cancel()
        #expect(note.elements.sorted() == ["canceled", "stopped"])
    }
}

/// The same on an actor of one's own, with threads that race.
@Suite struct CancelRaceTests {
    actor Presenter {
        private(set) var isGone = false
        private(set) var faults = 0
        private(set) var ends = 0

        func show(_ call: Observer<Int>) {
            call.map { $0 + 1 }
                .onCompleted { _ in if self.isGone { self.faults += 1 } }
                .onError { _ in if self.isGone { self.faults += 1 } }
                .defer { self.ends += 1 }
        }

        func leave(_ call: Observer<Int>) {
            call.cancel()
            isGone = true
        }
    }

    @Test func noValueAfterLeaving() async {
        for round in 0..<300 {
            let (presenter, root) = (Presenter(), Context<Int>())
            await presenter.show(root)
            async let emitted: Void = Task.detached {
                if round.isMultiple(of: 2) { root.emit(1) } else { root.emit(error: Failure()) }
            }.value
            async let left: Void = presenter.leave(root)
            _ = await (emitted, left)
            await until { await presenter.ends == 1 }
            #expect(await presenter.faults == 0)
            #expect(await presenter.ends == 1)
        }
    }
}
