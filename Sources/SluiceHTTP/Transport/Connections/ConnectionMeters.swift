#if HTTP
import CoreMetrics

/// The metrics of the connections of one transport, with the names of OpenTelemetry's conventions for HTTP clients.
struct ConnectionMeters: Sendable {
    private let open: Meter
    private let active: Meter
    private let waiting: Meter
    private let factory: any MetricsFactory

    init(_ factory: any MetricsFactory) {
        open = Meter(label: HTTPSemantics.openConnections, dimensions: [], factory: factory)
        active = Meter(label: HTTPSemantics.activeRequests, dimensions: [], factory: factory)
        waiting = Meter(label: HTTPSemantics.waitingRequests, dimensions: [], factory: factory)
        self.factory = factory
    }

    /// Notes a connection that was made.
    func opened() { open.increment() }

    /// Notes a connection that was closed, and how long it was open.
    func closed(_ version: String, after nanoseconds: Int64) {
        open.decrement()
        let dimensions = [(HTTPSemantics.protocolVersion, String(version.drop { $0 != "/" }.dropFirst()))]
        CoreMetrics.Timer(label: HTTPSemantics.connectionDuration, dimensions: dimensions, factory: factory)
            .recordNanoseconds(nanoseconds)
    }

    /// Notes the start or the end of an exchange on a connection.
    func running(_ isStart: Bool) { if isStart { active.increment() } else { active.decrement() } }

    /// Notes that a call begins or ends to wait for a connection.
    func waits(_ isStart: Bool) { if isStart { waiting.increment() } else { waiting.decrement() } }
}
#endif
