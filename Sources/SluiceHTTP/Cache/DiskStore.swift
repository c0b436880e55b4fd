#if HTTP
import Foundation
import Sluice

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A store in files, one for each entry; it evicts the least recently used addresses first.
///
/// A file is written under another name and then renamed. A process that dies while writing leaves the old file or the
/// new one, and a remnant that the next opening removes. The checksum detects a file that a power failure truncated. A
/// directory belongs to one store at a time.
///
/// `@unchecked Sendable`: `state` is accessed only on `queue`, a serial queue, which also keeps file access off the
/// cooperative threads.
final class DiskStore: CacheStore, @unchecked Sendable {
    /// The step that is about to be done; tests make it fail to simulate a crash at that point.
    enum Step: Equatable {
        case create, write(offset: Int), rename, remove
    }
    typealias Check = @Sendable (Step) throws -> Void

    private struct State {
        /// The files of each address by its name, the oldest first.
        var files: [String: [File]] = [:]
        var order = LeastRecent<String>()
        var bytes = 0
        var lastNumber = 0
        var hashKey: [UInt8]?
    }
    private struct File {
        let name: String
        let size: Int
        /// The name of the part of the cache that the entry belongs to, as ``Checksum/name(_:)`` makes it.
        let partition: Substring
    }

    private static let chunk = 64 << 10
    private let directory: String
    private let limit: Int
    private let check: Check
    private let queue = DispatchQueue(label: "sluice.cache", qos: .userInitiated)
    private var state = State()

    /// Opens a directory, creating it if it does not exist.
    init(directory: String, limit: Int, check: @escaping Check = { _ in }) throws {
        self.directory = directory
        self.limit = limit
        self.check = check
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try queue.sync { try readDirectory() }
    }

    /// Lists the existing files, and removes incomplete ones.
    private func readDirectory() throws {
        var found: [(file: File, key: String, number: Int, date: Date)] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
            if name.hasSuffix(".part") {
                try? FileManager.default.removeItem(atPath: path(name))
                continue
            }
            let parts = name.split(separator: "-")
            if parts.count == 2, parts[0].count == 32, parts[1].hasSuffix(".entry") {
                // A file of a version that did not separate users.
                try? FileManager.default.removeItem(atPath: path(name))
                continue
            }
            guard parts.count == 3, parts[0].count == 32, parts[1].count == 32, parts[2].hasSuffix(".entry"),
                let number = Int(parts[2].dropLast(6)), number >= 0, number < .max,
                let attributes = try? FileManager.default.attributesOfItem(atPath: path(name)),
                let size = attributes[.size] as? Int
            else { continue }
            let date = attributes[.modificationDate] as? Date ?? .distantPast
            found.append((File(name: name, size: size, partition: parts[1]), String(parts[0]), number, date))
        }
        for (_, key, _, _) in found.sorted(by: { $0.date < $1.date }) { state.order.use(key) }
        for (file, key, number, _) in found.sorted(by: { $0.number < $1.number }) {
            state.files[key, default: []].append(file)
            state.bytes += file.size
            state.lastNumber = max(state.lastNumber, number)
        }
        evict()
    }

    func entries(_ key: String, in partitions: Set<String>? = nil) async -> [CacheEntry] {
        await onQueue { [self] in load(key, in: partitions).map(\.entry) }
    }

    func store(_ entry: CacheEntry, replacing isReplaced: @escaping @Sendable (CacheEntry) -> Bool) async {
        await onQueue { [self] in
            let others = load(entry.key, in: [entry.partition])
            let bytes = EntryCoding.encode(entry)
            guard bytes.count <= limit else { return delete(others.map(\.file), of: entry.key) }
            let name = Checksum.name(entry.key)
            let partition = Checksum.name(entry.partition)
            state.lastNumber += 1
            let file = File(
                name: "\(name)-\(partition)-\(state.lastNumber).entry",
                size: bytes.count,
                partition: partition[...]
            )
            guard (try? write(bytes, to: file.name)) != nil else { return }
            state.files[name, default: []].append(file)
            state.order.use(name)
            state.bytes += file.size
            // The removal comes last, so that one file always exists: a crash in between leaves two, and the newer one
            // counts.
            let old = others.filter { isReplaced($0.entry) }.map(\.file)
            let kept = others.count - old.count
            let surplus = others.filter { !isReplaced($0.entry) }.prefix(max(kept - CacheLimits.variants + 1, 0))
            delete(old + surplus.map(\.file), of: entry.key)
            if let files = state.files[name], files.count > CacheLimits.variantsOfAll {
                delete(Array(files.prefix(files.count - CacheLimits.variantsOfAll)), of: entry.key)
            }
            evict()
        }
    }

    func hashKey() async -> [UInt8] {
        await onQueue { [self] in
            if let key = state.hashKey { return key }
            let file = "hash.key"
            let stored = FileManager.default.contents(atPath: path(file)).map { Array($0) }
            var key = stored ?? []
            if key.count != KeyedHash.keyLength {
                key = KeyedHash().key
                // If the key can't be stored, the entries of users are not found after the next start.
                try? write(key, to: file)
            }
            state.hashKey = key
            return key
        }
    }

    func remove(_ key: String) async {
        await onQueue { [self] in
            delete(state.files[Checksum.name(key)] ?? [], of: key)
        }
    }

    func removeAll() async {
        await onQueue { [self] in
            while let oldest = state.order.oldest { delete(state.files[oldest] ?? [], ofName: oldest) }
        }
    }

    var byteCount: Int {
        get async { await onQueue { [self] in state.bytes } }
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}

