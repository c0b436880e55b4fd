import Foundation
import HTTPTypes
import OpenAPIRuntime
import Sluice
import SluiceHTTP

extension TransportRequest {
    /// Converts a request of an operation.
    init(_ request: HTTPRequest, _ body: HTTPBody?, _ baseURL: URL) throws {
        guard let url = URL(string: baseURL.absoluteString.trimmed + (request.path ?? "")) else {
            throw HTTPError(.badRequest, "\(baseURL)\(request.path ?? "") is not an address", request: nil)
        }
        self.init(request.method, url, headers: request.headerFields, body: body.map { RequestBody($0) })
    }
}

extension RequestBody {
    /// Converts the body of a request, which can be sent again if it can be read again.
    init(_ body: HTTPBody) {
        let count: Int? = if case .known(let count) = body.length { Int(count) } else { nil }
        self = .stream(
            RequestStream(count: count, isReplayable: body.iterationBehavior == .multiple) { ByteStream(body) }
        )
    }
}

extension HTTPBody {
    /// Converts the body of a request, for the next middleware.
    convenience init?(_ body: RequestBody?) {
        switch body {
        case nil: return nil
        case .bytes(let bytes)?: self.init(bytes)
        // No generated client has such a body, and a filter that makes one knows its file.
        case .file(let path)?: self.init((try? Data(contentsOf: URL(fileURLWithPath: path))).map { Array($0) } ?? [])
        case .stream(let stream)?:
            let chunks = Chunks(stream)
            self.init(
                chunks,
                length: stream.count.map { .known(Int64($0)) } ?? .unknown,
                iterationBehavior: stream.isReplayable ? .multiple : .single
            )
        }
    }

    /// Converts the body of an answer.
    convenience init(_ body: ByteStream) {
        if let bytes = body.bytes { self.init(bytes) } else {
            self.init(body, length: .unknown, iterationBehavior: .single)
        }
    }

    /// The chunks of a stream, which each iteration makes again.
    private struct Chunks: AsyncSequence, Sendable {
        typealias Element = [UInt8]
        private let stream: RequestStream

        init(_ stream: RequestStream) { self.stream = stream }

        struct Iterator: AsyncIteratorProtocol {
            let stream: RequestStream
            var chunks: ByteStream.AsyncIterator?

            mutating func next() async throws -> [UInt8]? {
                var iterator: ByteStream.AsyncIterator
                if let chunks { iterator = chunks } else { iterator = try await stream.chunks().makeAsyncIterator() }
                let chunk = try await iterator.next()
                chunks = iterator
                return chunk
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(stream: stream) }
    }
}

extension URL {
    /// Returns the path with the query of the address behind a base, and the base; an address elsewhere has a base of its
    /// own.
    func parts(of base: URL) -> (path: String, base: URL) {
        let prefix = base.absoluteString.trimmed
        if absoluteString.hasPrefix(prefix + "/") { return (String(absoluteString.dropFirst(prefix.count)), base) }
        var origin = URLComponents()
        (origin.scheme, origin.host, origin.port) = (scheme, host, port)
        let text = origin.string ?? ""
        return (String(absoluteString.dropFirst(text.count)), URL(string: text) ?? base)
    }
}

extension String {
    /// The text without a slash at its end.
    fileprivate var trimmed: String { hasSuffix("/") ? String(dropLast()) : self }
}
