import Foundation
import NIOPosix
import SluiceJSON

/// A file that is not whole yet: `NAME.part` beside the one that it will be, and what it is a part of in
/// `NAME.part.json`. All of its work is done on threads that may block.
final class PartialFile: Sendable {
    /// Why it cannot be written.
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

    /// What a part is of, so that the rest can be asked for.
    struct Origin: Equatable, Sendable {
        /// The address without query and credentials, and the method.
        var summary: String
        /// An ETag or a date that says whether it is still the same.
        var validator: String
        /// How many bytes there are in all, if that is known.
        var total: Int?
    }

    let path: String
    private var part: String { path + ".part" }
    private var note: String { path + ".part.json" }
    private let descriptor: CInt

    /// Opens the part, or makes it, and holds it: nobody else can open it until this one is gone.
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
            // Between the opening and the lock, another download may have made this file its result.
            var (held, named) = (stat(), stat())
            if fstat(descriptor, &held) == 0, stat(path + ".part", &named) == 0, held.st_ino == named.st_ino {
                self.descriptor = descriptor
                return
            }
            close(descriptor)
        }
    }

    deinit { close(descriptor) }

    /// Opens the part of a file to be.
    nonisolated(nonsending) static func opened(for path: String) async throws -> PartialFile {
        try await run { try PartialFile(for: path) }
    }

    private nonisolated(nonsending) static func run<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await NIOThreadPool.singleton.runIfActive(body)
    }

    /// What is there and what it is of; `nil` if it is nothing, or nobody knows of what.
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

    /// Empties the part, and notes what it will be of; `nil` if it could not be resumed.
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

    /// Writes a chunk at a place.
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

    /// Makes the part the file, in place of one that is there.
    nonisolated(nonsending) func finish() async throws {
        try await Self.run { [self] in
            guard fsync(descriptor) == 0, rename(part, path) == 0 else { throw Failure(path, code: errno) }
            unlink(note)
        }
    }

    /// Removes what cannot be resumed.
    func discard() async {
        // In a task that is not cancelled with the download.
        await Task {
            try? await Self.run { [self] in
                unlink(note)
                unlink(part)
            }
        }.value
    }
}
