#if HTTP
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
    /// - Parameters:
    ///   - id: The id of the stream.
    ///   - speed: from 0.01 to 100; 1 is as the clock does.
    @discardableResult
    nonisolated(nonsending) public func setSpeed(of id: String, to speed: Double) async throws -> Run {
        try await act(id, "speed", ["speed": .double(speed)])
    }

    /// Returns stored outputs of a stream.
    ///
    /// ```swift
    /// let hub = HubClient(URL(string: "http://127.0.0.1:8080/")!)
    /// var cursor = HubClient.Cursor.start
    /// while let last = try await hub.output(of: "sums", after: cursor).last { cursor = last.cursor }
    /// ```
    ///
    /// - Parameters:
    ///   - id: the id of the stream.
    ///   - cursor: the place after which reading begins; it continues into later runs. With `nil` the outputs of the
    ///     newest run are read.
    ///   - limit: the most outputs; `nil` leaves that to the hub.
    /// - Throws: `HTTPError` with the status 410 for a cursor of outputs that the stream no longer has, since it
    ///   was reset.
    nonisolated(nonsending) public func output(
        of id: String,
        after cursor: Cursor? = nil,
        limit: Int? = nil
    ) async throws -> [Output] {
        var query: [URLQueryItem] = []
        if let cursor { query.append(URLQueryItem(name: "after", value: cursor.description)) }
        if let limit { query.append(URLQueryItem(name: "limit", value: "\(limit)")) }
        return try await send(request(.get, ["streams", id, "output"], query: query))
    }

    nonisolated(nonsending) private func act(_ id: String, _ name: String, _ body: JSON? = nil) async throws -> Run {
        try await send(request(.post, ["streams", id, name], body: body?.bytes()))
    }
}
#endif
