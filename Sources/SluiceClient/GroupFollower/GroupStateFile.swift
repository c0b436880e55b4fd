import Foundation
import SluiceJSON

/// The file that keeps the last valid documents of a group.
///
/// `{"schema": "sluice.group/1", "hub": "…", "group": "all", "documents": […]}`. It is written under another name and
/// then renamed, so that a crash leaves the old file intact. Its contents are checked, since anybody may have written
/// them.
struct GroupStateFile: Sendable {
    /// The only supported schema.
    static let schema = "sluice.group/1"
    /// The largest size of a file.
    static let maximumBytes = 64 << 20

    let path: String
    let hub: String
    let group: String
    private static let queue = DispatchQueue(label: "sluice.group-state", qos: .utility)

    /// Names a file.
    ///
    /// - Parameter hub: the address of the hub; a slash at its end is ignored.
    init(path: String, hub: String, group: String) {
        self.path = path
        self.hub = hub.hasSuffix("/") ? String(hub.dropLast()) : hub
        self.group = group
    }

    private struct Content: Codable {
        let schema: String
        let hub: String
        let group: String
        let documents: [GroupEvent.Document]
    }

    /// Reads the documents; returns `nil` if there is no file.
    ///
    /// - Throws: ``Unusable`` for a file that can't be read, belongs to another group, or is not a state file.
    func read() async throws -> [GroupEvent.Document]? {
        try await onQueue {
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            let bytes: Data
            do {
                let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
                defer { try? handle.close() }
                bytes = try handle.read(upToCount: Self.maximumBytes + 1) ?? Data()
            } catch {
                throw Unusable(path: path, reason: "it can't be read")
            }
            guard bytes.count <= Self.maximumBytes else {
                throw Unusable(path: path, reason: "it is longer than \(Self.maximumBytes) bytes")
            }
            struct Head: Decodable { let schema: String }
            let decoder = SluiceJSONDecoder()
            guard let head = try? decoder.decode(Head.self, from: bytes) else {
                throw Unusable(path: path, reason: "it is not the state of a follower")
            }
            guard head.schema == Self.schema else {
                throw Unusable(path: path, reason: "its schema is \(JSON.string(head.schema)), not \(Self.schema)")
            }
            guard let content = try? decoder.decode(Content.self, from: bytes) else {
                throw Unusable(path: path, reason: "it is damaged")
            }
            guard content.hub == hub, content.group == group else {
                throw Unusable(path: path, reason: "it is of the group \(JSON.string(content.group)) of \(content.hub)")
            }
            return content.documents
        }
    }

    /// Writes the documents, all or nothing.
    ///
    /// - Throws: ``Unusable`` if the file can't be written; it is unchanged then.
    func write(_ documents: [GroupEvent.Document]) async throws {
        try await onQueue {
            let content = Content(schema: Self.schema, hub: hub, group: group, documents: documents)
            let part = "\(path).\(ProcessInfo.processInfo.processIdentifier).part"
            do {
                let bytes = try SluiceJSONEncoder().bytes(content)
                let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let descriptor = open(part, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
                guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
                let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
                defer { try? handle.close() }
                try handle.write(contentsOf: Data(bytes))
                try handle.synchronize()
                guard rename(part, path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            } catch {
                unlink(part)
                throw Unusable(path: path, reason: "it can't be written: \(error.localizedDescription)")
            }
        }
    }

    /// An error that says why a file can't be used.
    struct Unusable: Error, CustomStringConvertible {
        let path: String
        let reason: String
        var description: String { "\(path): \(reason)" }
    }

    /// Runs blocking work on a thread that may block.
    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Self.queue.async { continuation.resume(with: Result { try work() }) }
        }
    }
}
