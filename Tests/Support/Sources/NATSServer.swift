import Foundation

/// A NATS server with JetStream on a free port of loopback, which ends with the test, or with its process.
public final class NATSServer: Sendable {
    /// The path of the program; `nil` where it isn't installed.
    public static let program: String? = [
        "/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server",
    ]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// The folder of its streams.
    private let folder: TemporaryFolder
    private let further: [String]
    private let running: Running
    /// The address.
    public let address: String
    /// The port.
    public let port: Int
    private let process: pid_t

    /// Starts a server.
    ///
    /// - Parameter arguments: Further arguments.
    public convenience init(_ arguments: [String] = []) throws {
        try self.init(TemporaryFolder(), port: -1, arguments)
    }

    private init(_ folder: TemporaryFolder, port: Int, _ arguments: [String]) throws {
        guard let program = Self.program else { throw CocoaError(.fileNoSuchFile) }
        (self.folder, further) = (folder, arguments)
        running = try Running(
            [program, "-a", "127.0.0.1", "-p", "\(port)", "-js", "-sd", folder.path(of: "data")] + arguments
        )
        guard let start = running.start else { throw CocoaError(.executableLoad) }
        (address, self.port, process) = start
    }

    deinit { kill() }

    /// Kills the server.
    public func kill() {
        running.release()
        Foundation.kill(process, SIGKILL)
        running.waitForEnd()
    }

    /// Kills the server, and returns another one with the same port and the same streams.
    public func restarted() throws -> NATSServer {
        kill()
        return try NATSServer(folder, port: port, further)
    }
}

extension NATSServer {
    /// A server that ends when it is released, or when this process ends, however that happens.
    private final class Running: Sendable {
        private let input = Pipe()
        private let output = Pipe()
        /// Is signaled when the server has ended.
        private let end = DispatchSemaphore(value: 0)
        /// The address, the port, and the process of the server; `nil` if it has not started.
        let start: (address: String, port: Int, process: pid_t)?

        init(_ command: [String]) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            // The shell reads until this end of the pipe is closed, then kills the program. It doesn't wait for its end: the
            // thread that starts it may block the signals that it would wait for.
            let script = #"exec 3<&0 </dev/null >/dev/null; "$@" 3<&- & read -r line <&3; kill -9 $!"#
            process.arguments = ["-c", script, "sh"] + command
            process.standardInput = input
            process.standardError = output
            // Programs that are started meanwhile must not keep these ends open.
            for handle in [input.fileHandleForWriting, output.fileHandleForReading, output.fileHandleForWriting] {
                _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
            }
            try process.run()
            try? output.fileHandleForWriting.close()
            let log = output.fileHandleForReading
            start = Self.start(in: log)
            // The rest of the log ends with the server.
            let thread = Thread { [end] in
                while !log.availableData.isEmpty {}
                end.signal()
            }
            thread.name = "sluice.nats.log"
            thread.start()
        }

        /// Reads the log of a server until it listens; returns `nil` if it ends before.
        private static func start(in log: FileHandle) -> (address: String, port: Int, process: pid_t)? {
            var text = ""
            while !text.contains("Server is ready") {
                let data = log.availableData
                if data.isEmpty { return nil }
                text += String(decoding: data, as: UTF8.self)
            }
            let lines = text.split(separator: "\n")
            guard let line = lines.first(where: { $0.contains("Listening for client connections on") }),
                let port = line.split(separator: ":").last.flatMap({ Int($0) }),
                let process = pid_t(line.prefix { $0 != "]" }.dropFirst())
            else { return nil }
            let scheme = text.contains("TLS required") ? "tls" : "nats"
            return ("\(scheme)://127.0.0.1:\(port)", port, process)
        }

        /// Closes this end of the pipe.
        func release() { try? input.fileHandleForWriting.close() }

        /// Waits until the server has ended, so that its port is free.
        func waitForEnd() {
            end.wait()
            end.signal()
        }
    }
}
