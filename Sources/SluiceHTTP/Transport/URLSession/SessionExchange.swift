#if HTTP
#if canImport(Darwin) || URLSession
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An exchange of a session: its head, and then the chunks of its body.
final class SessionExchange: Sendable {
    /// The head of an answer.
    struct Head: Sendable {
        let status: HTTPResponse.Status
        let fields: HTTPFields
    }

    private enum Event: Sendable {
        case head(Head)
        case chunk([UInt8])
    }

    private let task: URLSessionTask
    private let upload: SessionUpload
    private let events: AsyncThrowingStream<Event, any Error>
    private let arrival: AsyncThrowingStream<Event, any Error>.Continuation
    private let gotHead = Locked(false)
    /// The maximum number of bytes of an answer that is received as a file.
    private let fileLimit: Int

    init(_ task: URLSessionTask, _ upload: SessionUpload, fileLimit: Int? = nil) {
        self.task = task
        self.upload = upload
        self.fileLimit = fileLimit ?? .max
        (events, arrival) = AsyncThrowingStream.makeStream()
    }

    deinit { task.cancel() }

    /// A Boolean value that indicates whether the head has arrived.
    var hasHead: Bool { gotHead.withLock { $0 } }

    func cancel() { task.cancel() }

    // MARK: What the session reports

    func receive(_ response: URLResponse?) {
        let isFirst = gotHead.withLock { got in
            defer { got = true }
            return !got
        }
        guard isFirst else { return }
        guard let response = response as? HTTPURLResponse, (100...999).contains(response.statusCode) else {
            arrival.finish(throwing: NotHTTP())
            return
        }
        var fields = HTTPFields()
        for (name, value) in response.allHeaderFields {
            guard let name = HTTPField.Name("\(name)") else { continue }
            fields.append(HTTPField(name: name, value: "\(value)"))
        }
        arrival.yield(.head(Head(status: .init(code: response.statusCode), fields: fields)))
    }

    func receive(_ data: Data) { if !data.isEmpty { arrival.yield(.chunk(Array(data))) } }

    /// Ends the exchange when the file in which its answer arrives is longer than allowed.
    func receive(fileOfLength length: Int64) {
        guard length > fileLimit else { return }
        finish(ByteStreamError.tooLong(limit: fileLimit))
        task.cancel()
    }

    /// Receives the file in which the answer has arrived.
    func receive(_ file: URL) {
        do { receive(try Self.contents(of: file, upTo: fileLimit)) } catch { finish(error) }
    }

    /// Reads a file, unless it is longer than allowed.
    ///
    /// - Throws: ``ByteStreamError/tooLong(limit:)``, without reading the file; the error of the file system.
    static func contents(of file: URL, upTo limit: Int) throws -> Data {
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
        if let size, size > limit { throw ByteStreamError.tooLong(limit: limit) }
        return try Data(contentsOf: file)
    }

    func finish(_ error: (any Error)?) { arrival.finish(throwing: error) }

    // MARK: What the caller reads

    /// Waits for the head.
    nonisolated(nonsending) func head() async throws -> Head {
        for try await case .head(let head) in events { return head }
        throw Task.isCancelled ? CancellationError() : NotHTTP() as any Error
    }

    /// Returns the body, which retains the exchange and ends at the deadline.
    func stream(_ request: TransportRequest, _ deadline: BodyDeadline? = nil) -> ByteStream {
        ByteStream { [self] in
            let source = Source(self)
            return { [self] in
                do {
                    guard let deadline else { return try await Self.chunk(of: source) }
                    return try await deadline.limit { try await Self.chunk(of: source) }
                } catch {
                    if error is DeadlineError { cancel() }
                    throw Self.error(error, hasHead: true, request)
                }
            }
        }
    }

    nonisolated(nonsending) private static func chunk(of source: Source) async throws -> [UInt8]? {
        let chunk = try await source.next()
        if chunk == nil { try Task.checkCancellation() }
        return chunk
    }

