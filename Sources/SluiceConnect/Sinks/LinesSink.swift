#if HTTP
import Dispatch
import Foundation
import SluiceJSON
import SluiceStreams

/// `lines`: appends outputs to files of one folder.
///
/// Each part of a path is opened within the one before, without following symbolic links, so that nothing that is linked
/// meanwhile leads out of the folder. A line is flushed to the disk before the output counts as delivered.
final class LinesSink: Sendable {
    private let folder: String
    /// Files are written one at a time, off the threads of the tasks.
    private let queue = DispatchQueue(label: "sluice.sinks.lines")

    init(_ folder: String) { self.folder = folder }

    @Sendable func deliver(_ delivery: SinkDelivery) async throws {
        let path = delivery.request["path"]?.string ?? ""
        let line = delivery.request["line"] ?? .null
        // By bytes: CR LF is one `Character`.
        let text = (line.string ?? line.description).utf8.map { $0 == 10 || $0 == 13 ? 32 : $0 }
        let most = delivery.request["rotate"]?.int
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { [folder] in
                continuation.resume(with: Result { try Self.append(text, path, within: folder, rotatingAt: most) })
            }
        }
    }

    private static func append(_ text: [UInt8], _ path: String, within folder: String, rotatingAt most: Int?) throws {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let name = parts.last, path.utf8.count <= 4096, !path.utf8.contains(0),
            !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." })
        else { throw SinkRefusalError("path: '\(path.shortened)' must begin in the folder of files, and stay there") }
        var place = Foundation.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard place >= 0 else { throw failure(path) }
        defer { close(place) }
        for part in parts.dropLast() {
            let next = openat(place, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard next >= 0 else { throw failure(path) }
            close(place)
            place = next
        }
        var file = try Self.file(name, in: place, path)
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw SinkRefusalError("path: '\(path.shortened)' isn't a regular file")
        }
        var bytes = text + [UInt8(ascii: "\n")]
        if let most, status.st_size > 0, Int(status.st_size) + bytes.count > most {
            guard renameat(place, name, place, name + ".1") == 0 else { throw failure(path) }
            let next = try Self.file(name, in: place, path)
            close(file)
            file = next
        } else if status.st_size > 0 {
            // A process that was killed may have left a part of a line.
            var last: UInt8 = 0
            if pread(file, &last, 1, status.st_size - 1) == 1, last != UInt8(ascii: "\n") {
                bytes.insert(UInt8(ascii: "\n"), at: 0)
            }
        }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                write(file, $0.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(path) }
            written += count
        }
        guard fsync(file) == 0 else { throw failure(path) }
    }

    private static func file(_ name: String, in place: Int32, _ path: String) throws -> Int32 {
        let flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let number = openat(place, name, flags, 0o600)
        guard number >= 0 else { throw failure(path) }
        return number
    }

    /// Returns the error of the last call of the system. A full disk may get room; a link stays one.
    private static func failure(_ path: String) -> any Error {
        let number = errno
        if number == ELOOP || number == ENOTDIR {
            return SinkRefusalError("path: '\(path.shortened)' leads over a symbolic link, or over a file")
        }
        return SinkRetryError("path: '\(path.shortened)': \(String(cString: strerror(number)))")
    }
}
#endif
