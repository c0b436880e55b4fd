#if HTTP
import Foundation
public import Sluice
public import SluiceHTTP

/// A filter that records the answers of a transport in a file, and replays them from there.
///
/// ```swift
/// let cassette = try Cassette("Fixtures/users.json")
/// let transport = cassette.andThen(HTTPTransport())  // the first run records, every other plays
/// ```
///
/// Each recorded exchange is played once; equal requests get their answers in the order in which they were recorded. A
/// request that is not on the cassette causes an error that shows the nearest recorded one. Secrets are redacted before
/// anything is written (``Redaction``): during recording the caller gets the original answer, and during replay the
/// redacted one.
///
/// The file is replaced atomically after each exchange. A streamed answer is passed on as it arrives, and is recorded
/// when it has been read to its end. Failures are not recorded. Bodies are held in memory.
public final class Cassette: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    /// The mode of a cassette: recording or playing.
    public enum Mode: Sendable, Hashable {
        /// Plays; a missing file is an error. For continuous integration.
        case replay
        /// Records everything if the file is missing, otherwise plays.
        case recordIfMissing
        /// Plays the requests on the cassette, and records and adds the others.
        case extend
        /// Records everything, and replaces the previous recording.
        case recordAnew
    }

    /// The order in which a cassette plays.
    public enum Order: Sendable, Hashable {
        /// The order of the incoming requests.
        case any
        /// The order of the recording; any other request is an error.
        case strict
    }

    private let path: String?
    private let playsFile: Bool
    private let records: Bool
    private let matching: RequestMatching
    private let redaction: Redaction
    private let maximumBodyBytes: Int
    private let state: Locked<CassetteState>
    /// The queue that writes the file, off the threads of tasks; only this queue accesses the writer's state.
    private let writer = DispatchQueue(label: "sluice.cassette")
    private let writtenVersion = Locked(0)

    /// Makes a cassette with a file, which is read immediately if it exists and is played; blocks meanwhile.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - mode: the mode: recording or playing.
    ///   - order: the order in which to play.
    ///   - matching: the rule for when two requests are the same.
    ///   - redaction: The secrets to redact.
    ///   - maximumBodyBytes: the longest body of a request or an answer that is accepted; 64 MiB by default.
    /// - Throws: ``CassetteError`` when the file cannot be read or is not a cassette; the error names the line and the
    ///   column.
    public init(
        _ path: String,
        mode: Mode = .recordIfMissing,
        order: Order = .any,
        matching: RequestMatching = RequestMatching(),
        redacting redaction: Redaction = .standard,
        maximumBodyBytes: Int = 64 << 20
    ) throws {
        let isThere = FileManager.default.fileExists(atPath: path)
        switch mode {
        case .replay: (playsFile, records) = (true, false)
        case .recordIfMissing: (playsFile, records) = (isThere, !isThere)
        case .extend: (playsFile, records) = (isThere, true)
        case .recordAnew: (playsFile, records) = (false, true)
        }
        let exchanges = playsFile ? try CassetteDocument(contentsOf: path).exchanges : []
        self.path = path
        self.matching = matching
        self.redaction = redaction
        self.maximumBodyBytes = maximumBodyBytes
        let keyed = exchanges.map { ($0, matching.key(redaction.redacted($0.request))) }
        state = Locked(CassetteState(keyed, order: order, name: "the cassette \(path)"))
    }

    /// Makes a cassette without a file, which plays the given exchanges: from a HAR, or made by hand.
    public init(
        replaying exchanges: [RecordedExchange],
        order: Order = .any,
        matching: RequestMatching = RequestMatching(),
        redacting redaction: Redaction = .standard,
        maximumBodyBytes: Int = 64 << 20
    ) {
        path = nil
        (playsFile, records) = (true, false)
        self.matching = matching
        self.redaction = redaction
        self.maximumBodyBytes = maximumBodyBytes
        let keyed = exchanges.map { ($0, matching.key(redaction.redacted($0.request))) }
        state = Locked(CassetteState(keyed, order: order, name: "the cassette"))
    }

    /// The exchanges on the cassette, in the order of the requests; redacted.
    public var exchanges: [RecordedExchange] { state.withLock { $0.exchanges } }

    /// The recorded exchanges that were not requested: empty after a test that used all of them.
    public var unplayed: [RecordedExchange] { state.withLock { $0.unplayed } }

    /// The cassette alone, as a transport: a request that it would have to record is an error.
    public var transport: AnyNode<TransportRequest, TransportResponse> {
        AnyNode("Cassette") { [self] request in
            try play(try await key(of: request), request.summary)
        }
    }

    /// Answers from the cassette, and calls `next` for requests that are recorded.
    ///
    /// - Throws: ``CassetteError`` when the request is not on it, or the file cannot be written;
    ///   ``ByteStreamError/tooLong(limit:)`` when a body is longer than allowed; the error of `next`.
    /// - Cancellation: cancels `next`; nothing is recorded.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        let collected = try await request.collected(upTo: maximumBodyBytes)
        let key = matching.key(redaction.redacted(collected))
        if playsFile {
            do {
                return try play(key, request.summary)
            } catch let error as CassetteError {
                guard records, error.code != .outOfOrder else { throw error }
            }
        }
        let slot = state.withLock { $0.begin(key) }
        let isReplayable = request.body?.isReplayable ?? true
        let response = try await next.process(isReplayable ? request : collected)
        if let bytes = response.body.bytes {
            if bytes.count > maximumBodyBytes { throw ByteStreamError.tooLong(limit: maximumBodyBytes) }
            try await record(slot, RecordedExchange(collected, response))
            return response
        }
        return recording(response, to: collected, slot)
    }

    /// The description `Cassette(users.json)`.
    public var description: String { path.map { "Cassette(\($0))" } ?? "Cassette" }

    nonisolated(nonsending) private func key(of request: TransportRequest) async throws -> RequestMatching.Key {
        matching.key(redaction.redacted(try await request.collected(upTo: maximumBodyBytes)))
    }

    private func play(_ key: RequestMatching.Key, _ summary: String) throws -> TransportResponse {
        switch state.withLock({ $0.play(key, summary) }) {
        case .play(let exchange): return exchange.response
        case .refuse(let error): throw error
        }
    }

    /// Returns the answer with a body whose chunks are recorded as they pass.
    private func recording(_ response: TransportResponse, to request: TransportRequest, _ slot: Int)
        -> TransportResponse
    {
        var passed = response
        let limit = maximumBodyBytes
        passed.body = ByteStream {
            var chunks = response.body.makeAsyncIterator()
            var bytes: [UInt8] = []
            return {
                if let chunk = try await chunks.next() {
                    if bytes.count + chunk.count > limit { throw ByteStreamError.tooLong(limit: limit) }
                    bytes += chunk
                    return chunk
                }
                var whole = response
                whole.body = ByteStream(bytes)
                try await self.record(slot, RecordedExchange(request, whole))
                return nil
            }
        }
        return passed
    }

    nonisolated(nonsending) private func record(_ slot: Int, _ exchange: RecordedExchange) async throws {
        let redacted = redaction.redacted(exchange)
        state.withLock { $0.end(slot, redacted) }
        guard let path else { return }
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            writer.async { [self] in
                done.resume(with: Result { try write(to: path) })
            }
        }
    }

    /// Writes the file, unless a previous write already included the same state.
    private func write(to path: String) throws {
        let (version, exchanges) = state.withLock { ($0.version, $0.exchanges) }
        guard version > writtenVersion.withLock({ $0 }) else { return }
        try CassetteDocument(exchanges).write(to: path)
        writtenVersion.withLock { $0 = version }
    }
}
#endif
