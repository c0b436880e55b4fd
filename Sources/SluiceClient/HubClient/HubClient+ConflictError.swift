#if HTTP
import HTTPTypes
import SluiceHTTP
import SluiceJSON
public import SluiceStreams

extension HubClient {
    /// An error of an edit of an old revision. Nothing was stored.
    ///
    /// ```swift
    /// let hub = HubClient(URL(string: "http://127.0.0.1:8080/")!)
    /// let text = #"{"source": {"interval": {"seconds": 2}}}"#
    /// do { try await hub.replace("ticks", with: text, at: 4) } catch let conflict as HubClient.ConflictError {
    ///     print(conflict.current?.revision ?? 0, conflict.plan.map { "\($0)" } ?? "")
    /// }
    /// ```
    public struct ConflictError: Error, Sendable, CustomStringConvertible {
        /// A text with its revision.
        public struct Version: Sendable, Decodable, Hashable {
            /// The number of the revision.
            public let revision: Int?
            /// The text.
            public let text: String?
        }

        /// The version that the hub has; `nil` if it has none.
        public let current: Version?
        /// The version that was sent, with the revision that it edits.
        public let yours: Version?
        /// The plan from the hub's version to yours, if both are valid.
        public let plan: StreamPlan?
        /// The hub's description of the conflict.
        public let detail: String

        /// Reads the conflict from an answer; `nil` if it is not one.
        init?(_ error: HTTPError) {
            guard let response = error.response, response.status.code == 412 else { return nil }
            let root = try? JSONDocument(parsing: response.body.bytes ?? []).root
            let decoder = SluiceJSONDecoder()
            current = root?["current"].flatMap { try? decoder.decode(Version.self, from: $0) }
            yours = root?["yours"].flatMap { try? decoder.decode(Version.self, from: $0) }
            plan = root?["plan"].flatMap { try? decoder.decode(StreamPlan.self, from: $0) }
            detail = root?["detail"]?.string ?? "the hub has another revision"
        }

        /// The hub's description of the conflict.
        public var description: String { detail }
    }

    /// An error of an invalid document. Nothing was stored.
    public struct DocumentError: Error, Sendable, CustomStringConvertible {
        /// The errors of the document.
        public let errors: [Issue]

        /// Reads the errors from an answer; `nil` if it has none.
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
#endif
