#if HTTP
import HTTPTypes

extension HubClient {
    /// The health of a hub.
    public struct Health: Sendable, Hashable, Decodable {
        /// The text `ok`.
        public let status: String
        /// The text `ok`, or `away` while the documents that hubs share can't be reached; `nil` for a hub that shares none.
        public let shared: String?
    }

    /// An overview of what the streams of a hub do.
    public struct Overview: Sendable, Hashable, Decodable {
        /// The streams; at most 1,000.
        public let streams: [Stream]
        /// The number of further streams.
        public let others: Int

        /// An entry of one stream, with its figures since the hub was started.
        public struct Stream: Sendable, Hashable, Decodable {
            /// The id of the stream.
            public let id: String
            /// The state of its run.
            public let state: State
            /// The number of items that its sources have given; `nil` if it has not run.
            public let `in`: Int?
            /// The number of its outputs; `nil` if it has not run.
            public let out: Int?
            /// The time by which its run is behind, in seconds; `nil` if it keeps up.
            public let lag: Double?
            /// The number of outputs that its sinks have still to deliver; `nil` without sinks.
            public let waiting: Int?
            /// A Boolean value that indicates whether one of its sinks is blocked; `nil` without sinks.
            public let isBlocked: Bool?
        }
    }

    /// Returns the health of the hub.
    ///
    /// ```swift
    /// let hub = HubClient(URL(string: "http://127.0.0.1:8080")!)
    /// let status = try await hub.health().status  // "ok"
    /// ```
    ///
    /// - Throws: `HTTPError`, with status 503 while the hub shuts down or its store is missing.
    nonisolated(nonsending) public func health() async throws -> Health { try await send(request(.get, ["health"])) }

    /// Returns what the streams of the hub do. Two overviews tell the rates of the time between them.
    ///
    /// - Throws: `HTTPError` if the hub rejects the request.
    nonisolated(nonsending) public func overview() async throws -> Overview {
        try await send(request(.get, ["overview"]))
    }
}
#endif
