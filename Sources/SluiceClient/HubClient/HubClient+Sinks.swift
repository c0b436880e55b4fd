#if HTTP
import Foundation
import HTTPTypes
import SluiceHTTP
public import SluiceJSON

extension HubClient {
    /// A sink of a stream, and what it has delivered.
    public struct Sink: Sendable, Decodable, Hashable {
        /// The id.
        public let id: String
        /// The name of its kind, such as `post`.
        public let kind: String
        /// `idle`, `delivering`, `waiting` for the next attempt, `blocked`, or `disabled`.
        public let state: String
        /// The number of outputs that were delivered.
        public let delivered: Int
        /// The number of outputs that wait.
        public let waiting: Int
        /// The number of outputs that went to the dead letters.
        public let failed: Int
        /// The number of dead letters.
        public let deadLetters: Int
        /// The error of the last attempt.
        public let error: String?
        /// The cursor of the output whose delivery has failed.
        public let output: String?
        /// The request of that delivery.
        public let request: JSON?
    }

    /// A delivery that was given up.
    public struct DeadLetter: Sendable, Decodable, Hashable {
        /// The number, by which it is inspected, sent again, and dropped.
        public let number: Int
        /// The id of the sink.
        public let sink: String
        /// The cursor of the first output.
        public let output: String
        /// The outputs.
        public let items: [JSON]
        /// The idempotency key of the last request.
        public let key: String?
        /// The last request.
        public let request: JSON?
        /// The reason for which it was given up.
        public let error: String
        /// A Boolean value that indicates whether it is being sent again.
        public let isResending: Bool
    }

    /// Returns the sinks of a stream.
    ///
    /// ```swift
    /// let hub = HubClient(URL(string: "http://127.0.0.1:8080/")!)
    /// for sink in try await hub.sinks(of: "alerts") where sink.state == "blocked" {
    ///     try await hub.skip(sink.id, of: "alerts")
    /// }
    /// ```
    nonisolated(nonsending) public func sinks(of stream: String) async throws -> [Sink] {
        try await send(request(.get, ["streams", stream, "sinks"]))
    }

    /// Attempts a delivery of a sink that has failed again now, with the same request.
    ///
    /// - Throws: `HTTPError` with the status 409 if none has failed, and with 404 if there is no such sink.
    @discardableResult
    nonisolated(nonsending) public func retry(_ sink: String, of stream: String) async throws -> [Sink] {
        try await send(request(.post, ["streams", stream, "sinks", sink, "retry"]))
    }

    /// Moves a delivery of a sink that has failed to the dead letters; the sink continues after it.
    ///
    /// - Throws: `HTTPError` with the status 409 if none has failed, and with 404 if there is no such sink.
    @discardableResult
    nonisolated(nonsending) public func skip(_ sink: String, of stream: String) async throws -> [Sink] {
        try await send(request(.post, ["streams", stream, "sinks", sink, "skip"]))
    }

    /// Returns up to a hundred dead letters of a stream.
    ///
    /// - Parameters:
    ///   - stream: The id of the stream.
    ///   - number: The number of the last letter that was read; 0 for the first ones.
    /// - Returns: fewer letters if they are large; an empty array after the last one.
    /// - Throws: `HTTPError` with the status 404 if there is no such stream.
    nonisolated(nonsending) public func deadLetters(
        of stream: String,
        after number: Int = 0
    ) async throws -> [DeadLetter] {
        let query = [URLQueryItem(name: "after", value: "\(number)")]
        return try await send(request(.get, ["streams", stream, "dead-letters"], query: query))
    }

    /// Returns a dead letter.
    ///
    /// - Throws: `HTTPError` with the status 404 if there is no such letter.
    nonisolated(nonsending) public func deadLetter(_ number: Int, of stream: String) async throws -> DeadLetter {
        try await send(request(.get, ["streams", stream, "dead-letters", "\(number)"]))
    }

    /// Sends a dead letter again, with a new request. It is removed when it is delivered.
    ///
    /// - Throws: `HTTPError` with the status 404 if there is no such letter, and with 409 if it can't be sent now: its sink
    ///   is gone, it is being sent, or too many others are.
    @discardableResult
    nonisolated(nonsending) public func resend(_ number: Int, of stream: String) async throws -> DeadLetter {
        try await send(request(.post, ["streams", stream, "dead-letters", "\(number)", "resend"]))
    }

    /// Drops a dead letter.
    ///
    /// - Throws: `HTTPError` with the status 404 if there is no such letter, and with 409 while it is being sent.
    nonisolated(nonsending) public func dropDeadLetter(_ number: Int, of stream: String) async throws {
        _ = try await send(request(.delete, ["streams", stream, "dead-letters", "\(number)"]))
    }
}
#endif
