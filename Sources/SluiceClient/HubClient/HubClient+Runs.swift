import Foundation
import HTTPTypes
import SluiceHTTP
import SluiceJSON

extension HubClient {
    /// The run of a stream.
    nonisolated(nonsending) public func run(of id: String) async throws -> Run {
        try await send(request(.get, ["streams", id, "run"]))
    }

    /// Continues the run of a stream: one that is paused, or from its last checkpoint one that has failed or was stopped.
    @discardableResult
    nonisolated(nonsending) public func resume(_ id: String) async throws -> Run { try await act(id, "resume") }

    /// Begins a new run of a stream.
    @discardableResult
    nonisolated(nonsending) public func start(_ id: String) async throws -> Run { try await act(id, "start") }

    /// Ends the run of a stream.
    @discardableResult
    nonisolated(nonsending) public func stop(_ id: String) async throws -> Run { try await act(id, "stop") }

    /// Pauses the time of a run.
    @discardableResult
    nonisolated(nonsending) public func pause(_ id: String) async throws -> Run { try await act(id, "pause") }

    /// Takes a run to the next thing that is due, and pauses it there.
    @discardableResult
    nonisolated(nonsending) public func step(_ id: String) async throws -> Run { try await act(id, "step") }

    /// Discards the run of a stream: its state and its output.
    @discardableResult
    nonisolated(nonsending) public func reset(_ id: String) async throws -> Run { try await act(id, "reset") }

    /// Sets how fast a run goes.
    ///
    /// - Parameter speed: from 0.01 to 100; 1 is as the clock does.
    @discardableResult
    nonisolated(nonsending) public func setSpeed(of id: String, to speed: Double) async throws -> Run {
        try await act(id, "speed", ["speed": .double(speed)])
    }

    /// What a stream gave, from the hub's store.
    ///
    /// - Parameters:
    ///   - sequence: the last that is known already; what follows it is answered.
    ///   - limit: how many at most; `nil` leaves that to the hub.
    nonisolated(nonsending) public func output(
        of id: String,
        after sequence: Int? = nil,
        limit: Int? = nil
    ) async throws -> [Output] {
        var query: [URLQueryItem] = []
        if let sequence { query.append(URLQueryItem(name: "after", value: "\(sequence)")) }
        if let limit { query.append(URLQueryItem(name: "limit", value: "\(limit)")) }
        return try await send(request(.get, ["streams", id, "output"], query: query))
    }

    nonisolated(nonsending) private func act(_ id: String, _ name: String, _ body: JSON? = nil) async throws -> Run {
        try await send(request(.post, ["streams", id, name], body: body?.bytes()))
    }
}