    /// The iterator of the events, for closures that cross tasks.
    ///
    /// `@unchecked Sendable`: a ``ByteStream`` is read once, by one task at a time, and each call of ``next()`` ends
    /// before the next one begins.
    private final class Source: @unchecked Sendable {
        /// The exchange, which ends when nothing refers to it anymore.
        private let exchange: SessionExchange
        private var iterator: AsyncThrowingStream<Event, any Error>.AsyncIterator

        init(_ exchange: SessionExchange) {
            self.exchange = exchange
            iterator = exchange.events.makeAsyncIterator()
        }

        nonisolated(nonsending) func next() async throws -> [UInt8]? {
            while let event = try await iterator.next(isolation: #isolation) {
                if case .chunk(let chunk) = event { return chunk }
            }
            return nil
        }
    }

    /// Returns the error for callers that corresponds to an error of the session.
    static func error(_ error: any Error, hasHead: Bool, _ request: TransportRequest) -> any Error {
        if error is DeadlineError {
            let text = "\(hasHead ? "the answer broke off" : "no answer"): \(error)"
            return HTTPError(.timedOut, sent: request, text, timeout: .total, cause: error)
        }
        if Task.isCancelled || error is CancellationError { return CancellationError() }
        if error is ByteStreamError { return HTTPError(.bodyTooLarge, "\(error)", request: request) }
        if hasHead, !(error is HTTPError) {
            return HTTPError(.unreachable, sent: request, "the answer broke off: \(error.localizedDescription)")
        }
        guard let failure = error as? URLError else {
            return error is HTTPError
                ? error
                : HTTPError(.unreachable, sent: request, "no answer: \(error.localizedDescription)", cause: error)
        }
        let text = failure.localizedDescription
        switch failure.code {
        case .timedOut: return HTTPError(.timedOut, sent: request, "no answer in time", timeout: .idle)
        case .cancelled: return HTTPError(.failed, "the session ended the request", request: request)
        case .badURL, .unsupportedURL:
            return HTTPError(.badRequest, "no address of a web server", request: request, isUnsent: true)
        case .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .notConnectedToInternet, .secureConnectionFailed,
            .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid, .clientCertificateRejected, .clientCertificateRequired:
            return HTTPError(.unreachable, "no connection: \(text)", request: request, cause: failure, isUnsent: true)
        default: return HTTPError(.unreachable, sent: request, "no answer: \(text)", cause: failure)
        }
    }
}

/// The body of a request, in the form in which a session takes it.
final class SessionUpload: Sendable {
    /// The bytes in memory; `nil` for a file, and without a body.
    let bytes: Data?
    /// The file; `nil` for bytes, and without a body.
    let file: URL?
    private let isTemporary: Bool

    nonisolated(nonsending) init(_ body: RequestBody?, inFile: Bool) async throws {
        switch body {
        case nil: (bytes, file, isTemporary) = (nil, nil, false)
        case .file(let path)?: (bytes, file, isTemporary) = (nil, URL(fileURLWithPath: path), false)
        case .bytes(let all)?: (bytes, file, isTemporary) = try Self.stored(all, inFile: inFile)
        case .stream(let stream)?:
            let all = try await stream.chunks().collected(upTo: 64 << 20)
            (bytes, file, isTemporary) = try Self.stored(all, inFile: inFile)
        }
    }

    deinit { if isTemporary, let file { try? FileManager.default.removeItem(at: file) } }

    private static func stored(_ bytes: [UInt8], inFile: Bool) throws -> (Data?, URL?, Bool) {
        guard inFile else { return (Data(bytes), nil, false) }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID())")
        // Other users of the machine may read the folder.
        let descriptor = open(file.path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(bytes))
            try handle.close()
        } catch {
            try? FileManager.default.removeItem(at: file)
            throw error
        }
        return (nil, file, true)
    }
}
#endif
#endif
