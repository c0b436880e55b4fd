#if HTTP
import NIOCore
import Sluice
import SluiceFilters

/// The counter of the connections of one transport, which also passes their events on.
final class ConnectionMonitor: Sendable {
    fileprivate struct State {
        var metrics = PoolMetrics()
        /// The calls that AsyncHTTPClient has, from the request to the head of the answer.
        var calls = 0
        /// The exchanges whose head was written and has not been answered yet.
        var unanswered = 0
    }

    private let state = Locked(State())
    private let onEvent: (@Sendable (ConnectionEvent) -> Void)?
    /// The metrics for a backend of swift-metrics; `nil` if nobody asked for them.
    private let meters: ConnectionMeters?
    private static let last = Locked(0)

    init(_ onEvent: (@Sendable (ConnectionEvent) -> Void)? = nil, _ meters: ConnectionMeters? = nil) {
        self.onEvent = onEvent
        self.meters = meters
    }

    /// The metrics at this moment.
    var metrics: PoolMetrics {
        state.withLock { state in
            var metrics = state.metrics
            metrics.waiting = max(state.calls - state.unanswered, 0)
            return metrics
        }
    }

    /// Counts a call that waits for a connection and then for its answer, until it returns.
    nonisolated(nonsending) func counting<Result>(
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        state.withLock { $0.calls += 1 }
        meters?.waits(true)
        defer {
            state.withLock { $0.calls -= 1 }
            meters?.waits(false)
        }
        return try await body()
    }

    /// Makes the record of a connection that was just made.
    func connected(_ channel: any Channel, _ version: String) -> ConnectionRecord {
        let number = Self.last.withLock { number in
            number += 1
            return number
        }
        let address = channel.remoteAddress.map { address in
            "\(address.ipAddress ?? "")\(address.port.map { ":\($0)" } ?? "")"
        }
        let record = ConnectionRecord(number: number, version: version, address: address ?? "", monitor: self)
        meters?.opened()
        note(.connected, record) {
            $0.metrics.made += 1; $0.metrics.open += 1
        }
        return record
    }

    fileprivate func note(_ kind: ConnectionEvent.Kind, _ record: ConnectionRecord, _ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        guard let onEvent else { return }
        onEvent(
            ConnectionEvent(
                kind: kind,
                connection: record.number,
                version: record.version,
                address: record.address,
                time: .now
            )
        )
    }

    fileprivate var isWatched: Bool { onEvent != nil }

    /// A connection, and what happens on it.
    final class ConnectionRecord: Sendable {
        let number: Int
        let version: String
        let address: String
        private let start = ContinuousClock.now
        private let monitor: ConnectionMonitor

        fileprivate init(number: Int, version: String, address: String, monitor: ConnectionMonitor) {
            self.number = number
            self.version = version
            self.address = address
            self.monitor = monitor
        }

        /// Notes that the head of a request was written.
        func sent(_ method: @autoclosure () -> String, _ uri: @autoclosure () -> String, isReused: Bool) {
            let kind: ConnectionEvent.Kind =
                monitor.isWatched
                ? .sent(method: method(), path: String(uri().prefix { $0 != "?" }), isReused: isReused) : .connected
            monitor.meters?.waits(false)
            monitor.meters?.running(true)
            monitor.note(kind, self) {
                $0.metrics.sent += 1
                $0.metrics.running += 1
                $0.unanswered += 1
                if isReused { $0.metrics.reused += 1 }
            }
        }

        /// Notes the first byte of an answer.
        func begun() { monitor.note(.firstByte, self) { _ in } }

        /// Notes that the head of an answer has arrived, or that none will.
        func answered() {
            monitor.state.withLock { $0.unanswered -= 1 }
            // The call ends now, and with it its wait.
            monitor.meters?.waits(true)
        }

        /// Notes that an exchange has ended.
        func finished(_ kind: ConnectionEvent.Kind) {
            monitor.meters?.running(false)
            monitor.note(kind, self) { $0.metrics.running -= 1 }
        }

        /// Notes that the connection is closed.
        func closed() {
            monitor.meters?.closed(version, after: (ContinuousClock.now - start).nanoseconds)
            monitor.note(.closed, self) { $0.metrics.open -= 1 }
        }
    }
}

/// A connection, and what happens on it.
typealias ConnectionRecord = ConnectionMonitor.ConnectionRecord
#endif
