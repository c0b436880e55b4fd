#if os(Linux) && !SLUICE_THREAD_SANITIZER
import Foundation
import SluiceTestSupport
import Testing

/// The lock as the optimizer compiles it, in async functions whose task moves from thread to thread.
@Suite struct OptimizedLockTests {
    /// A module that locks before and after it awaits, as `RunSupervisor.command(_:)` does.
    private static let parts = """
        public final class Counts: Sendable {
            private let counts = Locked((begun: 0, ended: 0))

            public init() {}
            public var all: (begun: Int, ended: Int) { counts.withLock { $0 } }
            public func begin() { counts.withLock { $0.begun += 1 } }
            public func end() { counts.withLock { $0.ended += 1 } }

            public func during<Result: Sendable>(_ body: @Sendable () async throws -> Result) async rethrows -> Result {
                begin()
                defer { end() }
                return try await body()
            }
        }
        """

    /// A program that awaits an actor with a thread of its own, whose error comes back on that thread.
    private static let program = """
        import Dispatch
        import Parts

        struct Refused: Error {}

        final class Thread: SerialExecutor {
            let queue = DispatchQueue(label: "apart")

            func enqueue(_ job: consuming ExecutorJob) {
                let job = UnownedJob(job)
                queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
            }
        }

        actor Apart {
            let thread = Thread()
            nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

            func refuse(_ number: Int) throws { if number >= 0 { throw Refused() } }
        }

        let (counts, apart) = (Counts(), Apart())
        for number in 0..<10_000 {
            do { try await counts.during { try await apart.refuse(number) } } catch {}
        }
        print(counts.all)
        """

    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Sources").standardizedFileURL

    /// Nothing else uses the mutex, but for a module without async functions.
    @Test func onlyTheLocksUseTheMutex() throws {
        let found = try #require(FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
        var texts: [String: String] = [:]
        for case let file as URL in found where file.pathExtension == "swift" {
            texts[String(file.path.dropFirst(Self.sources.path.count + 1))] = try String(
                contentsOf: file,
                encoding: .utf8
            )
        }
        let users = texts.filter { $0.value.contains(/\bMutex[<(]/) }.keys.sorted()
        let module = "SluiceExpressions/"
        #expect(
            users == [
                "Sluice/Locked/Locked.swift", module + "Library/Standard/TimeZones.swift",
                "SluiceJSON/Locking/Locked.swift",
            ]
        )
        for (file, text) in texts where file.hasPrefix(module) {
            #expect(!text.contains(/\) (?:async|nonisolated\(nonsending\))/), "\(file)")
        }
    }

    /// The thread that locks is the one that unlocks.
    @Test func aLockBelongsToItsThread() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
        try Self.parts.write(toFile: path("Counts.swift"), atomically: true, encoding: .utf8)
        try Self.program.write(toFile: path("main.swift"), atomically: true, encoding: .utf8)
        let lock = Self.sources.appendingPathComponent("Sluice/Locked/Locked.swift").path
        let flags = ["swiftc", "-O", "-wmo", "-swift-version", "6", "-module-cache-path", path("cache")]
        let module = try await Tool.compiler.run(
            flags + ["-parse-as-library", "-emit-module", "-emit-module-path", path("Parts.swiftmodule")]
                + ["-emit-object", "-o", path("parts.o"), "-module-name", "Parts", lock, path("Counts.swift")]
        )
        try #require(module.status == 0, "\(module.errors)")
        let program = try await Tool.compiler.run(
            flags + ["-I", folder.path, "-o", path("program"), path("main.swift"), path("parts.o")]
        )
        try #require(program.status == 0, "\(program.errors)")
        let outcome = try await Tool(folder.appendingPathComponent("program")).run([])
        #expect(
            outcome.status == 0 && outcome.output == "(begun: 10000, ended: 10000)\n",
            "\(outcome.errors.prefix(500))"
        )
    }
}
#endif
