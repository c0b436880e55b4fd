#if NATS
import Sluice
import SluiceFilters
import SluiceJSON
public import SluiceRuns
public import SluiceStreams

/// A worker of a cluster: it runs its share of the partitions of a group's streams.
///
/// ```text
/// let connection = try await NATSConnection.connect(NATSSettings("nats://127.0.0.1:4222"))
/// let definitions = try await NATSDefinitionStore.open(on: connection)
/// var settings = ClusterWorker.Settings(group: "orders")
/// settings.name = "worker 1"
/// try await ClusterWorker(definitions, settings).run { notice in print(notice) }
/// ```
///
/// The workers of a group see each other in a bucket whose keys expire, and each computes its share from the list of all. The
/// state of a partition is a log on JetStream, which one worker at a time can write: a worker that was taken for dead, and goes
/// on, is refused. A worker that takes a partition over reads its log, and continues where the one before has stored something
/// last.
public final class ClusterWorker: Sendable {
    /// The settings of a worker.
    public struct Settings: Sendable {
        /// The group whose streams the worker runs; `all` has every stream.
        public var group: String
        /// The name of the worker for people.
        public var name = ""
        /// The sources and sinks that the streams may use, besides `subject` and `publish`.
        public var host = StreamHost()
        /// The bounds of what a run may do.
        public var limits = StreamLimits()
        /// The treatment of a run that fails.
        public var restart = RestartPolicy.onFailure(from: .seconds(1), to: .seconds(60))
        /// The time after which a worker that shows no sign of life has lost its partitions. All workers of a cluster have the
        /// same: that of the first one. A worker with another one says so, and takes the first one's.
        public var lease: Duration = .seconds(6)
        /// The number of servers that keep a copy of the logs and of the list of workers, where these are created.
        public var replicas = 1
        /// The largest state of a run, in bytes of its checkpoint's text; the run fails beyond it.
        public var stateSize = 16 << 20
        /// The largest backlog of a run, in bytes; the run waits at the bound.
        public var backlogSize = 16 << 20
        /// The memory of all runs, in bytes.
        public var runsMemory = 256 << 20

        /// Creates settings for a group.
        public init(group: String) { self.group = group }
    }

    private let definitions: NATSDefinitionStore
    private let settings: Settings
    private let clock: any Clock<Duration>

    /// Creates a worker.
    ///
    /// - Parameters:
    ///   - definitions: The documents and groups of the cluster.
    ///   - settings: The settings.
    ///   - clock: The clock of waits and runs.
    public init(_ definitions: NATSDefinitionStore, _ settings: Settings, clock: any Clock<Duration> = .continuous) {
        (self.definitions, self.settings, self.clock) = (definitions, settings, clock)
    }

    /// Runs the worker until the task is canceled; its partitions are stored and given up then.
    ///
    /// It waits for servers that are not ready yet, and says so.
    ///
    /// - Parameter onNotice: A closure that takes news, on any thread. It must return soon.
    /// - Throws: `CancellationError` when the task is canceled; ``NATSError`` and `StoreError` when the worker can't begin.
    public func run(_ onNotice: @escaping @Sendable (WorkerNotice) -> Void) async throws {
        var isAway = false
        while true {
            do {
                let session = try await WorkerSession.open(definitions, settings, clock: clock, report: onNotice)
                if isAway { onNotice(.back) }
                let failure = await session.run()
                await session.end()
                if let failure { throw failure }
                return try Task.checkCancellation()
            } catch let error as NATSError where error.isTemporary {
                if !isAway { onNotice(.away(reason: "\(error)")) }
                isAway = true
                try await clock.sleep(for: .seconds(1))
            }
        }
    }
}
#endif
