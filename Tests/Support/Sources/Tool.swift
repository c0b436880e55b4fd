import Dispatch
public import Foundation

/// A program that a test runs, and what came of it.
public struct Tool: Sendable {
    /// The result of a run.
    public struct Outcome: Sendable {
        /// The exit code; of a program that was killed, the signal's number below zero.
        public let status: Int32
        /// The standard output.
        public let output: String
        /// The standard error output.
        public let errors: String
        /// The lines of the output.
        public var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    let executable: URL

    /// Names a program by its path.
    public init(_ executable: URL) { self.executable = executable }

    /// The folder that this build put its products in.
    public static var products: URL {
        if let folder = ProcessInfo.processInfo.environment["SLUICE_PRODUCTS"] { return URL(fileURLWithPath: folder) }
        return URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
    }

    /// The root of the package.
    public static var root: URL {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url
    }

    /// The command line of this build.
    public static var sluice: Tool { Tool(products.appendingPathComponent("sluice")) }

    /// The compiler of this toolchain.
    public static var compiler: Tool { Tool(URL(fileURLWithPath: "/usr/bin/env")) }

    /// Starts the program.
    public func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Running {
        try Running(executable, arguments, environment)
    }

    /// Runs the program to its end.
    ///
    /// - Parameter input: what it reads from standard input.
    public func run(_ arguments: [String], input: String = "", environment: [String: String] = [:]) async throws
        -> Outcome
    {
        await Turn.take()
        defer { Turn.give() }
        let running = try start(arguments, environment: environment)
        running.feed(input)
        return await running.outcome()
    }

    /// Checks sources for their types, with the modules of this build at hand, and gives the compiler's messages.
    public static func typecheck(_ sources: [String: String], _ flags: [String] = []) async throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var files: [String] = []
        for (name, source) in sources.sorted(by: { $0.key < $1.key }) {
            let file = folder.appendingPathComponent(name)
            try source.write(to: file, atomically: true, encoding: .utf8)
            files.append(file.path)
        }
        let modules = products.appendingPathComponent("Modules").path
        return try await compiler.run(
            ["swiftc", "-typecheck", "-wmo", "-swift-version", "6", "-I", modules, "-module-cache-path", folder.path]
                + flags
                + files
        )
    }

    /// Returns the compiler's flags for the C modules that the Swift modules of this build import.
    public static func moduleFlags() -> [String] {
        let checkouts = root.appendingPathComponent(".build/checkouts")
        let files = FileManager.default.enumerator(at: checkouts, includingPropertiesForKeys: nil)?.allObjects ?? []
        let includes = files.compactMap { $0 as? URL }
            .filter { $0.lastPathComponent == "include" || $0.lastPathComponent == "module.modulemap" }
            .map { $0.lastPathComponent == "include" ? $0 : $0.deletingLastPathComponent() }
            .flatMap { ["-Xcc", "-I\($0.path)"] }
        let generated =
            (try? FileManager.default.contentsOfDirectory(at: products, includingPropertiesForKeys: nil)) ?? []
        let maps = generated.filter { $0.pathExtension == "build" }
            .map { $0.appendingPathComponent("module.modulemap") }
            .filter { FileManager.default.fileExists(atPath: $0.path) && !$0.path.contains("Tests") }
            .flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
        // The libraries of the system that traits need.
        let sources = root.appendingPathComponent("Sources")
        let libraries = ["CBrotli", "CNATS", "CZstd"].flatMap {
            ["-Xcc", "-fmodule-map-file=\(sources.path)/\($0)/module.modulemap"]
        }
        return includes + maps + libraries
    }
}

/// A program that runs.
public final class Running: Sendable {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let errors = Pipe()
    private let ended: AsyncStream<Int32>
    private let writes = DispatchQueue(label: "writes")

    init(_ executable: URL, _ arguments: [String], _ environment: [String: String]) throws {
        let (ended, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.ended = ended
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        process.terminationHandler = { process in
            let isSignal = process.terminationReason == .uncaughtSignal
            continuation.yield(isSignal ? -process.terminationStatus : process.terminationStatus)
            continuation.finish()
        }
        try process.run()
    }

    /// Gives the program its standard input, to the end.
    public func feed(_ text: String) {
        let handle = input.fileHandleForWriting
        Thread.detachNewThread {
            try? handle.write(contentsOf: Data(text.utf8))
            try? handle.close()
        }
    }

    /// Writes to the program's standard input, which stays open.
    public func write(_ text: String) {
        let handle = input.fileHandleForWriting
        writes.async { try? handle.write(contentsOf: Data(text.utf8)) }
    }

    /// Waits until a condition holds, for ten minutes at most.
    public func waitUntil(_ condition: () async -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(600)
        while !(await condition()) {
            guard ContinuousClock.now < end else { throw NeverSo() }
            await Task.yield()
        }
    }

    /// A condition that was waited for and did not come to hold.
    public struct NeverSo: Error {}

    /// Sends a signal.
    public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// The lines that the program prints, each when it has come.
    public var lines: AsyncStream<String> {
        AsyncStream { continuation in
            let handle = output.fileHandleForReading
            Thread.detachNewThread {
                var pending = Data()
                while case let more = handle.availableData, !more.isEmpty {
                    pending.append(more)
                    while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                        continuation.yield(String(decoding: pending[pending.startIndex..<end], as: UTF8.self))
                        pending = Data(pending[(end + 1)...])
                    }
                }
                continuation.finish()
            }
        }
    }

    /// Waits for the end.
    public func outcome() async -> Tool.Outcome {
        async let output = Self.text(output)
        async let errors = Self.text(errors)
        var status: Int32 = -1
        for await value in ended { status = value }
        return Tool.Outcome(status: status, output: await output, errors: await errors)
    }

    private static func text(_ pipe: Pipe) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let data = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
                continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }
        }
    }
}
