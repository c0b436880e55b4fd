import Foundation
public import SluiceFilters
import SluiceHTTP
public import SluiceStreams

/// A member of a hub's group. It runs the group's streams, and applies edits while they run.
///
/// ```swift
/// let hub = HubClient(URL(string: "http://127.0.0.1:8080/")!)
/// let follower = GroupFollower(hub, group: "all", clock: .continuous)
/// try await follower.run { notice in
///     if let line = notice.line { print(line) }   // {"stream": "6C2A…", "revision": 4, "time": 1, "value": 1}
/// }
/// ```
///
/// - Each stream of the group has a run in live time. An edit is applied between two items, as its plan says; for a
///   stream that has ended, a new run begins. After an invalid revision, the previous one continues to run.
/// - When a document changes, the runs that refer to it are edited too.
/// - A failing stream does not affect others. It is restarted as ``FollowerRestart`` says.
/// - While the hub is unavailable all runs continue. A follower that starts then reads its last set of documents from
///   ``Settings/stateFile``.
/// - It reports its runs at each change and every 10 seconds, and leaves the group at the end.
public struct GroupFollower<C: Clock>: Sendable where C.Duration == Duration {
    let hub: HubClient
    let group: String
    let member: String
    let settings: Settings
    let clock: C
    let random: RandomSource

    /// Creates a follower; it does nothing before ``run(_:)``.
    ///
    /// - Parameters:
    ///   - hub: the client of the hub.
    ///   - group: the name of the group; `all` has every stream.
    ///   - member: the id of this member; a new UUID by default. To the hub, two followers with the same id are one.
    ///   - settings: further settings.
    ///   - clock: the clock of the streams and of all waits.
    ///   - random: the source of jitter.
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

    /// Follows the group until the task is canceled, and passes notices to a closure.
    ///
    /// - Parameter body: called for each notice, one at a time, in the caller's isolation. While it is busy, up to
    ///   ``Settings/pendingLimit`` notices wait; beyond that, the streams wait. An error that it throws ends the
    ///   follower.
    /// - Throws: the errors of `body`; `HTTPError` for an answer that no later attempt can change (there is no such
    ///   group, the token is wrong); `ServerSentEventError` if all documents of the group together are longer than
    ///   ``HubClient/maximumAnswerBytes``; `CancellationError`.
    /// - Cancellation: ends all runs at once and leaves the group, within 2 seconds.
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
    /// The settings of a follower.
    public struct Settings: Sendable {
        /// The name of this member for display.
        public var name = "follower"
        /// The sources that streams may read; none by default, since documents come from others.
        public var host = StreamHost()
        /// The limits of each run.
        public var limits = StreamLimits()
        /// The policy for restarting failed streams.
        public var restart = FollowerRestart()
        /// The file that keeps the last valid set of documents; `nil` for no file.
        public var stateFile: String?
        /// The largest number of notices that wait for the body; 1,024.
        public var pendingLimit = 1_024
        /// The largest number of documents of the group; 20,000, as many as a hub holds. Further documents do not run.
        public var maximumDocuments = 20_000
        /// The largest size of a document in bytes; 1 MiB. A longer one does not run.
        public var maximumDocumentBytes = 1 << 20
        /// The time to wait for the hub before the documents of the file run; 3 seconds. There is no wait if the hub
        /// can't be reached.
        public var patience = Duration.seconds(3)
        /// The delays between attempts to connect, from the second failure in a row on.
        public var backoff = Backoff.exponential(from: .milliseconds(250), to: .seconds(5), jitter: .equal)

        /// The defaults.
        public init() {}
    }
}
