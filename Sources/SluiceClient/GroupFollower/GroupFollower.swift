#if HTTP
import Foundation
public import SluiceFilters
import SluiceHTTP
public import SluiceRuns
public import SluiceStreams

/// A member of a group of a hub: it runs the group's streams, and applies edits while they run.
///
/// ```swift
/// let hub = HubClient(URL(string: "http://127.0.0.1:8080/")!)
/// let follower = GroupFollower(hub, group: "all", clock: .continuous)
/// try await follower.run { notice in
///     // {"stream": "6C2A…", "revision": 4, "run": 1, "sequence": 1, "time": 1, "value": 1}
///     if let line = notice.line { print(line) }
/// }
/// ```
///
/// - Each stream of the group has a run in live time, as in the hub. An edit takes place between two items, as its plan
///   says; a stream that has ended starts with it. An invalid revision leaves the one before running.
/// - When a document changes that others refer to, their runs are edited too.
/// - A stream that fails does not affect others. It is restarted as `Settings.restart` says.
/// - A stream with sinks runs on the member that holds its lease, and is stored in the hub. The others show its outputs.
/// - Without the hub, all runs without sinks continue.
/// - With `Settings.store`, a follower that was ended or killed resumes its runs, and is the same member of the group.
/// - It reports what it runs at each change and every 10 seconds, and leaves the group at the end.
public struct GroupFollower<C: Clock>: Sendable where C.Duration == Duration {
    let hub: HubClient
    let group: String
    let member: String?
    let settings: Settings
    let clock: C
    let random: RandomSource

    /// Creates a follower; it does nothing before ``run(_:)``.
    ///
    /// - Parameters:
    ///   - hub: the hub of the group.
    ///   - group: the name of the group; `all` has every stream.
    ///   - member: the id of this member of the group. By default it is the one in the store, or a new UUID. Two
    ///     followers with one id are one member to the hub.
    ///   - settings: the settings.
    ///   - clock: measures the time of streams, and all waits.
    ///   - random: spreads the waits for the hub.
    public init(
        _ hub: HubClient,
        group: String = "all",
        member: String? = nil,
        settings: Settings = Settings(),
        clock: C,
        random: RandomSource = .system
    ) {
        self.hub = hub
        self.group = group
        self.member = member
        self.settings = settings
        self.clock = clock
        self.random = random
    }

    /// Follows the group until the task is canceled, and reports what happens.
    ///
    /// - Parameter body: called for each notice, one at a time, where the caller runs. While it is busy, up to
    ///   ``Settings/pendingLimit`` notices wait; then the streams wait. An error that it throws ends the follower. With a
    ///   store, an output whose call has thrown, or has not returned, is reported again by the next follower of this
    ///   store.
    /// - Throws: the error of `body`; `HTTPError` if the hub answers with an error that no later attempt would change
    ///   (there is no such group, the token is wrong); `ServerSentEventError` if all documents of the group together are
    ///   longer than ``HubClient/maximumAnswerBytes``; ``GroupFollowerError`` for a store that can't be used;
    ///   `CancellationError`.
    /// - Cancellation: ends all runs; they are stored, and the hub is notified, which takes 2 seconds at most. Those of
    ///   streams with sinks are stored in the hub, which is attempted until their leases end: 5 seconds at most.
    nonisolated(nonsending) public func run(
        _ body: nonisolated(nonsending) (Notice) async throws -> Void
    ) async throws {
        let member = try await FollowerIdentity.open(for: self)
        let feed = FollowerFeed(limit: settings.pendingLimit)
        let session = FollowerSession(self, member: member, feed)
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    tasks.addTask {
                        do {
                            try await session.run()
                            feed.finish(nil)
                        } catch {
                            feed.finish(error)
                        }
                    }
                    defer {
                        feed.close()
                        tasks.cancelAll()
                    }
                    while let notice = try await feed.next() {
                        try await body(notice)
                        feed.acknowledge(notice)
                    }
                }
            )
        } catch {
            result = .failure(error)
        }
        await session.end()
        try result.get()
    }
}

extension GroupFollower {
    /// The settings of a follower.
    public struct Settings: Sendable {
        /// The name of this member in the hub's page.
        public var name = "follower"
        /// The sources of the outside world that streams may read; none by default, since documents come from others.
        public var host = StreamHost()
        /// The limits on the work of a run; a value may take 1 MiB.
        public var limits = StreamLimits(valueSize: 1 << 20)
        /// The number of bytes that the state of a run may take; 16 MiB. A run fails beyond it.
        public var stateSize = 16 << 20
        /// The number of bytes of a run that may wait for the store; 16 MiB. A run waits at the bound.
        public var backlogSize = 16 << 20
        /// The number of bytes that all runs may hold together; 256 MiB. Beyond it, runs fail that hold more than their share.
        public var runsMemory = 256 << 20
        /// The treatment of a stream that has failed: up to 5 restarts in a row, after 1 second, 2, 4 … up to a minute.
        public var restart = RestartPolicy.onFailure(from: .seconds(1), to: .seconds(60), maxRestarts: 5)
        /// The store of the identity of this member and of its runs, which no other program may use at the same time;
        /// `nil` stores nothing.
        public var store: (any StreamStore)?
        /// The number of notices that may wait for the body; 1,024.
        public var pendingLimit = 1_024
        /// The number of documents that a group may have here; 20,000, as many as in a hub. Others are not run.
        public var maximumDocuments = 20_000
        /// The number of bytes that a document may have; 1 MiB. A longer one is not run.
        public var maximumDocumentBytes = 1 << 20
        /// The time to wait for the hub before the stored runs resume without it; 3 seconds. They resume immediately if
        /// the hub can't be reached.
        public var patience = Duration.seconds(3)
        /// The waits before the next attempts to reach the hub, from the second failure in a row on.
        public var backoff = Backoff.exponential(from: .milliseconds(250), to: .seconds(5), jitter: .equal)

        /// Makes the default settings.
        public init() {}
    }
}
#endif
