import Dispatch
import Foundation

/// The bytes of a file or of standard input, read on a thread of their own.
///
/// Before each read it waits for the file and for a pipe of its own, which cancellation writes to: so waiting for input
/// ends immediately, and no thread is left behind.
final class ReadableFile: AsyncSequence, Sendable {
    private let path: String
    private let file: Int32
    private let ownsFile: Bool
    private let wakeReader: Int32
    private let wakeWriter: Int32
    private let queue = DispatchQueue(label: "sluice.lines")

    /// Opens a file; `-` is standard input.
    ///
    /// - Throws: ``StreamError`` that names the path, if it cannot be opened.
    convenience init(_ path: String) throws {
        if path.utf8.contains(0) { throw Self.failure(path, EINVAL) }
        let isFile = path != "-"
        let file = isFile ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : 0
        if file < 0 { throw Self.failure(path, errno) }
        try self.init(file, path, ownsFile: isFile)
    }

    /// Opens a regular file within a folder, through folders only.
    ///
    /// - Throws: ``StreamError`` that names the path, if it leads elsewhere or cannot be opened.
    convenience init(_ path: String, within folder: String) throws {
        try self.init(try FolderFile.open(path, within: folder), path, ownsFile: true)
    }

    private init(_ file: Int32, _ path: String, ownsFile: Bool) throws {
        self.path = path
        self.file = file
        self.ownsFile = ownsFile
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            let number = errno
            if ownsFile { close(file) }
            throw Self.failure(path, number)
        }
        (wakeReader, wakeWriter) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        if ownsFile { close(file) }
        close(wakeReader)
        close(wakeWriter)
    }

    func makeAsyncIterator() -> Iterator { Iterator(file: self) }

    struct Iterator: AsyncIteratorProtocol {
        let file: ReadableFile

        func next() async throws -> [UInt8]? { try await file.read() }
    }

    /// Returns some more bytes, or `nil` at the end.
    ///
    /// - Throws: `CancellationError` when the task is canceled; ``StreamError`` that names the path.
    private func read() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Result { try self.readNow() }) }
            }
        } onCancel: {
            var byte: UInt8 = 0
            _ = write(wakeWriter, &byte, 1)
        }
    }

    private func readNow() throws -> [UInt8]? {
        while true {
            var polled = [
                pollfd(fd: file, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&polled, 2, -1) < 0 && errno != EINTR { throw Self.failure(path, errno) }
            if polled[1].revents != 0 { throw CancellationError() }
            if polled[0].revents == 0 { continue }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = Foundation.read(file, &bytes, bytes.count)
            if count < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                throw Self.failure(path, errno)
            }
            bytes.removeSubrange(count...)
            return bytes.isEmpty ? nil : bytes
        }
    }

    static func failure(_ path: String, _ number: Int32) -> StreamError {
        StreamError(message: "cannot read \(path): \(String(cString: strerror(number)))")
    }
}
