internal import Foundation
public import Sluice
public import SluiceFilters

/// A simulation of real nodes and filters against simulated endpoints, in simulated time.
///
/// ```swift
/// let usual = Latency.normal(mean: .milliseconds(167), deviation: .milliseconds(5))
/// var endpoints = (1...10).map { SimulatedEndpoint("\($0)", latency: usual) }
/// endpoints.append(SimulatedEndpoint("slow", latency: .constant(.seconds(2))))
/// let simulation = Simulation(of: .seconds(60), arrivals: .every(.milliseconds(1)), endpoints: endpoints)
/// let report = try await simulation.run { world in
///     Balancer(.peakEWMA(), over: world.endpoints, clock: world.clock, random: world.random) { $0 }
/// }
/// print(report)  // calls     60000, 100.00 % well, 1.000 tries each …
/// ```
///
/// The simulated code is the code that ships: the tasks of the stack run one after the other on one thread, in the
/// order in which they become ready, and when none is ready the clock jumps to the next deadline. The same seed gives
/// the same events. A stack can be simulated if it takes its time from ``World/clock`` and its randomness from
/// ``World/random``, and waits only for tasks and that clock: no dispatch queue, no main actor, no file.
public struct Simulation: Sendable {
    /// The surroundings of a simulated stack.
    public struct World: Sendable {
        /// The clock, which every filter should use.
        public let clock: SimulatedClock
        /// The random source for filters.
        public let random: RandomSource
        /// The endpoints, in order; each is a node.
        public let endpoints: [SimulatedNode]
        /// The number of the client, from 0.
        public let client: Int
    }

    private let duration: Duration
    private let arrivals: Arrivals
    private let endpoints: [SimulatedEndpoint]
    private let clients: Int
    private let slice: Duration
    private let patience: Duration
    private let seed: UInt64

    /// Creates a simulation.
    ///
    /// - Parameters:
    ///   - duration: The time during which calls begin.
    ///   - arrivals: The times at which they begin; the first begins at the start, unless its caller thinks first.
    ///   - endpoints: The models of the endpoints.
    ///   - clients: The number of stacks, each with a state of its own; the calls, or the callers, go to them in turns.
    ///     Below 1 counts as 1.
    ///   - slice: The length of a slice of the report.
    ///   - patience: The time after the last arrival within which all calls must have ended.
    ///   - seed: The seed of all randomness. Arrivals, endpoints, and filters have separate sequences, so that two
    ///     stacks with the same seed receive the same calls.
    public init(
        of duration: Duration,
        arrivals: Arrivals,
        endpoints: [SimulatedEndpoint],
        clients: Int = 1,
        slice: Duration = .seconds(1),
        patience: Duration = .seconds(3600),
        seed: UInt64 = 1
    ) {
        self.duration = duration
        self.arrivals = arrivals
        self.endpoints = endpoints
        self.clients = max(clients, 1)
        self.slice = slice
        self.patience = patience
        self.seed = seed
    }

    /// Runs the simulation; returns when all calls have ended.
    ///
    /// - Parameter makeClient: A closure that returns the stack of a client. It is called once for each client, on the
    ///   thread of the simulation. A call's input is its number, from 0; an endpoint's output is its name.
    /// - Returns: A report.
    /// - Throws: ``SimulationError/stalled(unfinished:at:)`` if calls do not end; the error of `makeClient`;
    ///   `CancellationError`.
    /// - Cancellation: Ends the simulation between two steps.
    /// - Executor: Everything runs on a thread of its own.
    nonisolated(nonsending) public func run<Client: Node>(
        _ makeClient: @escaping @Sendable (World) throws -> Client
    ) async throws -> SimulationReport where Client.Input == Int, Client.Output == String {
        let isCanceled = Locked(false)
        let result = PendingCall<SimulationReport>()
        // It runs for long without waiting, so not on a thread that other tasks need.
        Thread.detachNewThread {
            result.end(Result { try run(makeClient, while: { !isCanceled.withLock { $0 } }) })
        }
        do { return try await result.value() } catch {
            isCanceled.withLock { $0 = true }
            throw error
        }
    }

    private func run<Client: Node>(
        _ makeClient: (World) throws -> Client,
        while isWanted: () -> Bool
    ) throws -> SimulationReport where Client.Input == Int, Client.Output == String {
        let clock = SimulatedClock()
        let seeds = RandomSource(seed: seed)
        let (arrivalSeed, endpointSeed, filterSeed) = (seeds.next(), seeds.next(), seeds.next())
        let recorder = SimulationRecorder(slice: slice, endpoints: endpoints)
        let endpointRandom = RandomSource(seed: endpointSeed)
        let random = RandomSource(seed: filterSeed)
        var calls: SimulatedCalls<Client>?
        var isStalled = false
        let end = duration.nanoseconds
        try TaskCapture.run {
            let nodes = try endpoints.enumerated().map { index, model in
                SimulatedNode(
                    endpoint: try RunningEndpoint(
                        model,
                        index: index,
                        clock: clock,
                        random: endpointRandom,
                        recorder: recorder
                    )
                )
            }
            let stacks = try (0..<clients).map { client in
                try makeClient(World(clock: clock, random: random, endpoints: nodes, client: client))
            }
            let random = RandomSource(seed: arrivalSeed)
            let arriving = SimulatedCalls(stacks, arrivals, random, until: end, clock, recorder)
            calls = arriving
            arriving.begin()
        } idle: {
            if !isWanted() { return false }
            if let calls, calls.areOver, recorder.running == 0 { return false }
            if clock.fireNext(until: end.advanced(byClamping: patience.nanoseconds)) { return true }
            isStalled = true
            return false
        }
        if isStalled { throw SimulationError.stalled(unfinished: recorder.running, at: .nanoseconds(clock.elapsed)) }
        clock.removeAll()
        return recorder.report
    }
}

/// An error that explains why a ``Simulation`` has no report.
public enum SimulationError: Error, Equatable, CustomStringConvertible {
    /// Calls wait for something that never comes.
    case stalled(unfinished: Int, at: Duration)
    /// The concurrency runtime of this platform does not reveal which tasks are ready.
    case unsupported

    /// The text of the error: `3 calls did not end by 60.0 seconds: they wait for something outside of the simulation`.
    public var description: String {
        switch self {
        case .stalled(let count, let time):
            "\(count) calls did not end by \(time): they wait for something outside of the simulation"
        case .unsupported: "this platform's concurrency runtime cannot be simulated"
        }
    }
}
