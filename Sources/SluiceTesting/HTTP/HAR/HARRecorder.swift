public import Foundation
internal import HTTPTypes
public import Sluice
internal import SluiceFilters
public import SluiceHTTP

/// Keeps what passes, as an archive that browsers show.
///
/// ```swift
/// let recorder = HARRecorder()
/// let transport = recorder.andThen(HTTPTransport())
/// // calls
/// try recorder.har.write(to: "calls.har")  // secrets are redacted now
/// ```
///
/// It changes nothing: bodies that arrive in chunks pass on as they come, and those of requests that are files or
/// streams are left out. A request without an answer is kept with the status 0, as browsers do. Bodies are held in
/// memory.
public final class HARRecorder: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let timer: CallTimer
    private let began: Date
    private let origin: Int64
    private let maximumBodyBytes: Int
    private let slots = Locked([RecordedExchange?]())

    /// Makes a recorder.
    ///
    /// - Parameters:
    ///   - clock: measures the times.
    ///   - date: the date at which `clock` stands now.
    ///   - maximumBodyBytes: bodies that are longer pass, and are not kept; 64 MiB by default.
    public init(clock: any Clock<Duration> = .continuous, date: Date = Date(), maximumBodyBytes: Int = 64 << 20) {
        timer = .of(clock)
        began = date
        origin = timer.now
        self.maximumBodyBytes = maximumBodyBytes
    }

    /// What passed so far, in the order of the requests, with the secrets that it holds. An answer whose body was not
    /// read to its end has none.
    public var har: HAR { HAR(slots.withLock { $0.compactMap(\.self) }) }

    /// Calls `next` and keeps what it answers; throws the error of `next`, cancelled with the calling task.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        let index = slots.withLock { slots in
            slots.append(nil)
            return slots.count - 1
        }
        let start = timer.now
        var exchange = RecordedExchange(request, TransportResponse())
        exchange.started = began.addingTimeInterval(Double(start - origin) / 1e9)
        do {
            let response = try await next.process(request)
            exchange.waited = .nanoseconds(timer.now - start)
            exchange.response = TransportResponse(status: response.status, headers: response.headers)
            if let bytes = response.body.bytes, bytes.count <= maximumBodyBytes {
                exchange.response.body = ByteStream(bytes)
            }
            keep(exchange, at: index)
            return response.body.bytes == nil ? recording(response, of: exchange, at: index) : response
        } catch {
            exchange.waited = .nanoseconds(timer.now - start)
            let reason = (error as? HTTPError)?.message ?? "\(type(of: error))"
            exchange.response.status = HTTPResponse.Status(code: 0, reasonPhrase: reason)
            keep(exchange, at: index)
            throw error
        }
    }

    /// The answer, whose chunks are kept as they pass.
    private func recording(
        _ response: TransportResponse,
        of exchange: RecordedExchange,
        at index: Int
    ) -> TransportResponse {
        var passed = response
        let (timer, limit, head) = (timer, maximumBodyBytes, timer.now)
        passed.body = ByteStream {
            var chunks = response.body.makeAsyncIterator()
            var bytes: [UInt8]? = []
            return {
                if let chunk = try await chunks.next() {
                    if let count = bytes?.count, count + chunk.count <= limit { bytes? += chunk } else { bytes = nil }
                    return chunk
                }
                var exchange = exchange
                exchange.received = .nanoseconds(timer.now - head)
                exchange.response.body = ByteStream(bytes ?? [])
                self.keep(exchange, at: index)
                return nil
            }
        }
        return passed
    }

    private func keep(_ exchange: RecordedExchange, at index: Int) {
        slots.withLock { $0[index] = exchange }
    }

    /// `HARRecorder`.
    public var description: String { "HARRecorder" }
}
