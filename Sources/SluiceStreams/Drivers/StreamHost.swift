public import SluiceJSON

/// The part of the outside world that a program opens to its streams: sources by name.
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
/// A document may name any source, but it reads only those that its host has registered. Documents refer to the sources
/// `lines`, `poll`, and `events` by these names, and to others under `outside`. Every host has the source `schedule`.
public struct StreamHost: Sendable {
    /// A closure that runs a source: it sends the source's items to the inlet, and returns when there are no more.
    typealias Body = @Sendable (JSON, StreamInlet<JSON>) async throws -> Void

    /// The counter of items that the buffers of its sources have dropped, in all runs.
    public var drops = DropCounter()
    /// The id of the stream that reads the sources; `nil` for a stream that is not of a hub.
    package var stream: String?
    /// The filter stacks that sources name.
    package var stacks = NamedStacks()
    private var sources: [String: Source] = [:]
    /// The receivers of sinks.
    var receivers: [String: Receiver] = [:]
    /// A closure that is called before each attempt to deliver, and holds it back by an error; `nil` for none.
    package internal(set) var gate: (@Sendable () throws(SinkHoldError) -> Void)?

    /// A registered source.
    struct Source: Sendable {
        let body: Body
        /// A Boolean value that indicates whether the source gives the same items again when it is restarted.
        let isRepeatable: @Sendable (JSON) -> Bool
        /// A closure that returns whether its items have positions.
        var hasPositions: @Sendable (JSON) -> Bool = { _ in false }
    }

    /// Creates a host that opens nothing to its streams.
    public init() {}

    /// The registered names, in order.
    public var names: [String] { sources.keys.sorted() }

    /// Registers a source under a name, replacing any source of that name.
    ///
    /// - Parameters:
    ///   - name: The name of the source in documents.
    ///   - isRepeatable: A closure that returns whether the source gives the same items again when it is restarted, so
    ///     that a run that resumes from a checkpoint skips the items that it has had.
    ///   - hasPositions: A Boolean value that indicates whether the source sends its items with positions
    ///     (``StreamInlet/send(_:at:)``) and, in a run that resumes, begins after ``StreamInlet/position``.
    ///   - feed: A closure that is called for each subscription, in a task of its own, with the document's arguments
    ///     except `buffer`. The stream completes when it returns, and fails with an error that it throws. The task is
    ///     canceled when the stream ends or its reader leaves.
    public mutating func register(
        _ name: String,
        isRepeatable: Bool = false,
        hasPositions: Bool = false,
        _ feed: @escaping @Sendable (_ arguments: JSON, _ inlet: StreamInlet<JSON>) async throws -> Void
    ) {
        register(name, isRepeatable: { _ in isRepeatable }, hasPositions: { _ in hasPositions }, feed)
    }

    /// Registers a source, of which the arguments decide whether it is repeatable, and whether its items have positions.
    package mutating func register(
        _ name: String,
        isRepeatable: @escaping @Sendable (JSON) -> Bool = { _ in false },
        hasPositions: @escaping @Sendable (JSON) -> Bool,
        _ feed: @escaping @Sendable (_ arguments: JSON, _ inlet: StreamInlet<JSON>) async throws -> Void
    ) {
        sources[name] = Source(body: feed, isRepeatable: isRepeatable, hasPositions: hasPositions)
    }

    /// Registers an async sequence under a name, replacing any source of that name.
    ///
    /// - Parameters:
    ///   - name: The name of the source in documents.
    ///   - open: A closure that is called for each subscription, in a task of its own, with the document's arguments
    ///     except `buffer`. The stream fails with an error that it or the sequence throws. The task is canceled when
    ///     the stream ends or its reader leaves.
    public mutating func register<Items: AsyncSequence & SendableMetatype>(
        _ name: String,
        reading open: @escaping @Sendable (_ arguments: JSON) async throws -> Items
    ) where Items.Element == JSON, Items.AsyncIterator: SendableMetatype {
        register(name) { arguments, inlet in
            for try await item in try await open(arguments) { try await inlet.send(item) }
        }
    }

    /// Replaces the clocks of the source `schedule`, which every host has.
    ///
    /// - Parameters:
    ///   - clock: The clock that measures waits.
    ///   - wallTime: A closure that returns the wall time, in nanoseconds since 1970.
    package mutating func registerSchedule(clock: any Clock<Duration>, wallTime: @escaping @Sendable () -> Int64) {
        register("schedule", hasPositions: true, ScheduleSource(clock: clock, wallTime: wallTime).feed)
    }

    /// The sources that need no permission of the program.
    private static let builtIn = [
        "schedule": Source(body: ScheduleSource().feed, isRepeatable: { _ in false }, hasPositions: { _ in true })
    ]

    /// Returns the host with a closure that is called when a source reports why it waits, with `nil` when it goes on.
    func reporting(_ body: @escaping @Sendable (String?) -> Void) -> StreamHost {
        var host = self
        host.sources = sources.mapValues { source in
            let feed: Body = { arguments, inlet in
                var inlet = inlet
                let report = inlet.report
                inlet.report = { reason in
                    body(reason)
                    report(reason)
                }
                try await source.body(arguments, inlet)
            }
            return Source(body: feed, isRepeatable: source.isRepeatable, hasPositions: source.hasPositions)
        }
        return host
    }

    /// Returns the source of a name.
    func source(_ name: String) -> Source? { sources[name] ?? Self.builtIn[name] }
}
