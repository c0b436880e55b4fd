public import SluiceJSON

/// What a program lets its streams read of the outside world: sources by name.
///
/// ```swift
/// var host = StreamHost()
/// host.register("sensor") { _, inlet in
///     for number in 1...3 { try await inlet.send(.int(Int64(number))) }
/// }
/// let document = try StreamDocument(parsing: #"{"source": {"outside": "sensor"}}"#)
/// let events = try document.events(host: host)  // 1, 2, 3, the completion
/// ```
///
/// A document may name any source; it reads only what the host that it runs on has registered. `lines`, `poll` and
/// `events` are the names of the sources that documents know by these names; others stand under `outside`.
public struct StreamHost: Sendable {
    /// Runs a source: puts its items into the inlet, and returns when there are no more.
    typealias Body = @Sendable (JSON, StreamInlet<JSON>) async throws -> Void

    /// Counts what the buffers of its sources have dropped, in all runs.
    public var drops = DropCounter()
    private var sources: [String: Source] = [:]

    /// A source that is registered.
    struct Source: Sendable {
        let body: Body
        /// Whether it gives the same items again when it is started again.
        let isRepeatable: @Sendable (JSON) -> Bool
    }

    /// A host that lets streams read nothing.
    public init() {}

    /// The names that are registered, in order.
    public var names: [String] { sources.keys.sorted() }

    /// Registers a source under a name, in place of one that was.
    ///
    /// - Parameters:
    ///   - name: the name of the source in documents.
    ///   - isRepeatable: whether it gives the same items again when it is started again, so that a run that goes on from a
    ///     checkpoint leaves out those that it has had.
    ///   - feed: called for each subscription, in a task of its own, with what the document says of the source but
    ///     `buffer`. Its return completes the stream, its error fails it. The task is cancelled when the stream ends
    ///     or its reader leaves.
    public mutating func register(
        _ name: String,
        isRepeatable: Bool = false,
        _ feed: @escaping @Sendable (_ arguments: JSON, _ inlet: StreamInlet<JSON>) async throws -> Void
    ) {
        register(name, isRepeatable: { _ in isRepeatable }, feed)
    }

    mutating func register(
        _ name: String,
        isRepeatable: @escaping @Sendable (JSON) -> Bool,
        _ feed: @escaping @Sendable (_ arguments: JSON, _ inlet: StreamInlet<JSON>) async throws -> Void
    ) {
        sources[name] = Source(body: feed, isRepeatable: isRepeatable)
    }

    /// Registers an async sequence under a name, in place of what was.
    ///
    /// - Parameters:
    ///   - name: the name of the source in documents.
    ///   - open: called for each subscription, in a task of its own, with what the document says of the source but
    ///     `buffer`. An error of it, or of the sequence, fails the stream; the task is cancelled when the stream ends
    ///     or its reader leaves.
    public mutating func register<Items: AsyncSequence & SendableMetatype>(
        _ name: String,
        reading open: @escaping @Sendable (_ arguments: JSON) async throws -> Items
    ) where Items.Element == JSON, Items.AsyncIterator: SendableMetatype {
        register(name) { arguments, inlet in
            for try await item in try await open(arguments) { try await inlet.send(item) }
        }
    }

    /// The source of a name.
    func source(_ name: String) -> Source? { sources[name] }
}
