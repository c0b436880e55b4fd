#if HTTP
public import CoreMetrics
import Foundation
import HTTPTypes
public import Sluice
public import SluiceFilters

/// A filter that measures requests on the wire, with the names of OpenTelemetry (`http.client.request.duration`), or
/// whole calls.
///
/// ```swift
/// let node = HTTPMetricsFilter(.calls)
///     .andThen(RetryFilter.http())
///     .andThen(HTTPMetricsFilter())
///     .andThen(HTTPTransport())
/// ```
///
/// There is a timer for each combination of `http.request.method`, `server.address`, `server.port`,
/// `http.response.status_code`, `error.type`, and `url.template` (``TransportRequest/template``). It measures until the
/// head of the answer arrives; a streamed body comes later. Canceled requests have the `error.type` `canceled`.
///
/// Put the filter for requests inside the redirects, the cache, and the retry: it then counts each request on the wire,
/// including failed attempts, but no answers from the cache. ``Measured/calls`` is for the outside.
///
/// There are at most a thousand timers. Further combinations are counted without server and template, so that addresses
/// chosen by others can't use unlimited memory.
public struct HTTPMetricsFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    /// The kind of calls that a filter measures.
    public enum Measured: Sendable, Hashable {
        /// Requests on the wire, one for each attempt of each hop: `http.client.request.duration`.
        case requests
        /// Whole calls, with all redirects, attempts, and answers from the cache: `sluice.client.call.duration`.
        case calls
    }

    private let measured: Measured
    private let durations: Durations
    private let timer: CallTimer

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - measured: the kind of calls that it measures; it decides the position of the filter in a chain.
    ///   - factory: the factory of the timers; `nil`, the default, is the one that the program has set up.
    ///   - clock: the clock that measures the duration.
    public init(
        _ measured: Measured = .requests,
        factory: (any MetricsFactory)? = nil,
        clock: any Clock<Duration> = .continuous
    ) {
        self.measured = measured
        let label = measured == .calls ? HTTPSemantics.callDuration : HTTPSemantics.duration
        durations = Durations(factory ?? MetricsSystem.factory, label: label)
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

    /// The description `HTTPMetricsFilter`.
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
        private let label: String
        private let timers = Locked<[Key: CoreMetrics.Timer]>([:])

        init(_ factory: any MetricsFactory, label: String) {
            self.factory = factory
            self.label = label
        }

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
                    label: label,
                    dimensions: key.dimensions,
                    factory: factory
                )
                timers[key] = timer
                return timer
            }
        }
    }
}

extension HTTPMetricsFilter: ChainStage {
    /// The declaration: per attempt, or per call if calls are measured.
    public var declaration: StageDeclaration { StageDeclaration(measured == .requests ? .attempt : .call) }
    /// The role ``SluiceFilters/StackRole/wireStats``, or ``SluiceFilters/StackRole/stats`` if calls are measured.
    public var stackRole: StackRole { measured == .requests ? .wireStats : .stats }
}

extension StageName {
    /// Measurements of the requests on the wire.
    public static let metrics = StageName("metrics", .attempt)
}

extension Filter where Self == HTTPMetricsFilter {
    /// A filter that measures requests on the wire, for the stage `metrics`; see `HTTPMetricsFilter`.
    ///
    /// ```swift
    /// let builder = URLChainBuilder<UserRoute>().set(.metrics, .metrics)
    /// ```
    public static var metrics: Self { HTTPMetricsFilter() }
}
#endif
