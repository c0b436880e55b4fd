import Foundation

/// The load generator `wrk`.
struct Wrk {
    private let program: URL

    init?() {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        let found = folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent("wrk") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let found else { return nil }
        program = found
    }

    struct Figures {
        /// Requests a second.
        var rate: Double
        /// The time of the processors that the server used for one, in microseconds.
        var processor: Double
    }

    struct Failed: Error {
        let output: String
    }

    /// Asks a server for a path as fast as it answers.
    func load(_ server: ServerProcess, _ path: String, seconds: Int, connections: Int) throws -> Figures {
        let process = Process()
        let output = Pipe()
        process.executableURL = program
        process.arguments = ["-t1", "-c\(connections)", "-d\(seconds)s", "http://127.0.0.1:\(server.port)\(path)"]
        process.standardOutput = output
        let before = server.processorTime
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard let rate = text.firstMatch(of: /Requests\/sec:\s+([0-9.]+)/).flatMap({ Double($0.1) }),
            let count = text.firstMatch(of: /([0-9]+) requests in/).flatMap({ Double($0.1) }),
            !text.contains("Non-2xx"), !text.contains("Socket errors")
        else { throw Failed(output: text) }
        return Figures(rate: rate, processor: (server.processorTime - before) / count * 1e6)
    }
}
