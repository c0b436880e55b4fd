#if Hub
import Foundation
import Sluice
import SluiceFilters
import SluiceRuns
import SluiceStreams

/// Outputs of this hub that subscribers of other hubs, or on workers, ask for.
extension SubscriptionDesk {
    /// The number of runs before the present one that are looked through for the last shared output.
    private static let runsToLookAt = 8

    /// Shares the outputs that others ask for, until the task is canceled. A request that nobody has repeated for a day is no
    /// longer served.
    func shareOutputs() async {
        guard let shared, let store = store as? any SinkStore else { return }
        let wanted = OutputRequests(timer: timer)
        await withDiscardingTaskGroup { tasks in
            while !Task.isCancelled {
                do {
                    for try await request in try await shared.requests() {
                        // The end of a request ends its task at the next output. Each request has a task, and so a copy, of its
                        // own: one from now on and one from the start do not wait for each other.
                        _ = wanted.removeExpired()
                        guard wanted.note(request) else { continue }
                        tasks.addTask { await self.share(request, from: store, over: shared, while: wanted) }
                    }
                } catch {}  // the cluster is away: its requests come again
                await pause()
            }
        }
    }

    /// Shares the outputs of a stream as they are stored.
    private func share(
        _ request: SharedOutputRequest,
        from store: any SinkStore,
        over shared: any SharedOutputs,
        while wanted: OutputRequests
    ) async {
        let stream = request.stream
        await following(stream) { notes, note in
            var place: OutputPlace?
            var names: [Int: String] = [:]
            var limit = 1
            for await _ in notes {
                _ = wanted.removeExpired()
                guard wanted.contains(request) else { return }
                do {
                    guard try await store.read(stream) != nil else { continue }
                    var last: OutputPlace
                    if let place {
                        last = place
                    } else {
                        last = try await beginning(of: request, in: store, over: shared)
                        place = last
                    }
                    while case let outputs = try await page(of: stream, after: last, &limit), !outputs.isEmpty {
                        for output in outputs {
                            if output.kind != .completed {
                                let name: String
                                if let known = names[output.run] {
                                    name = known
                                } else {
                                    name = try await store.name(ofRun: output.run, of: stream)
                                    names = [output.run: name]
                                }
                                try await shared.share(output, ofRun: name, for: request)
                            }
                            last = output.place
                            place = last
                        }
                    }
                } catch is CancellationError { return } catch {
                    // The store or the cluster is away.
                    await pause()
                    note()
                }
            }
        }
    }

    /// Returns the place after which outputs are shared for a request: the last one that an earlier process of this hub has shared,
    /// or the beginning that a new subscriber asks for.
    private func beginning(
        of request: SharedOutputRequest,
        in store: any SinkStore,
        over shared: any SharedOutputs
    ) async throws -> OutputPlace {
        let stream = request.stream
        let last = try await store.lastRun(of: stream)
        guard last > 0 else { return .start }
        for run in (max(1, last - Self.runsToLookAt)...last).reversed() {
            let name = try await store.name(ofRun: run, of: stream)
            if let sequence = try await shared.lastShared(ofRun: name, for: request) {
                return OutputPlace(run: run, sequence: sequence)
            }
        }
        if request.isFromStart { return .start }
        let run = try await store.run(of: stream)
        return OutputPlace(run: run?.run ?? last, sequence: run?.outputs ?? 0)
    }

    /// Waits for a second, or until the task is canceled.
    private func pause() async {
        let signal = Signal()
        let alarm = timer.schedule(at: timer.now.advanced(byClamping: Self.patience)) { signal.notify() }
        await signal.wait()
        alarm.cancel()
    }
}
#endif
