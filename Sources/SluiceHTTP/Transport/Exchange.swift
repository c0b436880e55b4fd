#if HTTP
import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import Sluice
import SluiceFilters

/// The number of times that a transport may still send a request again.
struct Resends {
    private var lost = 16
    private var refused = 1

    /// Takes one for a connection that was lost. The pool may offer others that are ending, and even the same one again,
    /// until it has noticed.
    mutating func takeLost() -> Bool {
        lost -= 1
        return lost >= 0
    }

    /// Takes the one for a request that the server refused.
    mutating func takeRefused() -> Bool {
        refused -= 1
        return refused >= 0
    }
}

/// An exchange of one request and its answer on the wire. It holds the data that both need, and ends the body's source
/// when it is released.
final class Exchange: Sendable {
    private let request: TransportRequest
    private let lease: ClientLease
    private let outgoing: OutgoingBody?
    private let deadline: BodyDeadline?

    /// The maximum number of bytes reserved in advance because a server announces them.
    private static let room = 1 << 20

    /// Opens the source of the body; throws ``HTTPError`` if it can't be sent or there is no time left.
    nonisolated(nonsending) init(_ request: TransportRequest, over lease: ClientLease) async throws {
        self.request = request
        self.lease = lease
        deadline = BodyDeadline()
        if let deadline, deadline.hasPassed {
            throw HTTPError(.timedOut, "\(DeadlineError())", request: request, timeout: .total, isUnsent: true)
        }
        outgoing = try await request.body.asyncMap { try await OutgoingBody($0, of: request) }
    }

    deinit { outgoing?.end() }

    /// Sends the request and waits for the head of its answer.
    ///
    /// - Throws: the error of AsyncHTTPClient or of our handlers; ``error(_:_:)`` converts it for the caller.
    nonisolated(nonsending) func send() async throws -> HTTPClientResponse {
        var message = HTTPClientRequest(url: request.url.absoluteString)
        message.method = HTTPMethod(rawValue: request.method.rawValue)
        message.headers = HTTPHeaders(request.headers.map { ($0.name.rawName, $0.value) })
        if lease.decompression != .off, let codings = ContentCoding.accepted, request.headers[.acceptEncoding] == nil {
            message.headers.add(name: "Accept-Encoding", value: codings)
        }
        message.body = outgoing?.body
        let client = try lease.client(for: request.url)
        let deadline = deadline?.networkDeadline ?? .distantFuture
        guard let monitor = lease.monitor else { return try await client.execute(message, deadline: deadline) }
        let whole = message
        return try await monitor.counting { try await client.execute(whole, deadline: deadline) }
    }

    /// Returns whether the request is sent again after an error of ``send()``, regardless of filters: the connection
    /// was lost through no fault of the request.
    func mayBeSentAgain(after error: any Error, _ resends: inout Resends) -> Bool {
        guard request.body?.isReplayable != false, !Task.isCancelled, deadline?.hasPassed != true else { return false }
        if let lost = error as? LostExchange {
            return lost.isReused && !lost.hasBegun && request.isRepeatable && resends.takeLost()
        }
        switch Unprocessed(error, over: lease) {
        case .unwritten?: return resends.takeLost()
        case .refused?: return resends.takeRefused()
        case nil: return false
        }
    }

    /// Reads the body of an answer to its end.
    nonisolated(nonsending) func collect(_ incoming: HTTPClientResponse, upTo limit: Int) async throws -> [UInt8] {
        do {
            let count =
                request.method == .head ? nil : incoming.headers.first(name: "content-length").flatMap { Int($0) }
            if let count, count > limit, incoming.headers.first(name: "content-encoding") == nil {
                throw NIOTooManyBytesError(maxBytes: limit)
            }
            if let body = decoded(incoming) {
                guard let deadline else { return try await body.collected(upTo: limit) }
                return try await deadline.limit { try await body.collected(upTo: limit) }
            }
            let room = min(max(count ?? 0, 0), Self.room)
            guard let deadline else { return try await Self.collect(incoming.body, upTo: limit, room) }
            return try await deadline.limit { try await Self.collect(incoming.body, upTo: limit, room) }
        } catch {
            throw self.error(error, .afterHead)
        }
    }

    nonisolated(nonsending) private static func collect(
        _ body: HTTPClientResponse.Body,
        upTo limit: Int,
        _ room: Int
    ) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in body {
            if bytes.count + chunk.readableBytes > limit { throw NIOTooManyBytesError(maxBytes: limit) }
            if bytes.isEmpty { bytes.reserveCapacity(max(room, chunk.readableBytes)) }
            chunk.withUnsafeReadableBytes { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// Returns the body of an answer that is decoded here; `nil` for a body that needs no decoding, and for one that
    /// AsyncHTTPClient decodes.
    private func decoded(_ incoming: HTTPClientResponse) -> IncomingBody? {
        guard lease.decompression != .off, request.method != .head,
            let decoder = ContentCoding(incoming.headers)?.makeDecoder()
        else { return nil }
        return IncomingBody(incoming.body, DecodedBody(decoder, limit: lease.decompression))
    }

    /// Returns the body of an answer as it arrives. The stream retains the exchange.
    func stream(_ incoming: HTTPClientResponse) -> ByteStream {
        let deadline = deadline?.unwatched
        return ByteStream { [self] in
            let source = decoded(incoming) ?? IncomingBody(incoming.body)
            return { [self] in
                do {
                    guard let deadline else { return try await source.next() }
                    return try await deadline.limit { try await source.next() }
                } catch {
                    throw self.error(error, .afterHead)
                }
            }
        }
    }

    /// Returns the error for callers that corresponds to an error of AsyncHTTPClient.
    func error(_ error: any Error, _ phase: TransportPhase) -> any Error {
        if error is DeadlineError {
            return HTTPError(HTTPClientError.deadlineExceeded, phase, request: request)
        }
        if Task.isCancelled || error is CancellationError { return CancellationError() }
        if phase == .beforeHead, let unprocessed = Unprocessed(error, over: lease) {
            return unprocessed.error(of: request)
        }
        return HTTPError(error, phase, request: request)
    }
}

/// The iterator of a body, for closures that cross tasks.
///
/// `@unchecked Sendable`: a ``ByteStream`` is read once, by one task at a time, and each call of ``next()`` ends before
/// the next one begins.
private final class IncomingBody: @unchecked Sendable {
    private var iterator: HTTPClientResponse.Body.AsyncIterator
    private var decoding: DecodedBody?

    init(_ body: HTTPClientResponse.Body, _ decoding: DecodedBody? = nil) {
        iterator = body.makeAsyncIterator()
        self.decoding = decoding
    }

    nonisolated(nonsending) func next() async throws -> [UInt8]? {
        guard decoding != nil else { return try await received() }
        return try await decoding?.next { try await received() }
    }

    private nonisolated(nonsending) func received() async throws -> [UInt8]? {
        try await iterator.next().map { Array($0.readableBytesView) }
    }

    /// Returns all bytes.
    nonisolated(nonsending) func collected(upTo limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await next() {
            if bytes.count + piece.count > limit { throw NIOTooManyBytesError(maxBytes: limit) }
            bytes += piece
        }
        return bytes
    }
}

extension Optional {
    nonisolated(nonsending) fileprivate func asyncMap<Result>(
        _ transform: nonisolated(nonsending) (Wrapped) async throws -> Result
    ) async rethrows -> Result? {
        guard let self else { return nil }
        return try await transform(self)
    }
}
#endif
