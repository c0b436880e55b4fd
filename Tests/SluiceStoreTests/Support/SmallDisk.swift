#if SQLite
import Foundation

/// A file system of its own, in memory, which goes when it is let go. To mount one takes root.
final class SmallDisk: Sendable {
    let url: URL
    private let folder: TemporaryFolder

    static let isPossible: Bool = (try? SmallDisk(kilobytes: 64)) != nil

    init(kilobytes: Int) throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("disk")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", url.path])
    }

    deinit { try? Self.run("umount", ["-l", url.path]) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Remounts the disk read-only. It waits for writers, since a released store may take a moment to close its file.
    func makeReadOnly() async throws {
        let end = ContinuousClock.now + .seconds(600)
        while true {
            do { return try Self.run("mount", ["-o", "remount,ro", url.path]) } catch {
                if ContinuousClock.now > end { throw error }
                await Task.yield()
            }
        }
    }

    /// Fills the disk, and gives the file that does.
    func fill() throws -> URL {
        let file = url.appendingPathComponent("filler")
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        let block = Data(repeating: 1, count: 4096)
        while (try? handle.write(contentsOf: block)) != nil {}
        try handle.close()
        return file
    }

    private static func run(_ name: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw CocoaError(.featureUnsupported) }
    }
}
#endif