extension DiskStore {
    private func path(_ name: String) -> String { directory + "/" + name }

    /// Returns the entries of an address in some parts, or in all parts for `nil`, and removes damaged files.
    private func load(_ key: String, in partitions: Set<String>?) -> [(file: File, entry: CacheEntry)] {
        let name = Checksum.name(key)
        guard let files = state.files[name] else { return [] }
        let names = partitions.map { Set($0.map { Checksum.name($0)[...] }) }
        var entries: [(File, CacheEntry)] = []
        for file in files where names?.contains(file.partition) != false {
            let bytes = FileManager.default.contents(atPath: path(file.name)).map { Array($0) }
            guard let entry = bytes.flatMap(EntryCoding.decode) else {
                delete([file], ofName: name)
                continue
            }
            // Another address or another part may have the same name.
            guard entry.key == key, partitions?.contains(entry.partition) != false else { continue }
            entries.append((file, entry))
            try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path(file.name))
        }
        if state.files[name] != nil { state.order.use(name) }
        return entries
    }

    /// Writes a file as a whole or not at all.
    private func write(_ bytes: [UInt8], to name: String) throws {
        let part = path(name) + ".part"
        do {
            try check(.create)
            // Foundation would first write a file with another name, which would remain after a crash.
            let descriptor = open(part, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            do {
                defer { try? handle.close() }
                for offset in stride(from: 0, to: bytes.count, by: Self.chunk) {
                    try check(.write(offset: offset))
                    try handle.write(contentsOf: bytes[offset..<min(offset + Self.chunk, bytes.count)])
                }
            }
            try check(.rename)
            guard rename(part, path(name)) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            if (try? check(.remove)) != nil { try? FileManager.default.removeItem(atPath: part) }
            throw error
        }
    }

    private func delete(_ files: [File], of key: String) { delete(files, ofName: Checksum.name(key)) }

    private func delete(_ files: [File], ofName name: String) {
        let names = Set(files.map(\.name))
        for file in files {
            guard (try? check(.remove)) != nil else { continue }
            try? FileManager.default.removeItem(atPath: path(file.name))
        }
        let rest = (state.files[name] ?? []).filter { !names.contains($0.name) }
        state.bytes -= files.reduce(0) { $0 + $1.size }
        state.files[name] = rest.isEmpty ? nil : rest
        if rest.isEmpty { state.order.remove(name) }
    }

    private func evict() {
        while state.bytes > limit, let oldest = state.order.oldest {
            delete(state.files[oldest] ?? [], ofName: oldest)
        }
    }
}
#endif
