import HTTPTypes
import SluiceHTTP
import SluiceJSON
public import SluiceStreams

extension HubClient {
    /// An edit of a revision that is not the hub's any more: nothing was stored.
    ///
    /// ```swift
    /// let hub = HubClient(URL(string: "http://127.0.0.1:8080/")!)
    /// do { try await hub.replace("ticks", with: "{}", at: 4) } catch let conflict as HubClient.Conflict {
    ///     print(conflict.current?.revision ?? 0, conflict.plan.map { "\($0)" } ?? "")
    /// }
    /// ```
    public struct Conflict: Error, Sendable, CustomStringConvertible {
        /// A text of the two, with its revision where it has one.
        public struct Version: Sendable, Decodable, Hashable {
            /// How often it had been written.
            public let revision: Int?
            /// The text.
            public let text: String?
        }

        /// What the hub has; `nil` where it has nothing.
        public let current: Version?
        /// What was sent, and the revision that it is an edit of.
        public let yours: Version?
        /// What yours would do to the hub's, where both can be read.
        public let plan: StreamPlan?
        /// What the hub says.
        public let detail: String

        /// The conflict that an answer tells of; `nil` if it tells of none.
        init?(_ error: HTTPError) {
            guard let response = error.response, response.status.code == 412 else { return nil }
            let root = try? JSONDocument(parsing: response.body.bytes ?? []).root
            let decoder = SluiceJSONDecoder()
            current = root?["current"].flatMap { try? decoder.decode(Version.self, from: $0) }
            yours = root?["yours"].flatMap { try? decoder.decode(Version.self, from: $0) }
            plan = root?["plan"].flatMap { try? decoder.decode(StreamPlan.self, from: $0) }
            detail = root?["detail"]?.string ?? "the hub has another revision"
        }

        /// What the hub says.
        public var description: String { detail }
    }

    /// A document that does not check: nothing was stored.
    public struct Refusal: Error, Sendable, CustomStringConvertible {
        /// All that is wrong.
        public let errors: [Issue]

        /// The refusal that an answer tells of; `nil` if it tells of none.
        init?(_ error: HTTPError) {
            struct Body: Decodable { let errors: [Issue] }
            guard let response = error.response, response.status.code == 422,
                let body = try? SluiceJSONDecoder().decode(Body.self, from: response.body.bytes ?? []),
                !body.errors.isEmpty
            else { return nil }
            errors = body.errors
        }

        /// A line for each error.
        public var description: String { errors.map(\.description).joined(separator: "\n") }
    }
}
