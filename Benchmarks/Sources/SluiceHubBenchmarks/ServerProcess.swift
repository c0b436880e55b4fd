import Foundation

/// A server in a process of its own, so that its memory and its time are its own.
final class ServerProcess {
    private let process = Process()
    private let input = Pipe()
    let port: Int
    /// From the start of the process to its first answer, in milliseconds.
    let start: Double

    struct NoPort: Error {}

    /// Starts this program as a server, and asks it once.
    init(_ arguments: [String]) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["--serve"] + arguments
        process.standardInput = input
        process.standardOutput = output
        let begun = ContinuousClock.now
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.prefix { $0 != "\n" }), port > 0 else { throw NoPort() }
        self.port = port
        _ = try Connection(port: port).get("/streams/\(Sample.id)")
        start = (ContinuousClock.now - begun) / .milliseconds(1)
    }

    /// The memory that it has, in KB.
    var memory: Double {
        let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { Double($0.filter(\.isNumber)) } ?? .nan
    }

    /// The processor time of the process so far, in seconds.
    var processorTime: Double {
        let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)) ?? ""
        // Its name, in parentheses, may hold anything.
        let fields = text.drop { $0 != ")" }.split(separator: " ")
        guard fields.count > 12, let user = Double(fields[12]), let system = Double(fields[13]) else { return .nan }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The bytes that the process has given to the calls for writing, those to sockets included.
    var bytesWritten: Double {
        let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/io", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("wchar:") }
        return line.flatMap { Double($0.filter(\.isNumber)) } ?? .nan
    }

    /// Ends it.
    func stop() {
        input.fileHandleForWriting.closeFile()
        process.waitUntilExit()
    }
}
