import Foundation
public import Sluice

/// Records what a transport answers into a file, once, and plays it from there ever after.
///
/// ```swift
/// let cassette = try Cassette("Fixtures/users.json")
/// let transport = cassette.andThen(HTTPTransport())  // the first run records, every other plays
/// ```
///
/// Each recorded exchange is played once; equal requests get their answers in the order in which they were recorded. A
/// request that is not on the cassette is an error that shows the nearest one that is. Secrets are redacted before
/// anything is written (``Redaction``): the caller who records gets the answer as it came, who plays gets it redacted.
///
/// The file is written after each exchange, at once or not at all; an answer that arrives in chunks passes on as it
/// comes, and is recorded when its end was read. What fails is not recorded. Bodies are held in memory.
public final class Cassette: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    /// When a cassette records and when it plays.
    public enum Mode: Sendable, Hashable {
        /// Plays; a file that is not there is an error. For continuous integration.
        case replay
        /// Records everything if the file is not there, else plays.
        case recordIfMissing
        /// Plays what is on the cassette, records what is not and adds it.
        case extend
        /// Records everything, in place of what was there.
        case recordAnew
    }

    /// In which order a cassette plays.
    public enum Order: Sendable, Hashable {
        /// In that of the requests that come.
        case any
        /// In that in which it was recorded; another request is an error.
        case strict
    }

    private let path: String?
    private let playsFile: Bool
    private let records: Bool
    private let matching: RequestMatching
    private let redaction: Redaction
    private let maximumBodyBytes: Int
    private let state: Locked<CassetteState>
    /// Writes the file, off the threads of tasks; what it has written is touched by it alone.
    private let writer = DispatchQueue(label: "sluice.cassette")
    private let writtenVersion = Locked(0)

    /// A cassette with a file; reads it at once, if it is there and played, and blocks while it does.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - mode: when to record, when to play.
    ///   - order: in which order to play.
    ///   - matching: when two requests are the same.
    ///   - redacting: what is a secret.
    ///   - maximumBodyBytes: requests and answers whose body is longer are refused; 64 MiB by default.
    /// - Throws: ``CassetteError`` when the file cannot be read or is no cassette; it says the line and the column.
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

    /// A cassette without a file, which plays these exchanges: from a HAR, or made by hand.
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

    /// What is on the cassette, in the order of the requests; redacted.
    public var exchanges: [RecordedExchange] { state.withLock { $0.exchanges } }

    /// What was recorded and nobody asked for: a test that has used everything finds none.
    public var unplayed: [RecordedExchange] { state.withLock { $0.unplayed } }

    /// The cassette alone, as a transport: what it would have to record is an error.
    public var transport: AnyNode<TransportRequest, TransportResponse> {
        AnyNode("Cassette") { [self] request in
            try play(try await key(of: request), request.summary)
        }
    }

    /// Answers from the cassette; calls `next` for what is to be recorded.
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

    /// `Cassette(users.json)`.
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

    /// The answer, whose chunks are recorded as they pass.
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

    /// Writes the file, unless a writer before this one has seen the same.
    private func write(to path: String) throws {
        let (version, exchanges) = state.withLock { ($0.version, $0.exchanges) }
        guard version > writtenVersion.withLock({ $0 }) else { return }
        try CassetteDocument(exchanges).write(to: path)
        writtenVersion.withLock { $0 = version }
    }
}
