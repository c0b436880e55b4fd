import Foundation
import Testing

/// The folder of answers from outside: `SLUICE_ORACLES`, else `../shared/oracles`.
enum OracleFiles {
    private static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["SLUICE_ORACLES"] { return URL(fileURLWithPath: path) }
        return URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/oracles")
    }()

    /// Returns the files of a kind, such as `cel`: those that begin with it.
    static func named(_ kind: String) -> [URL] {
        let found = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (found ?? [])
            .filter { $0.lastPathComponent.hasPrefix(kind) && $0.pathExtension == "jsonl" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}
