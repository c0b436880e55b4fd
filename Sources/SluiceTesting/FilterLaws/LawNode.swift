internal import Sluice

/// The stage behind a filter that is being checked, which waits for its result or for cancellation.
struct LawNode<Input: Sendable, Output: Sendable>: Node {
    private let state = State()

    private final class State: Sendable {
        let counts = Locked((begun: 0, running: 0))
        let gate = Context<Output>()
    }

    /// The number of calls that have begun.
    var begun: Int { state.counts.withLock { $0.begun } }
    /// The number of running calls.
    var running: Int { state.counts.withLock { $0.running } }

    /// Ends all current and future calls.
    func end(_ result: Result<Output, any Error>) {
        switch result {
        case .success(let answer): state.gate.emit(answer)
        case .failure(let error): state.gate.emit(error: error)
        }
    }

    func process(_ input: Input) async throws -> Output {
        state.counts.withLock { $0 = ($0.begun + 1, $0.running + 1) }
        defer { state.counts.withLock { $0.running -= 1 } }
        // A departing caller must not end the gate for the others, as the last branch would.
        let call = Context<Output>()
        state.gate.onCompleted(isolation: nil) { call.emit($0) }.onError(isolation: nil) { call.emit(error: $0) }
        return try await call.value
    }

    /// Returns factories of nodes that return a value, fail, or fail with cancellation.
    static func scripts(_ answer: Output) -> [() -> LawNode] {
        let results: [Result<Output, any Error>] = [
            .success(answer), .failure(UnrelatedError()), .failure(CancellationError()),
        ]
        return results.map { result in
            {
                let node = LawNode()
                node.end(result)
                return node
            }
        }
    }
}

/// A record of the stages that were called.
final class Trace: Sendable {
    private let names = Locked<[String]>([])
    func note(_ name: String) { names.withLock { $0.append(name) } }
    var all: [String] { names.withLock { $0 } }
}

/// A filter that only records that it was called.
struct Untouching<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response> {
    private let name: String
    private let trace: Trace?

    init(_ name: String = "", _ trace: Trace? = nil) {
        self.name = name
        self.trace = trace
    }

    func process(_ request: Request, next: some Node<Request, Response>) async throws -> Response {
        trace?.note(name)
        return try await next.process(request)
    }
}
