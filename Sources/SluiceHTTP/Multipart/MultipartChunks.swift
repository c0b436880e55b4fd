#if HTTP
/// The bytes of a form, piece by piece: bytes in memory directly, files and streams in their turn.
struct MultipartChunks: AsyncSequence, Sendable {
    /// A part of the form's bytes.
    enum Segment: Sendable {
        case bytes([UInt8])
        case file(path: String, count: Int)
        case stream(RequestStream, name: String)
    }

    let segments: [Segment]

    func makeAsyncIterator() -> Iterator { Iterator(segments) }

    struct Iterator: AsyncIteratorProtocol {
        private enum Reading {
            case none
            case file(BodyFile, path: String, offset: Int)
            case stream(ByteStream.AsyncIterator, count: Int?, sent: Int, name: String)
        }

        private var segments: ArraySlice<Segment>
        private var reading = Reading.none

        init(_ segments: [Segment]) { self.segments = segments[...] }

        /// Returns the next piece, which is never empty, or `nil` at the end.
        mutating func next() async throws -> [UInt8]? { try await next(isolation: #isolation) }

        /// Returns the next piece, which is never empty, or `nil` at the end; the source that is read throws the error
        /// of a canceled task.
        mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
            while true {
                let piece =
                    switch reading {
                    case .none: try await begin()
                    case .file(let file, let path, let offset): try await read(file, path: path, at: offset)
                    case .stream(let chunks, let count, let sent, let name):
                        try await pull(chunks, count: count, sent: sent, name: name)
                    }
                guard let piece else { return nil }
                if !piece.isEmpty { return piece }
            }
        }

        /// Begins the next segment; returns `nil` after the last one.
        private mutating func begin() async throws -> [UInt8]? {
            switch segments.popFirst() {
            case nil: return nil
            case .bytes(let bytes): return bytes
            case .file(let path, let count):
                let file = try await MultipartError.reading { try await BodyFile.opened(path) }
                guard file.count == count else { throw Self.changed(path) }
                reading = .file(file, path: path, offset: 0)
            case .stream(let stream, let name):
                let chunks = try await stream.chunks().makeAsyncIterator()
                reading = .stream(chunks, count: stream.count, sent: 0, name: name)
            }
            return []
        }

        private mutating func read(_ file: BodyFile, path: String, at offset: Int) async throws -> [UInt8] {
            guard offset < file.count else {
                reading = .none
                return []
            }
            let bytes = try await MultipartError.reading { try await file.read(at: offset) }
            if bytes.isEmpty { throw Self.changed(path) }
            reading = .file(file, path: path, offset: offset + bytes.count)
            return bytes
        }

        private mutating func pull(
            _ chunks: ByteStream.AsyncIterator,
            count: Int?,
            sent: Int,
            name: String
        ) async throws -> [UInt8] {
            var chunks = chunks
            let bytes = try await chunks.next()
            let total = sent + (bytes?.count ?? 0)
            if let count, total > count || (bytes == nil && total < count) {
                throw MultipartError(
                    "\(name): the stream has \(bytes == nil ? "\(total)" : "more than \(count)") bytes, not \(count)"
                )
            }
            reading = bytes == nil ? .none : .stream(chunks, count: count, sent: total, name: name)
            return bytes ?? []
        }

        private static func changed(_ path: String) -> MultipartError {
            MultipartError("\(path): the file changed before it was sent")
        }
    }
}
#endif
