#if HTTP
import Foundation
import NIOPosix

/// A file that is sent as a body, read in pieces of 64 KiB on threads that may block.
final class BodyFile: Sendable {
    /// The error of a file that can't be sent.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let chunkSize = 64 << 10

    private let descriptor: CInt
    private let path: String
    /// The number of bytes in the file when it was opened.
    let count: Int

    private init(path: String) throws(Failure) {
        // Without O_NONBLOCK, opening a pipe would wait for its other end.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Failure(description: "\(path): \(String(cString: strerror(errno)))") }
        self.path = path
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        count = isKnown ? Int(status.st_size) : 0
        guard isKnown, status.st_mode & S_IFMT == S_IFREG else {
            let isFolder = isKnown && status.st_mode & S_IFMT == S_IFDIR
            throw Failure(description: "\(path): \(isFolder ? "a folder" : "not a regular file")")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Opens a file; throws ``Failure`` if that is not possible, and `CancellationError` when canceled.
    nonisolated(nonsending) static func opened(_ path: String) async throws -> BodyFile {
        try await NIOThreadPool.singleton.runIfActive { try BodyFile(path: path) }
    }

    /// The contents of the file as a stream, up to its length when it was opened: bytes appended later are left out.
    var stream: ByteStream {
        ByteStream { [self] in
            var offset = 0
            return { [self] in
                let chunk = try await read(at: offset)
                offset += chunk.count
                return chunk.isEmpty ? nil : chunk
            }
        }
    }

    /// Returns up to 64 KiB from an offset; empty at the end, or if the file has become shorter.
    nonisolated(nonsending) func read(at offset: Int) async throws -> [UInt8] {
        try await NIOThreadPool.singleton.runIfActive { [self] in
            let size = min(Self.chunkSize, count - offset)
            if size <= 0 { return [] }
            return try [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
                var result = pread(descriptor, buffer.baseAddress, size, off_t(offset))
                while result < 0 && errno == EINTR {
                    result = pread(descriptor, buffer.baseAddress, size, off_t(offset))
                }
                guard result >= 0 else { throw Failure(description: "\(path): \(String(cString: strerror(errno)))") }
                filled = result
            }
        }
    }
}
#endif
