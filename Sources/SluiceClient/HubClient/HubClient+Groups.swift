import HTTPTypes
import SluiceHTTP
import SluiceJSON

extension HubClient {
    /// What a list says of a group.
    public struct GroupHead: Sendable, Decodable, Hashable {
        /// Its name.
        public let name: String
        /// The ids of its streams.
        public let streams: [String]
        /// How many members are present.
        public let members: Int
    }

    /// A group: what it runs, and who.
    public struct Group: Sendable, Decodable, Hashable {
        /// A stream of the group.
        public struct Stream: Sendable, Decodable, Hashable {
            /// Its id.
            public let id: String
            /// What people call it.
            public let name: String?
            /// The revision that is stored.
            public let revision: Int
        }

        /// A member of the group.
        public struct Member: Sendable, Decodable, Hashable {
            /// Its id.
            public let id: String
            /// What people call it.
            public let name: String?
            /// Whether it has reported within the last 30 seconds.
            public let isPresent: Bool
            /// When it reported last, as ISO 8601 has it.
            public let seen: String?
            /// What it runs.
            public let streams: [MemberReport.Stream]
        }

        /// Its name.
        public let name: String
        /// Its streams.
        public let streams: [Stream]
        /// Its members.
        public let members: [Member]
    }

    /// What a member of a group says of itself.
    public struct MemberReport: Sendable, Codable, Hashable {
        /// What it says of a stream.
        public struct Stream: Sendable, Codable, Hashable {
            /// The stream.
            public let id: String
            /// The revision that it runs; of one that is blocked the revision that does not check.
            public let revision: Int
            /// What the run does.
            public let state: State
            /// The time of the run in seconds.
            public let time: Double?
            /// What is wrong: why it failed, or why a newer revision was not taken.
            public let error: String?

            /// Makes a line of a report.
            public init(id: String, revision: Int, state: State, time: Double? = nil, error: String? = nil) {
                self.id = id
                self.revision = revision
                self.state = state
                self.time = time
                self.error = error
            }
        }

        /// What people call the member.
        public let name: String
        /// What it runs.
        public let streams: [Stream]

        /// Makes a report.
        public init(name: String, streams: [Stream]) {
            self.name = name
            self.streams = streams
        }
    }

    /// All groups; `all` is always one of them.
    nonisolated(nonsending) public func groups() async throws -> [GroupHead] {
        try await send(request(.get, ["groups"]))
    }

    /// A group: its streams and its members.
    nonisolated(nonsending) public func group(_ name: String) async throws -> Group {
        try await send(request(.get, ["groups", name]))
    }

    /// Makes a group; nothing happens where it is there.
    nonisolated(nonsending) public func makeGroup(_ name: String) async throws {
        _ = try await send(request(.put, ["groups", name]))
    }

    /// Removes a group; its streams stay.
    nonisolated(nonsending) public func removeGroup(_ name: String) async throws {
        _ = try await send(request(.delete, ["groups", name]))
    }

    /// Gives a stream to a group: its members run it.
    nonisolated(nonsending) public func assign(_ id: String, to group: String) async throws {
        _ = try await send(request(.put, ["groups", group, "streams", id]))
    }

    /// Takes a stream away from a group: its members end it.
    nonisolated(nonsending) public func unassign(_ id: String, from group: String) async throws {
        _ = try await send(request(.delete, ["groups", group, "streams", id]))
    }

    /// Tells a group what a member runs. One that has not reported for 30 seconds is not present any more.
    nonisolated(nonsending) public func report(
        _ report: MemberReport,
        by member: String,
        in group: String
    ) async throws {
        let body = try SluiceJSONEncoder().bytes(report)
        _ = try await send(request(.put, ["groups", group, "members", member], body: body))
    }

    /// Takes a member out of a group.
    nonisolated(nonsending) public func leave(_ group: String, as member: String) async throws {
        _ = try await send(request(.delete, ["groups", group, "members", member]))
    }
}
