#if NATS
public import SluiceJSON
public import SluiceRuns

/// News of a worker.
public enum WorkerNotice: Sendable {
    /// The worker has other units than before.
    ///
    /// - Parameters:
    ///   - units: Its units, in order.
    ///   - all: The number of units of the group.
    ///   - workers: The number of workers of the group.
    case assigned([WorkUnit], of: Int, workers: Int)
    /// The worker gives its units to the others, as it was asked, and takes no more; or takes units again.
    case draining(Bool)
    /// A run has failed; it is restarted as the settings say.
    case failed(WorkUnit, String)
    /// A revision can't run. The one before it goes on.
    case refused(stream: String, revision: Int, errors: JSONErrors)
    /// NATS does not answer. Runs go on with the last documents, and nothing is delivered until it does.
    case away(reason: String)
    /// NATS answers again.
    case back
    /// Something that the worker tries again.
    case problem(String)
}
#endif
