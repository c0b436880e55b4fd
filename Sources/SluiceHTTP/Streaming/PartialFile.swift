#if HTTP
import Foundation
import NIOPosix
import SluiceJSON

/// An incomplete file: `NAME.part` next to the final file, and a description of its original in `NAME.part.json`. All
/// file access is on threads that may block.
final class PartialFile: Sendable {
    /// The error of a file that can't be written.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ path: String, code: CInt) {
            switch code {
            case ENOSPC, EDQUOT: description = "\(path): the disk is full"
            case EWOULDBLOCK: description = "\(path): another download writes it"
            default: description = "\(path): \(String(cString: strerror(code)))"
            }
        }
    }

    /// The original of a partial file, for a request for the rest.
    struct Origin: Equatable, Sendable {
        /// The address without query and credentials, and the method.
        var summary: String
        /// An ETag or a date that detects changes.
        var validator: String
        /// The total number of bytes, if known.
        var total: Int?
    }

    let path: String
    private var part: String { path + ".part" }
    private var note: String { path + ".part.json" }
    private let descriptor: CInt

    /// Opens or creates the partial file and locks it, so that it can't be opened again until this object is released.
    private init(for path: String) throws(Failure) {
        self.path = path
        while true {
            let descriptor = open(path + ".part", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw Failure(path, code: errno) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let code = errno
                close(descriptor)
                throw Failure(path, code: code)
            }
            // Between opening and locking, another download may have renamed this file to its result.
            var (held, named) = (stat(), stat())
            if fstat(descriptor, &held) == 0, stat(path + ".part", &named) == 0, held.st_ino == named.st_ino {
                self.descriptor = descriptor
                return
            }
            close(descriptor)
        }
    }

    deinit { close(descriptor) }

    /// Releases the lock. A thread that still holds this object does not delay others.
    func release() { flock(descriptor, LOCK_UN) }

    /// Opens the partial file for a path.
    nonisolated(nonsending) static func opened(for path: String) async throws -> PartialFile {
        try await run { try PartialFile(for: path) }
    }

    private nonisolated(nonsending) static func run<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await NIOThreadPool.singleton.runIfActive(body)
    }

    /// Returns the number of existing bytes and their original; `nil` if the file is empty or its original is unknown.
    nonisolated(nonsending) func resumable() async throws -> (count: Int, origin: Origin)? {
        try await Self.run { [self] in
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_size > 0,
                let text = FileManager.default.contents(atPath: note), text.count <= 1 << 16,
                let json = try? JSON(parsing: Array(text)), let summary = json["request"]?.string,
                let validator = json["validator"]?.string
            else { return nil }
            return (Int(status.st_size), Origin(summary: summary, validator: validator, total: json["total"]?.int))
        }
    }

    /// Empties the partial file, and notes its original; `nil` if it can't be resumed.
    nonisolated(nonsending) func restart(_ origin: Origin?) async throws {
        try await Self.run { [self] in
            guard ftruncate(descriptor, 0) == 0 else { throw Failure(path, code: errno) }
            guard let origin else {
                unlink(note)
                return
            }
            var members: [(key: String, value: JSON)] = [
                ("request", .string(origin.summary)), ("validator", .string(origin.validator)),
            ]
            if let total = origin.total { members.append(("total", .int(Int64(total)))) }
            let text = JSON.object(JSON.Object(members)).description
            do {
                try Data(text.utf8).write(to: URL(fileURLWithPath: note), options: .atomic)
            } catch {
                throw Failure(path, code: errno)
            }
        }
    }

    /// Writes a chunk at an offset.
    nonisolated(nonsending) func write(_ bytes: [UInt8], at offset: Int) async throws {
        try await Self.run { [self] in
            var done = 0
            while done < bytes.count {
                let count = bytes.withUnsafeBytes { buffer in
                    pwrite(descriptor, buffer.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
                }
                if count < 0 && errno == EINTR { continue }
                guard count >= 0 else { throw Failure(path, code: errno) }
                done += count
            }
        }
    }

    /// Renames the partial file to the final one, replacing an existing file.
    nonisolated(nonsending) func finish() async throws {
        try await Self.run { [self] in
            guard fsync(descriptor) == 0, rename(part, path) == 0 else { throw Failure(path, code: errno) }
            unlink(note)
        }
    }

    /// Removes a partial file that can't be resumed.
    func discard() async {
        // In a task that is not canceled with the download.
        await Task {
            try? await Self.run { [self] in
                unlink(note)
                unlink(part)
            }
        }.value
    }
}
#endif
