#if HTTP
import AsyncHTTPClient
import NIOCore
import Sluice

/// The body of a request in the form in which AsyncHTTPClient sends it.
final class OutgoingBody: Sendable {
    /// The body for the request.
    let body: HTTPClientRequest.Body
    private let chunks: OutgoingChunks?

    /// Opens a file, or requests the chunks of a stream.
    ///
    /// - Throws: ``HTTPError`` when there is no such file, or the body was already sent and was not kept.
    nonisolated(nonsending) init(_ body: RequestBody, of request: TransportRequest) async throws {
        let count: Int?
        let stream: ByteStream
        switch body {
        case .bytes(let bytes):
            self.body = .bytes(ByteBuffer(bytes: bytes))
            chunks = nil
            return
        case .file(let path):
            let file: BodyFile
            do {
                file = try await BodyFile.opened(path)
            } catch {
                if error is CancellationError { throw error }
                throw HTTPError(.badRequest, "the body cannot be read: \(error)", request: request, cause: error)
            }
            count = file.count
            stream = file.stream
        case .stream(let source):
            count = source.count
            do {
                stream = try await source.chunks()
            } catch {
                if Task.isCancelled { throw CancellationError() }
                throw Self.failure(error, of: request)
            }
        }
        let iterator = stream.makeAsyncIterator()
        if let error = iterator.failure { throw Self.failure(error, of: request) }
        let chunks = OutgoingChunks(iterator, count: count, of: request)
        self.chunks = chunks
        self.body = .stream(chunks, length: count.map { .known(Int64($0)) } ?? .unknown)
    }

    /// Ends the body, and cancels a pending read of its source.
    func end() { chunks?.end() }

    /// Returns the error for one that a source of chunks threw.
    static func failure(_ error: any Error, of request: TransportRequest) -> HTTPError {
        if let error = error as? ByteStreamError, error == .alreadyRead {
            let reason =
                "the body was already sent and cannot be sent again: send bytes or a file, or a stream that can"
            return HTTPError(.badRequest, reason, request: request, cause: error)
        }
        return HTTPError(.failed, "the body broke off: \(error)", request: request, cause: error)
    }
}

/// The chunks of a body, counted as they are sent.
///
/// `@unchecked Sendable`: AsyncHTTPClient makes one iterator and requests one chunk after the other; the source is
/// accessed only by the task of one such request at a time. Everything else is behind a lock.
private final class OutgoingChunks: AsyncSequence, @unchecked Sendable {
    private var source: ByteStream.AsyncIterator
    private let count: Int?
    private let request: TransportRequest
    private var sent = 0
    private let state = Locked(State())

    private struct State {
        var isOver = false
        var task: Task<[UInt8]?, any Error>?
    }

    init(_ source: ByteStream.AsyncIterator, count: Int?, of request: TransportRequest) {
        self.source = source
        self.count = count
        self.request = request
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let chunks: OutgoingChunks
        func next() async throws -> ByteBuffer? { try await chunks.next() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: self) }

    /// Cancels the pending request for a chunk; a later one gets the end.
    func end() {
        let task = state.withLock { state in
            state.isOver = true
            return state.task
        }
        task?.cancel()
    }

    private func next() async throws -> ByteBuffer? {
        // A task that can be canceled: AsyncHTTPClient's own task continues when the request has failed.
        let task = Task { try await source.next() }
        let isOver = state.withLock { state in
            state.task = task
            return state.isOver
        }
        if isOver { task.cancel() }
        let chunk: [UInt8]?
        do {
            chunk = try await task.value
        } catch {
            throw OutgoingBody.failure(error, of: request)
        }
        if let chunk { sent += chunk.count }
        if let count, chunk == nil ? sent != count : sent > count {
            let reason =
                chunk == nil
                ? "the body ended after \(sent) of \(count) bytes" : "the body has more than \(count) bytes"
            throw HTTPError(.badRequest, reason, request: request)
        }
        return chunk.map { ByteBuffer(bytes: $0) }
    }
}
#endif
