/// The workers of a cluster, as a hub shows them and drains them.
///
/// `NATSWorkerDirectory` is the one of workers on NATS. A hub has it as `HubSettings.workers`, and calls it from any task, several
/// times at once.
public protocol WorkerDirectory: Sendable {
    /// Returns the workers that show a sign of life, of all groups, in the order of their ids.
    ///
    /// - Throws: `StoreError` when the directory is not available.
    func workers() async throws -> [WorkerReport]

    /// Asks a worker to give its units to the others and to take no more, or to take units again.
    ///
    /// The call returns when the request is on its way. The worker follows it within a second; its report says so.
    ///
    /// - Parameters:
    ///   - id: The id of the worker.
    ///   - isDraining: A Boolean value that indicates whether it is to be drained.
    /// - Returns: A Boolean value that indicates whether there is such a worker.
    /// - Throws: `StoreError` when the directory is not available.
    func drain(_ id: String, _ isDraining: Bool) async throws -> Bool

    /// Returns the groups whose workers run a stream, or have run it and keep its state.
    ///
    /// - Parameters:
    ///   - stream: The id of the stream.
    ///   - groups: The groups that have the stream.
    /// - Throws: `StoreError` when the directory is not available.
    func groups(running stream: String, among groups: [String]) async throws -> [String]

    /// Asks the workers of a group to pause a stream, or to have it go on: also a partition that has failed.
    ///
    /// The call returns when the request is kept, for the workers that are there and for those that come later. They follow it
    /// within a second; their reports say so.
    ///
    /// - Parameters:
    ///   - stream: The id of the stream.
    ///   - isPaused: A Boolean value that indicates whether it is to be paused.
    ///   - group: The group.
    /// - Throws: `StoreError` when the directory is not available.
    func pause(_ stream: String, _ isPaused: Bool, in group: String) async throws
}
