#if SQLite
import Foundation
import Sluice
import SluiceRuns
import SluiceStore

/// The stores that hold the laws.
enum StoreKind: CaseIterable, Sendable {
    case memory, sqlite
    /// Runs in a file, with documents that hubs share.
    case shared

    func withStore(at clock: WallClock = WallClock(), _ body: (any StreamStore) async throws -> Void) async throws {
        switch self {
        case .memory: try await body(MemoryStreamStore(now: { clock.now }))
        case .sqlite:
            let folder = try TemporaryFolder()
            try await body(SQLiteStreamStore(path: folder.path("hub.sqlite"), now: { clock.now }))
        case .shared:
            let folder = try TemporaryFolder()
            let runs = try SQLiteStreamStore(path: folder.path("hub.sqlite"), now: { clock.now })
            try await body(SharedStreamStore.open(MemoryStreamStore(now: { clock.now }), runs: runs))
        }
    }
}

/// A clock on the wall that tests set.
final class WallClock: Sendable {
    private let time = Locked(Date(timeIntervalSince1970: 1_700_000_000))

    var now: Date { time.withLock { $0 } }

    func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}

/// A folder that goes when it is let go.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-store-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}

extension StreamDraft {
    /// A short document with an id.
    init(_ id: String, _ text: String = "{}", name: String? = nil) { self.init(id: id, name: name, text: text) }
}
#endif
