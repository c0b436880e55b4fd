public import Sluice
internal import SluiceFilters

/// An endpoint of a running ``Simulation``: it takes the number of a call and returns its own name.
public struct SimulatedNode: Node, Hashable, CustomStringConvertible {
    let endpoint: RunningEndpoint

    /// Returns the endpoint's name, or fails, as its ``SimulatedEndpoint`` describes.
    ///
    /// - Throws: ``SimulatedError``; the errors of the endpoint's own filters.
    /// - Cancellation: Ends the call immediately and frees its place.
    nonisolated(nonsending) public func process(_ input: Int) async throws -> String {
        try await endpoint.answer(input)
    }

    /// Returns a Boolean value that indicates whether both are the same endpoint.
    public static func == (a: SimulatedNode, b: SimulatedNode) -> Bool { a.endpoint === b.endpoint }

    /// Hashes the identity of the endpoint.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(endpoint)) }

    /// The name of the endpoint.
    public var description: String { endpoint.model.name }
}

/// A running endpoint.
final class RunningEndpoint: Sendable {
    let model: SimulatedEndpoint
    private let clock: SimulatedClock
    private let timer: CallTimer
    private let random: RandomSource
    private let recorder: SimulationRecorder
    private let index: Int
    private let server: (any SimpleFilter<Int, String>)?
    private let state = Locked((running: 0, line: [(id: Int, call: PendingCall<Void>)](), lastID: 0))

    init(
        _ model: SimulatedEndpoint,
        index: Int,
        clock: SimulatedClock,
        random: RandomSource,
        recorder: SimulationRecorder
    ) throws {
        self.model = model
        self.index = index
        self.clock = clock
        self.random = random
        self.recorder = recorder
        timer = .of(clock)
        server = try model.server?(clock, random)
    }

    nonisolated(nonsending) func answer(_ input: Int) async throws -> String {
        recorder.tryBegan(index, at: clock.elapsed)
        do {
            let answer: String
            if let server {
                answer = try await server.process(input, next: Work(endpoint: self))
            } else {
                answer = try await work()
            }
            recorder.tryEnded(index, .success)
            return answer
        } catch {
            recorder.tryEnded(index, SimulationRecorder.End(error))
            throw error
        }
    }

    /// The work that the server's filters surround.
    private struct Work: Node {
        let endpoint: RunningEndpoint

        nonisolated(nonsending) func process(_ input: Int) async throws -> String { try await endpoint.work() }
    }

    nonisolated(nonsending) private func work() async throws -> String {
        try await enter()
        defer { leave() }
        let time = Duration.nanoseconds(clock.elapsed)
        let fails = random.double() < model.failing(time)
        try await timer.sleep(for: model.latency.sample(time, random))
        if fails { throw SimulatedError(endpoint: model.name) }
        return model.name
    }

    /// Takes a place, or waits in line for one.
    nonisolated(nonsending) private func enter() async throws {
        let waiting = state.withLock { state -> (Int, PendingCall<Void>)? in
            if state.running < model.capacity {
                state.running += 1
                return nil
            }
            let call = PendingCall<Void>()
            state.lastID += 1
            state.line.append((state.lastID, call))
            return (state.lastID, call)
        }
        guard let (id, call) = waiting else { return }
        do { try await call.value() } catch {
            state.withLock { $0.line.removeAll { $0.id == id } }
            throw error
        }
    }

    /// Passes its place to the next waiting call.
    private func leave() {
        state.withLock { state in
            while !state.line.isEmpty {
                if state.line.removeFirst().call.end(.success(())) { return }
            }
            state.running -= 1
        }
    }
}
