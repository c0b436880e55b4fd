public import CoreMetrics
import Foundation
import HTTPTypes
public import Sluice
import SluiceFilters

/// Measures requests, as OpenTelemetry words it: `http.client.request.duration`.
///
/// ```swift
/// let node = HTTPMetricsFilter().andThen(HTTPTransport())
/// ```
///
/// A timer for each `http.request.method`, `server.address`, `server.port`, `http.response.status_code`, `error.type`
/// and `url.template` (``TransportRequest/template``). It measures until the head of the answer is there; a body that is
/// streamed comes after. Requests that are cancelled have the `error.type` `canceled`.
///
/// There are at most a thousand timers. What would need one more is counted with no server and no template, so that
/// addresses which others choose cost no memory without end.
public struct HTTPMetricsFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let durations: Durations
    private let timer: CallTimer

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - factory: where the timers are made; `nil`, the default, is the one that the program has set up.
    ///   - clock: measures the duration.
    public init(factory: (any MetricsFactory)? = nil, clock: any Clock<Duration> = .continuous) {
        durations = Durations(factory ?? MetricsSystem.factory)
        timer = .of(clock)
    }

    /// Calls `next`, and measures it.
    ///
    /// - Throws: the error of `next`.
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        let start = timer.now
        let result: Result<TransportResponse, any Error>
        do { result = .success(try await next.process(request)) } catch { result = .failure(error) }
        durations.record(timer.now - start, request, result)
        return try result.get()
    }

    /// `HTTPMetricsFilter`.
    public var description: String { "HTTPMetricsFilter" }

    private final class Durations: Sendable {
        private struct Key: Hashable {
            let method: String
            let server: String?
            let port: Int?
            let template: String?
            let status: Int?
            let error: String?

            var dimensions: [(String, String)] {
                [
                    (HTTPSemantics.method, method), (HTTPSemantics.serverAddress, server),
                    (HTTPSemantics.serverPort, port.map(String.init)), (HTTPSemantics.template, template),
                    (HTTPSemantics.status, status.map(String.init)), (HTTPSemantics.errorType, error),
                ].compactMap { name, value in value.map { (name, $0) } }
            }

            var withoutServer: Key {
                Key(method: method, server: nil, port: nil, template: nil, status: status, error: error)
            }
        }

        private static let most = 1000
        private let factory: any MetricsFactory
        private let timers = Locked<[Key: CoreMetrics.Timer]>([:])

        init(_ factory: any MetricsFactory) { self.factory = factory }

        func record(_ nanoseconds: Int64, _ request: TransportRequest, _ result: Result<TransportResponse, any Error>) {
            let isCanceled = if case .failure(let error) = result { error is CancellationError } else { false }
            let key = Key(
                method: HTTPSemantics.isKnown(request.method) ? request.method.rawValue : HTTPSemantics.other,
                server: request.url.host,
                port: HTTPSemantics.port(request.url),
                template: request.template,
                status: HTTPSemantics.status(result),
                error: isCanceled ? "canceled" : HTTPSemantics.errorType(result)
            )
            timer(key).recordNanoseconds(nanoseconds)
        }

        private func timer(_ key: Key) -> CoreMetrics.Timer {
            timers.withLock { timers in
                if let timer = timers[key] { return timer }
                let key = timers.count < Self.most ? key : key.withoutServer
                if let timer = timers[key] { return timer }
                let timer = CoreMetrics.Timer(
                    label: HTTPSemantics.duration,
                    dimensions: key.dimensions,
                    factory: factory
                )
                timers[key] = timer
                return timer
            }
        }
    }
}
