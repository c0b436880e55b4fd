internal import Sluice
internal import SluiceFilters

extension FilterLaws {
    func identity() async -> String? {
        for script in LawNode<F.RequestOut, F.ResponseIn>.scripts(answer) {
            let alone = await outcome(filter().andThen(script()))
            let within = await outcome(Untouching<F.RequestIn, F.ResponseOut>().andThen(filter()).andThen(script()))
            let around = await outcome(filter().andThen(Untouching<F.RequestOut, F.ResponseIn>()).andThen(script()))
            if within != alone { return "behind a filter that does nothing it \(within), alone it \(alone)" }
            if around != alone { return "before a filter that does nothing it \(around), alone it \(alone)" }
        }
        return nil
    }

    func associativity() async -> String? {
        for script in LawNode<F.RequestOut, F.ResponseIn>.scripts(answer) {
            let (left, right) = (Trace(), Trace())
            func outer(_ trace: Trace) -> Untouching<F.RequestIn, F.ResponseOut> { Untouching("outer", trace) }
            func inner(_ trace: Trace) -> Untouching<F.RequestOut, F.ResponseIn> { Untouching("inner", trace) }
            let one = await outcome(outer(left).andThen(filter()).andThen(inner(left)).andThen(script()))
            let other = await outcome(outer(right).andThen(filter().andThen(inner(right))).andThen(script()))
            if one != other { return "(a.b).c \(one), a.(b.c) \(other)" }
            if left.all != right.all { return "(a.b).c calls \(left.all), a.(b.c) \(right.all)" }
        }
        return nil
    }

    func errors() async -> String? {
        let node = LawNode<F.RequestOut, F.ResponseIn>()
        node.end(.failure(UnrelatedError()))
        let outcome = await outcome(filter().andThen(node))
        return outcome == .failed("UnrelatedError()") ? nil : "of an error that it has no part in it \(outcome)"
    }

    func cancel() async -> String? {
        let node = LawNode<F.RequestOut, F.ResponseIn>()
        let call = Running(filter().andThen(node), request)
        guard await drive(until: { node.begun > 0 || call.outcome != nil }), node.begun > 0 else {
            return "it did not call"
        }
        call.task.cancel()
        guard await drive(until: { call.outcome != nil }) else { return "the call does not end" }
        guard await settles({ node.running == 0 }) else { return "it does not reach the work" }
        if call.outcome != .failed("CancellationError()") { return "the call \(outcomeText(call))" }
        if !(await settles({ clock.untilNext == nil })) { return "a wait is left behind" }
        return node.begun == 1 ? nil : "it called \(node.begun) times"
    }

    func others() async -> String? {
        let node = LawNode<F.RequestOut, F.ResponseIn>()
        let stack = filter().andThen(node)
        let first = Running(stack, request)
        guard await drive(until: { node.begun > 0 || first.outcome != nil }), node.begun > 0 else {
            return "it did not call"
        }
        let second = Running(stack, request)
        for _ in 0..<200 { await Task.yield() }
        first.task.cancel()
        // Without the clock: advancing time may end the other call.
        guard await settles({ first.outcome != nil }) else { return "the canceled call does not end" }
        for _ in 0..<200 { await Task.yield() }
        if let outcome = second.outcome { return "the other call \(outcome)" }
        node.end(.success(answer))
        guard await drive(until: { second.outcome != nil }) else { return "the other call does not end" }
        guard case .answered = second.outcome else { return "the other call \(outcomeText(second))" }
        return nil
    }

    func ends() async -> String? {
        for script in LawNode<F.RequestOut, F.ResponseIn>.scripts(answer) {
            let stack = filter().andThen(script())
            let calls = (0..<10).map { _ in Running(stack, request) }
            guard await drive(until: { calls.allSatisfy { $0.outcome != nil } }) else {
                return "\(calls.count { $0.outcome == nil }) of 10 calls at once do not end"
            }
        }
        return nil
    }

    func timeout() async -> String? {
        let node = LawNode<F.RequestOut, F.ResponseIn>()
        let filter = filter()
        let limit = Duration.seconds(1)
        let call = Running(
            TimeoutFilter<F.RequestIn, F.ResponseOut>(limit, clock: clock).andThen(filter).andThen(node),
            request
        )
        guard await drive(until: { call.outcome != nil }) else { return "the call does not end" }
        if !(await settles({ node.running == 0 })) { return "the work continues" }
        if !(await settles({ clock.untilNext == nil })) { return "a wait is left behind" }
        let next = LawNode<F.RequestOut, F.ResponseIn>()
        next.end(.success(answer))
        let outcome = await outcome(filter.andThen(next))
        guard case .answered = outcome else { return "the next call \(outcome)" }
        return nil
    }
}

extension FilterLaws {
    enum Outcome: Equatable, CustomStringConvertible {
        case answered(F.ResponseOut)
        case failed(String)

        var description: String {
            switch self {
            case .answered(let answer): "answers \(answer)"
            case .failed(let error): "fails with \(error)"
            }
        }
    }

    /// A call in a task of its own.
    struct Running: Sendable {
        private let end: End
        let task: Task<Void, Never>

        private final class End: Sendable {
            let outcome = Locked<Outcome?>(nil)
        }

        init(_ node: some Node<F.RequestIn, F.ResponseOut>, _ request: F.RequestIn) {
            let end = End()
            self.end = end
            task = Task {
                let outcome: Outcome
                do { outcome = .answered(try await node.process(request)) } catch { outcome = .failed("\(error)") }
                end.outcome.withLock { $0 = outcome }
            }
        }

        var outcome: Outcome? { end.outcome.withLock { $0 } }
    }

    func outcomeText(_ call: Running) -> String { call.outcome.map { "\($0)" } ?? "does not end" }

    /// Calls the node once and waits for the end.
    func outcome(_ node: some Node<F.RequestIn, F.ResponseOut>) async -> Outcome {
        let call = Running(node, request)
        guard await drive(until: { call.outcome != nil }), let outcome = call.outcome else {
            call.task.cancel()
            return .failed("no end")
        }
        return outcome
    }

    /// Advances the clock whenever all tasks wait for it, until a condition is true.
    ///
    /// See ``Quiet`` for the decision that all tasks wait.
    func drive(until holds: () -> Bool) async -> Bool {
        var wait = Wait(patience)
        var quiet = Quiet()
        while !holds() {
            if wait.isOver(at: .now) { return false }
            await Task.yield()
            if quiet.isReached(at: .now), let next = clock.untilNext {
                clock.advance(by: next)
                quiet.restart(at: .now)
            }
        }
        return true
    }

    /// Waits, without advancing the clock, until a condition is true.
    func settles(_ holds: () -> Bool) async -> Bool {
        var wait = Wait(patience)
        while !holds() {
            if wait.isOver(at: .now) { return false }
            await Task.yield()
        }
        return true
    }
}
