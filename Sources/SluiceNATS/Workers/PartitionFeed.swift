#if NATS
import Sluice
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// Publishes the run of a unit: to the report of its worker, and to the deliveries of its sinks.
final class PartitionFeed: UnwatchedPublisher {
    /// The sinks of the document, as the run has handed them over last.
    private struct Used {
        var sinks: [CompiledSink]
        var place: OutputPlace
        var keepsOthers: Bool
    }

    private let unit: WorkUnit
    private let group: String
    private let requests: OutputRequests
    private let used = Locked<Used?>(nil)
    /// The lock of the calls that hand sinks over: the last call has the newest sinks.
    private let handingOver = Locked(())
    private let status = Locked<RunStatus?>(nil)
    /// The number of messages that wait for the run; `nil` as long as it is not known.
    private let lag = Locked<Int?>(nil)
    /// The outputs that the sinks have still to deliver, and whether one of them is blocked.
    private let open = Locked((waiting: 0, isBlocked: false))
    /// The number of outputs that were not published again, since the subject had them.
    let repeats = Locked(0)
    /// The deliveries; `nil` before the run was opened.
    let deliveries = Locked<Deliveries?>(nil)
    private let onNews: @Sendable () -> Void
    private let tell: @Sendable (WorkerNotice) -> Void

    init(
        _ unit: WorkUnit,
        in group: String,
        _ requests: OutputRequests,
        onNews: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (WorkerNotice) -> Void
    ) {
        (self.unit, self.group, self.requests, self.onNews, tell) = (unit, group, requests, onNews, report)
    }

    var report: WorkerReport.Unit {
        let status = status.withLock { $0 }
        let reason = status.flatMap { $0.error ?? $0.waiting ?? $0.warning }
        let lag = lag.withLock { $0 }
        let state = status?.state.rawValue ?? "opening"
        var report = WorkerReport.Unit(unit: unit, state: state, reason: reason, behind: lag)
        open.withLock { (report.waiting, report.isBlocked) = ($0.waiting, $0.isBlocked) }
        return report
    }

    /// Notes what the sinks have still to deliver.
    func lookAtSinks() async {
        let figures = await sinks?.figures ?? []
        let waiting = figures.reduce(0) { $0 + $1.waiting }
        open.withLock { $0 = (waiting, figures.contains(where: \.isBlocked)) }
    }

    func noteLag(_ messages: UInt64) { lag.withLock { $0 = Int(clamping: messages) } }

    /// The state of the run; `nil` before it was opened.
    var state: RunState? { status.withLock { $0?.state } }

    /// A Boolean value that indicates whether the run has completed.
    var isCompleted: Bool { status.withLock { $0?.state == .completed } }

    private var sinks: Deliveries? { deliveries.withLock { $0 } }

    func publish(_ next: RunStatus, isNewRun: Bool) {
        let last = status.withLock { status in
            defer { status = next }
            return status
        }
        if let error = next.error, last?.error != error { tell(.failed(unit, error)) }
        if last?.state != next.state { onNews() }
    }

    func publish(_ event: StreamEvent<JSON>, number: Int, of status: RunStatus) {
        let place = OutputPlace(run: status.run, sequence: number)
        used.withLock { $0?.place = place }
        guard let sinks, sinks.takesOutputs(of: status.stream) else { return }
        let size = event.value.map { $0.description.utf8.count } ?? 0
        sinks.publish(place, size: size, of: status.stream)
    }

    func hasRoom(for stream: String) -> Bool { sinks?.hasRoom(for: stream) ?? true }
    func onSubscription(of stream: String, _ body: (@Sendable () -> Void)?) { sinks?.onRoom(of: stream, body) }

    func use(_ list: [CompiledSink], after number: Int, of status: RunStatus, keepsOthers: Bool) {
        let next = Used(sinks: list, place: OutputPlace(run: status.run, sequence: number), keepsOthers: keepsOthers)
        handingOver.withLock { _ in
            used.withLock { $0 = next }
            handOver(next)
        }
    }

    /// Begins or ends to share the outputs, as subscribers ask for them.
    func updateSharing() {
        handingOver.withLock { _ in if let used = used.withLock({ $0 }) { handOver(used) } }
    }

    /// Hands the sinks to the deliveries, with the one that shares the outputs where subscribers ask for them.
    private func handOver(_ used: Used) {
        var list = used.sinks
        if requests.contains(stream: unit.stream), !list.contains(where: { $0.id == OutputSharing.name }) {
            do { if let sink = try OutputSharing.sink(of: unit, in: group) { list.append(sink) } } catch {
                tell(.problem("\(unit): the outputs can't be shared: \(error)"))
            }
        }
        sinks?.use(list, of: unit.stream, after: used.place, keepsOthers: used.keepsOthers)
    }

    func noteStored(_ stream: String) { sinks?.noteStored(stream) }
    func forgetOutputs(of stream: String, upTo run: Int) { sinks?.forgetOutputs(of: stream, upTo: run) }
}
#endif
