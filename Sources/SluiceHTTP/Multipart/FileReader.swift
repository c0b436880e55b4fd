import Foundation
import NIOPosix

/// A regular file that is read from its start, off the cooperative threads.
final class FileReader: Sendable {
    /// How many bytes are read at once.
    static let chunkSize = 64 * 1024

    private let descriptor: Int32
    /// The file's length when it was opened.
    let count: Int

    private init(path: String) throws(MultipartError) {
        // Without O_NONBLOCK, opening a pipe would wait for its other end.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw MultipartError(file: path, code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let failure = MultipartError(file: path, code: errno)
            close(descriptor)
            throw failure
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw MultipartError("\(path): not a regular file")
        }
        self.descriptor = descriptor
        count = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// Opens a file; throws ``MultipartError`` when it is none that can be read, `CancellationError` when cancelled.
    static func opened(_ path: String) async throws -> FileReader {
        try await NIOThreadPool.singleton.runIfActive { try FileReader(path: path) }
    }

    /// Up to `limit` bytes from an offset; none at the end of the file.
    func read(at offset: Int, upTo limit: Int, path: String) async throws -> [UInt8] {
        try await NIOThreadPool.singleton.runIfActive { [self] in
            try [UInt8](unsafeUninitializedCapacity: min(limit, Self.chunkSize)) { buffer, count in
                while true {
                    let result = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
                    if result >= 0 {
                        count = result
                        return
                    }
                    guard errno == EINTR else { throw MultipartError(file: path, code: errno) }
                }
            }
        }
    }
}
