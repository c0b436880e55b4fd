#if HTTP
import HTTPTypes
import SluiceHTTP
import SluiceJSON

extension HubClient {
    /// A group's entry in a list.
    public struct GroupHead: Sendable, Decodable, Hashable {
        /// Its name.
        public let name: String
        /// The ids of its streams.
        public let streams: [String]
        /// The number of members that are present.
        public let members: Int
    }

    /// A group with its streams and members.
    public struct Group: Sendable, Decodable, Hashable {
        /// A stream of the group.
        public struct Stream: Sendable, Decodable, Hashable {
            /// Its id.
            public let id: String
            /// The name for display.
            public let name: String?
            /// The stored revision.
            public let revision: Int
        }

        /// A member of the group.
        public struct Member: Sendable, Decodable, Hashable {
            /// Its id.
            public let id: String
            /// The name for display.
            public let name: String?
            /// A Boolean value that indicates whether it has reported within the last 30 seconds.
            public let isPresent: Bool
            /// The time of its last report, in ISO 8601.
            public let seen: String?
            /// The streams that it runs.
            public let streams: [MemberReport.Stream]
        }

        /// Its name.
        public let name: String
        /// Its streams.
        public let streams: [Stream]
        /// Its members.
        public let members: [Member]
    }

    /// A report of a group's member about the streams that it runs.
    public struct MemberReport: Sendable, Codable, Hashable {
        /// The state of a stream.
        public struct Stream: Sendable, Codable, Hashable {
            /// The id of the stream.
            public let id: String
            /// The revision that it runs, or the invalid revision if it is blocked.
            public let revision: Int
            /// The state of the run.
            public let state: State
            /// The time of the run in seconds.
            public let time: Double?
            /// The error with which the run failed, or because of which a newer revision was refused.
            public let error: String?

            /// Makes an entry of a report.
            public init(id: String, revision: Int, state: State, time: Double? = nil, error: String? = nil) {
                self.id = id
                self.revision = revision
                self.state = state
                self.time = time
                self.error = error
            }
        }

        /// The name of the member for display.
        public let name: String
        /// The streams that it runs.
        public let streams: [Stream]

        /// Makes a report.
        public init(name: String, streams: [Stream]) {
            self.name = name
            self.streams = streams
        }
    }

    /// Returns all groups, among them always `all`.
    nonisolated(nonsending) public func groups() async throws -> [GroupHead] {
        try await send(request(.get, ["groups"]))
    }

    /// Returns a group with its streams and members.
    nonisolated(nonsending) public func group(_ name: String) async throws -> Group {
        try await send(request(.get, ["groups", name]))
    }

    /// Creates a group; does nothing if it exists.
    nonisolated(nonsending) public func makeGroup(_ name: String) async throws {
        _ = try await send(request(.put, ["groups", name]))
    }

    /// Removes a group. Its streams stay in the hub.
    nonisolated(nonsending) public func removeGroup(_ name: String) async throws {
        _ = try await send(request(.delete, ["groups", name]))
    }

    /// Assigns a stream to a group, so that its members run it.
    nonisolated(nonsending) public func assign(_ id: String, to group: String) async throws {
        _ = try await send(request(.put, ["groups", group, "streams", id]))
    }

    /// Removes a stream from a group, so that its members end it.
    nonisolated(nonsending) public func unassign(_ id: String, from group: String) async throws {
        _ = try await send(request(.delete, ["groups", group, "streams", id]))
    }

    /// Reports the streams that a member runs. After 30 seconds without a report, a member counts as absent.
    nonisolated(nonsending) public func report(
        _ report: MemberReport,
        by member: String,
        in group: String
    ) async throws {
        let body = try SluiceJSONEncoder().bytes(report)
        _ = try await send(request(.put, ["groups", group, "members", member], body: body))
    }

    /// Removes a member from a group.
    nonisolated(nonsending) public func leave(_ group: String, as member: String) async throws {
        _ = try await send(request(.delete, ["groups", group, "members", member]))
    }
}
#endif
