import Dispatch
import Sluice
import SluiceFilters

/// The number of calls of one run, which is large enough that starting its task does not count.
let calls = 2000

/// The node behind every filter: the compiler does not look into it.
struct Leaf: Node {
    @inline(never)
    nonisolated(nonsending) func process(_ input: Int) async throws -> Int { input &+ 1 }
}

/// A leaf that really waits once.
struct WaitingLeaf: Node {
    @inline(never)
    nonisolated(nonsending) func process(_ input: Int) async throws -> Int {
        await Task.yield()
        return input
    }
}

/// A filter with nothing to do.
struct Nothing: SimpleFilter<Int, Int> {
    nonisolated(nonsending) func process(_ request: Int, next: some Node<Int, Int>) async throws -> Int {
        try await next.process(request)
    }
}

/// A filter with nothing to do and a long type, as filters of libraries have.
struct Wide<Request: Sendable, Response: Sendable, Setting: Sendable>: SimpleFilter<Request, Response> {
    let setting: Setting
    nonisolated(nonsending) func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        let response = try await next.process(request)
        return response
    }
}

/// Runs a body to its end in a task.
func runInTask(_ body: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task {
        await body()
        done.signal()
    }
    done.wait()
}

/// Calls a node often; the loop knows its type.
func calling<N: Node>(_ node: N) -> () -> Void where N.Input == Int, N.Output == Int {
    {
        runInTask {
            var value = 0
            for _ in 0..<calls { value = (try? await node.process(value)) ?? 0 }
            keep(value)
        }
    }
}

/// Calls a node often through an existential.
func callingAny(_ node: any Node<Int, Int>) -> () -> Void {
    {
        runInTask {
            var value = 0
            for _ in 0..<calls { value = (try? await node.process(value)) ?? 0 }
            keep(value)
        }
    }
}

/// Makes the same synchronous call often.
private func repeating(_ body: @escaping () -> Void) -> () -> Void {
    { for _ in 0..<calls { body() } }
}

/// The costs of filters; the first peer is the one that the issue compares with.
func filterRows() -> [Row] {
    let one = Peer(name: "one call", run: callingAny(Leaf()))
    func row(_ name: String, _ peers: Peer...) -> Row {
        Row(group: "filters", name: name, bytes: 0, peers: [one] + peers, operations: calls)
    }
    let (combine, futures) = (combinePeers(), futurePeers())
    let budget = RetryBudget()
    let retry = RetryFilter<Int, Int>(maxAttempts: 3, backoff: .none, budget: RetryBudget())
    return [
        Row(
            group: "filters",
            name: "ten with nothing to do, static",
            bytes: 0,
            peers: [
                Peer(name: "functions", run: calling(NestedFunctions())),
                Peer(name: "Sluice", run: calling(tenStatic())),
            ],
            operations: calls
        ),
        Row(
            group: "filters",
            name: "ten with long types, left to right",
            bytes: 0,
            peers: [
                Peer(name: "functions", run: calling(NestedFunctions())),
                Peer(name: "Sluice", run: calling(tenWide())),
            ],
            operations: calls
        ),
        Row(
            group: "filters",
            name: "ten with nothing to do, erased",
            bytes: 0,
            peers: [
                Peer(name: "ten calls", run: tenCalls()),
                Peer(name: "Sluice", run: calling(tenErased())),
                Peer(name: "any filters", run: calling(tenAnyFilters())),
            ],
            operations: calls
        ),
        row("timeout", Peer(name: "Sluice", run: calling(TimeoutFilter(.seconds(10)).andThen(Leaf())))),
        Row(
            group: "filters",
            name: "timeout of work that waits",
            bytes: 0,
            peers: [Peer(name: "Sluice", run: calling(TimeoutFilter(.seconds(10)).andThen(WaitingLeaf())))],
            operations: calls
        ),
        row(
            "retry",
            Peer(name: "Sluice", run: calling(RetryFilter(maxAttempts: 3).andThen(Leaf()))),
            Peer(name: "with budget", run: calling(retry.andThen(Leaf())))
        ),
        row("hedge", Peer(name: "Sluice", run: calling(HedgeFilter().andThen(Leaf())))),
        row("budget deposit", Peer(name: "Sluice", run: repeating { budget.deposit() })),
    ].map { row in
        var row = row
        let (combine, promise) = (combine[row.name], futures[row.name])
        // A row without a first peer of its own is compared with NIO.
        let peers = row.peers.count > 1 ? row.peers + [combine, promise] : [promise] + row.peers + [combine]
        row.peers = peers.compactMap(\.self)
        return row
    }
}

private func tenStatic() -> some Node<Int, Int> {
    Nothing().andThen(Nothing()).andThen(Nothing()).andThen(Nothing()).andThen(Nothing()).andThen(Nothing())
        .andThen(Nothing()).andThen(Nothing()).andThen(Nothing()).andThen(Nothing()).andThen(Leaf())
}

private func tenWide() -> some Node<Int, Int> {
    func wide() -> Wide<Int, Int, [String: [Int: [String]]]> { Wide(setting: [:]) }
    return wide().andThen(wide()).andThen(wide()).andThen(wide()).andThen(wide()).andThen(wide()).andThen(wide())
        .andThen(wide()).andThen(wide()).andThen(wide()).andThen(Leaf())
}

private func tenErased() -> AnyNode<Int, Int> {
    (0..<10).reduce(AnyNode(Leaf())) { node, _ in AnyNode(Nothing().andThen(node)) }
}

private func tenAnyFilters() -> AnyNode<Int, Int> {
    [AnyFilter](repeating: AnyFilter(Nothing()), count: 10).reduce(AnyNode(Leaf())) { $1.andThen($0) }
}

/// Ten async functions, each calling the next.
private struct NestedFunctions: Node {
    nonisolated(nonsending) func process(_ input: Int) async throws -> Int { try await f10(input) }
}

nonisolated(nonsending) private func f1(_ x: Int) async throws -> Int { try await Leaf().process(x) }
nonisolated(nonsending) private func f2(_ x: Int) async throws -> Int { try await f1(x) }
nonisolated(nonsending) private func f3(_ x: Int) async throws -> Int { try await f2(x) }
nonisolated(nonsending) private func f4(_ x: Int) async throws -> Int { try await f3(x) }
nonisolated(nonsending) private func f5(_ x: Int) async throws -> Int { try await f4(x) }
nonisolated(nonsending) private func f6(_ x: Int) async throws -> Int { try await f5(x) }
nonisolated(nonsending) private func f7(_ x: Int) async throws -> Int { try await f6(x) }
nonisolated(nonsending) private func f8(_ x: Int) async throws -> Int { try await f7(x) }
nonisolated(nonsending) private func f9(_ x: Int) async throws -> Int { try await f8(x) }
nonisolated(nonsending) private func f10(_ x: Int) async throws -> Int { try await f9(x) }

/// Ten calls through an existential, one after the other.
private func tenCalls() -> () -> Void {
    let node: any Node<Int, Int> = Leaf()
    return {
        runInTask {
            var value = 0
            for _ in 0..<calls { for _ in 0..<10 { value = (try? await node.process(value)) ?? 0 } }
            keep(value)
        }
    }
}
