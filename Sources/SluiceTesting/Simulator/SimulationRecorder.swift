internal import Sluice
internal import SluiceFilters

/// A recorder of the events of a simulation.
final class SimulationRecorder: Sendable {
    /// The end of a call to an endpoint.
    enum End: Sendable {
        case success, failure, canceled, refused

        init(_ error: any Error) {
            switch error {
            case is CancellationError: self = .canceled
            case is OverloadedError, is RateLimitError, is SheddingError, is DeadlineError: self = .refused
            default: self = .failure
            }
        }
    }

    private let slice: Int64
    private let storage: Locked<(report: SimulationReport, running: Int)>

    init(slice: Duration, endpoints: [SimulatedEndpoint]) {
        self.slice = max(slice.nanoseconds, 1)
        let loads = endpoints.map { SimulationReport.Load(name: $0.name) }
        storage = Locked((SimulationReport(slice: .nanoseconds(self.slice), endpoints: loads), 0))
    }

    /// The number of calls that have not ended.
    var running: Int { storage.withLock { $0.running } }

    var report: SimulationReport {
        storage.withLock { storage in
            storage.report.successTimes.sort()
            storage.report.failureTimes.sort()
            for index in storage.report.slices.indices { storage.report.slices[index].successTimes.sort() }
            return storage.report
        }
    }

    func callBegan(at time: Int64) {
        storage.withLock { storage in
            storage.running += 1
            storage.report[at: Int(time / slice)].calls += 1
        }
    }

    func callEnded(began: Int64, at time: Int64, error: (any Error)?) {
        storage.withLock { storage in
            storage.running -= 1
            guard let error else {
                storage.report.successTimes.append(time - began)
                storage.report[at: Int(began / slice)].successTimes.append(time - began)
                return
            }
            storage.report.failureTimes.append(time - began)
            storage.report.note(error)
            storage.report[at: Int(began / slice)].errors["\(type(of: error))", default: 0] += 1
        }
    }

    func tryBegan(_ endpoint: Int, at time: Int64) {
        storage.withLock { storage in
            storage.report[at: Int(time / slice)].tries += 1
            storage.report.endpoints[endpoint].begin()
        }
    }

    func tryEnded(_ endpoint: Int, _ end: End) {
        storage.withLock { $0.report.endpoints[endpoint].end(end) }
    }
}

extension SimulationReport {
    fileprivate subscript(at index: Int) -> Slice {
        // In place, so that the times of a slice are not copied for each call.
        _modify {
            if index >= slices.count { slices += Array(repeating: Slice(), count: index + 1 - slices.count) }
            yield &slices[index]
        }
        get { index < slices.count ? slices[index] : Slice() }
    }
}

extension SimulationReport.Load {
    fileprivate mutating func begin() {
        tries += 1
        running += 1
        peak = max(peak, running)
    }

    fileprivate mutating func end(_ end: SimulationRecorder.End) {
        running -= 1
        switch end {
        case .success: successes += 1
        case .failure: failures += 1
        case .canceled: canceled += 1
        case .refused: refused += 1
        }
    }
}
