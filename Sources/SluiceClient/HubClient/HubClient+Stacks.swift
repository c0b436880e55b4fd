#if HTTP
import HTTPTypes
public import SluiceFilters
import SluiceHTTP

extension HubClient {
    /// A kind of document of a hub. All documents of a hub have different ids, whatever their kinds.
    ///
    /// ```swift
    /// let hub = HubClient(URL(string: "http://127.0.0.1:8080/")!)
    /// let text = #"{"filters": [{"retry": {"maxAttempts": 5}}]}"#
    /// let id = try await hub.create(text, as: .stack).id
    /// print(try await hub.document(id, as: .stack).revision)       // 1
    /// ```
    public enum Kind: Sendable, Hashable {
        /// A stream.
        case stream
        /// A filter stack, which sources and sinks name by its id.
        case stack

        /// The first segment of the paths of its routes.
        var path: String {
            switch self {
            case .stream: "streams"
            case .stack: "stacks"
            }
        }
    }

    /// The effect of replacing a filter stack.
    public struct StackPlan: Sendable, Decodable {
        /// A stream that names the stack.
        public struct Dependent: Sendable, Decodable, Hashable {
            /// The id of the stream.
            public let id: String
            /// The name for display.
            public let name: String?
            /// The errors with which the stream could no longer run.
            public let errors: [Issue]
        }

        /// The revision that the edit replaces.
        public let revision: Int
        /// The effects on the filters, wherever they run; `nil` if the text has errors.
        public let change: StackChange?
        /// The errors of the text, which can't be applied with them.
        public let errors: [Issue]
        /// The streams that name the stack.
        public let dependents: [Dependent]
    }

    /// Returns the entries of all filter stacks, in order of creation. They have no runs and no states.
    nonisolated(nonsending) public func stacks() async throws -> [Head] {
        try await send(request(.get, [Kind.stack.path]))
    }

    /// Returns the effect of replacing a filter stack's text. The text is not stored.
    nonisolated(nonsending) public func stackPlan(
        of id: String,
        replacedWith text: String
    )
        async throws -> StackPlan
    {
        try await send(request(.post, [Kind.stack.path, id, "plan"], body: Array(text.utf8)))
    }
}
#endif
