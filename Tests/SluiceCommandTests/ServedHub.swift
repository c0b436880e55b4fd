#if Command
import Foundation
import SluiceClient
import SluiceTestSupport

/// `sluice serve` in a process of its own.
final class ServedHub: Sendable {
    let running: Running
    let address: String

    /// Starts a hub and waits until it serves.
    ///
    /// - Parameters:
    ///   - port: 0 takes one that is free.
    ///   - arguments: further arguments of the command.
    convenience init(store: String, port: Int = 0, _ arguments: String...) async throws {
        try await self.init(Tool.sluice.start(["serve", "--port", "\(port)", "--store", store] + arguments))
    }

    /// Waits until a hub that was started serves.
    init(_ running: Running) async throws {
        self.running = running
        var address: String?
        for await line in running.lines {
            address = line.split(separator: " ").first { $0.hasPrefix("http") }.map(String.init)
            break
        }
        guard let address else { throw NotServed(errors: await running.outcome().errors) }
        self.address = address
    }

    struct NotServed: Error { let errors: String }

    var port: Int { URL(string: address)?.port ?? 0 }

    /// A client of the hub.
    var client: HubClient {
        get throws {
            guard let url = URL(string: address) else { throw NotServed(errors: address) }
            return HubClient(url)
        }
    }

    deinit { running.signal(SIGKILL) }
}

/// A folder that is gone after the test.
final class ScratchFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Writes a file; answers its path.
    func write(_ text: String, _ name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
        return path + "/" + name
    }

    func text(_ name: String) throws -> String {
        try String(contentsOf: URL(fileURLWithPath: path + "/" + name), encoding: .utf8)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
#endif
