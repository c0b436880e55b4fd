import Foundation
public import SluiceFilters
import SluiceHTTP
public import SluiceStreams

/// A member of a group of a hub: it runs the group's streams, and takes edits while they run.
///
/// ```swift
/// let hub = HubClient(URL(string: "http://127.0.0.1:8080/")!)
/// let follower = GroupFollower(hub, group: "all", clock: .continuous)
/// try await follower.run { notice in
///     if let line = notice.line { print(line) }   // {"stream": "6C2A…", "revision": 4, "time": 1, "value": 1}
/// }
/// ```
///
/// - Each stream of the group has a run in live time. An edit is put in its place between two items, as its plan says; a
///   stream that has ended begins anew with it. A revision that does not check leaves the one before running.
/// - When a document changes that others refer to, their runs are edited too.
/// - A stream that fails takes no other along. It begins again as ``FollowerRestart`` says.
/// - While the hub is away all runs go on. A follower that begins then takes what it had last from ``Settings/stateFile``.
/// - It reports what it runs at each change and every 10 seconds, and leaves the group at the end.
public struct GroupFollower<C: Clock>: Sendable where C.Duration == Duration {
    let hub: HubClient
    let group: String
    let member: String
    let settings: Settings
    let clock: C
    let random: RandomSource

    /// Makes a follower; nothing happens before ``run(_:)``.
    ///
    /// - Parameters:
    ///   - hub: where the group is.
    ///   - group: its name; `all` has every stream.
    ///   - member: who this is among the members; a UUID where nothing is said. Two that share it are one to the hub.
    ///   - settings: what else can be said.
    ///   - clock: measures the delays of streams, and all waits.
    ///   - random: spreads the waits.
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
        self.member = member ?? UUID().uuidString
        self.settings = settings
        self.clock = clock
        self.random = random
    }

    /// Follows the group until the task is cancelled, and tells what happens.
    ///
    /// - Parameter body: called for each notice, one at a time, where the caller runs. While it is busy up to
    ///   ``Settings/pendingLimit`` notices wait; then the streams do. What it throws ends everything.
    /// - Throws: what `body` throws; `HTTPError` where the hub says what no later try would change (there is no such
    ///   group, the token is wrong); `ServerSentEventError` where all documents of the group together are longer than
    ///   ``HubClient/maximumAnswerBytes``; `CancellationError`.
    /// - Cancellation: ends all runs at once; the hub is told, which takes 2 seconds at most.
    nonisolated(nonsending) public func run(
        _ body: nonisolated(nonsending) (Notice) async throws -> Void
    ) async throws {
        let queue = NoticeQueue(limit: settings.pendingLimit)
        let session = FollowerSession(self, queue)
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    tasks.addTask {
                        do {
                            try await session.run()
                            queue.finish(nil)
                        } catch {
                            queue.finish(error)
                        }
                    }
                    defer { tasks.cancelAll() }
                    while let notice = try await queue.next() { try await body(notice) }
                }
            )
        } catch {
            result = .failure(error)
        }
        await session.leave()
        try result.get()
    }
}

extension GroupFollower {
    /// How a follower runs streams.
    public struct Settings: Sendable {
        /// What people call this member.
        public var name = "follower"
        /// What streams may read of the outside world; nothing by default, since documents come from others.
        public var host = StreamHost()
        /// How much a run may do.
        public var limits = StreamLimits()
        /// What becomes of a stream that has failed.
        public var restart = FollowerRestart()
        /// The file that keeps the last good set of documents; `nil` keeps none.
        public var stateFile: String?
        /// How many notices may wait for the body; 1,024.
        public var pendingLimit = 1_024
        /// How many documents a group may have here; 20,000, as many as a hub holds. Those beyond are not run.
        public var maximumDocuments = 20_000
        /// How many bytes a document may have; 1 MiB. A longer one is not run.
        public var maximumDocumentBytes = 1 << 20
        /// How long to wait for the hub before what the file has is run; 3 seconds. A hub that cannot be reached is not
        /// waited for.
        public var patience = Duration.seconds(3)
        /// How long to wait before the hub is asked again, from the second failure in a row on.
        public var backoff = Backoff.exponential(from: .milliseconds(250), to: .seconds(5), jitter: .equal)

        /// The defaults.
        public init() {}
    }
}
