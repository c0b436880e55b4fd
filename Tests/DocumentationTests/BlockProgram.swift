#if Command && OpenCombine && Server
import Foundation
import SluiceTestSupport

/// The program in which the code blocks of the documentation run.
enum BlockProgram {
    /// The source of what blocks are checked with.
    static let checks = """
        import Foundation
        import Sluice

        /// The notes go to the standard error, and what the blocks print to the standard output.
        func note(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data((text + "\\n").utf8)) }
        func expect<T: Equatable>(_ value: T, _ expected: T, _ place: String) {
            note("\\(place): \\(value == expected ? "passed" : "failed: \\(value) is not \\(expected)")")
        }
        func expectNoObserver<T>(_ value: T) {}
        @available(*, unavailable, message: "an Observer, not the value that was awaited")
        func expectNoObserver<T>(_ value: Observer<T>) {}

        /// Blocks that don't end are compiled, and not run.
        let isRunInFull = CommandLine.arguments.contains("all")
        """

    /// The source of the servers that the blocks talk to.
    static let servers = #"""
        import Foundation
        import HTTPTypes
        import Hummingbird
        import SluiceClient
        import SluiceHub
        import SluiceRuns

        /// The addresses of the servers, which are set once, before any block runs.
        nonisolated(unsafe) var site = ""
        nonisolated(unsafe) var hubSite = ""
        /// The streams of the hub that no block has created.
        nonisolated(unsafe) var kept: Set<String> = []

        struct Site: HTTPResponder {
            typealias Context = BasicRequestContext

            func respond(to request: Request, context: Context) async throws -> Response {
                func json(_ text: String) -> Response {
                    Response(status: .ok, headers: [.contentType: "application/json"], body: body(text))
                }
                func body(_ text: String) -> ResponseBody { ResponseBody(byteBuffer: ByteBuffer(string: text)) }
                let user = #"{"name":"Ada"}"#
                switch (request.method, request.uri.path) {
                case (.get, "/users/ada"), (.get, "/users/me"), (.get, "/ships/1"): return json(user)
                case (.get, "/users"): return json("[\(user)]")
                case (.get, "/names"): return json(#"["Ada"]"#)
                case (.get, "/prices"):
                    // An event source that comes back has seen all events.
                    if request.headers[HTTPField.Name("Last-Event-ID")!] != nil { return Response(status: .noContent) }
                    let events = "retry: 1\nid: 1\nevent: price\ndata: 12\n\n"
                    return Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body(events))
                case (.get, _):
                    return Response(status: .ok, headers: [.cacheControl: "max-age=60"], body: body("one\ntwo\n"))
                case (.delete, _): return Response(status: .noContent)
                default:
                    let isJSON = request.headers[.contentType]?.hasPrefix("application/json") ?? false
                    let sent = String(buffer: try await request.body.collect(upTo: 1 << 20))
                    return json(isJSON ? sent : user)
                }
            }
        }

        /// Starts a server, and returns its address.
        func address(_ run: @escaping @Sendable (AsyncStream<Int>.Continuation) async throws -> Void) async -> String {
            let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
            Task {
                do { try await run(continuation) } catch { note("a server: failed: \(error)") }
                continuation.finish()
            }
            for await port in ports { return "http://127.0.0.1:\(port)" }
            return ""
        }

        func startServers() async throws {
            let folder = URL(fileURLWithPath: CommandLine.arguments[1])
            _ = chdir(folder.path)
            for name in ["data", "photos", "Fixtures"] {
                try FileManager.default.createDirectory(
                    at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
            }
            try Data("1\n2\n".utf8).write(to: folder.appendingPathComponent("numbers.txt"))
            try Data("a photo".utf8).write(to: folder.appendingPathComponent("photos/ada.jpg"))
            site = await address { ports in
                try await Application(
                    responder: Site(),
                    configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
                    onServerRunning: { channel in ports.yield(channel.localAddress?.port ?? 0) }
                ).runService(gracefulShutdownSignals: [])
            }
            hubSite = await address { ports in
                _ = try await HubServer(store: MemoryStreamStore(), port: 0).run { ports.yield($0) }
            }
            let hub = HubClient(URL(string: hubSite)!)
            _ = try await hub.create(#"{"source": {"interval": {"seconds": 1}}}"#, id: "ticks")
            _ = try await hub.create(#"{"source": {"values": [1, 2, 3]}}"#, id: "sums")
            _ = try await hub.create(#"{"source": {"values": [1]}}"#, id: "alerts")
            _ = try await hub.start("sums")
            kept = Set(try await hub.heads().map(\.id))
        }

        /// Removes what the block before has written, and restores the files that blocks read.
        func begin() async throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: ".")
            for name in names where name.contains(".sqlite") { try FileManager.default.removeItem(atPath: name) }
            try Data("a movie".utf8).write(to: URL(fileURLWithPath: "data/movie.mp4"))
            let hub = HubClient(URL(string: hubSite)!)
            for head in try await hub.heads() where !kept.contains(head.id) {
                try await hub.delete(head.id, at: head.revision)
            }
        }
        """#

    /// Compiles the sources of a program and links it with everything that the tests are linked with.
    static func compile(_ sources: [String: String], to program: URL) async throws -> Tool.Outcome {
        let folder = program.deletingLastPathComponent()
        var files: [String] = []
        for (name, source) in sources.sorted(by: { $0.key < $1.key }) {
            let file = folder.appendingPathComponent(name)
            try source.write(to: file, atomically: true, encoding: .utf8)
            files.append(file.path)
        }
        let list = Tool.products.appendingPathComponent("sluicePackageTests.product/Objects.LinkFileList")
        let objects = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
            .map { $0.trimmingCharacters(in: ["'"]) }
            .filter { !$0.contains("Tests.build/") && !$0.contains("/SluiceTestSupport.build/") }
        let modules = Tool.products.appendingPathComponent("Modules").path
        return try await Tool.compiler.run(
            ["swiftc", "-j2", "-swift-version", "6", "-use-ld=lld", "-lstdc++", "-lz", "-I", modules]
                + ["-module-cache-path", folder.path, "-o", program.path] + Tool.moduleFlags() + files + objects
        )
    }
}
#endif
