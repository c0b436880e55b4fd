#if Command
import Foundation
import SluiceTestSupport
import Testing

/// The options that decide which requests a hub answers.
@Suite(.timeLimit(.minutes(30))) struct ServeSafetyTests {
    let folder: ScratchFolder
    var store: String { folder.path + "/hub.sqlite" }

    init() throws { folder = try ScratchFolder() }

    /// Starts a hub and returns the lines that it prints.
    private func lines(_ count: Int, of running: Running) async -> [String] {
        var lines: [String] = []
        for await line in running.lines {
            lines.append(line)
            if lines.count == count { break }
        }
        return lines
    }

    @Test func autoMakesATokenAndPrintsTheLink() async throws {
        let running = try Tool.sluice.start(["serve", "--port", "0", "--store", store, "--token", "auto"])
        defer { running.signal(SIGKILL) }
        let lines = await lines(2, of: running)
        let link = try #require(
            lines.last?.wholeMatch(of: /Log in: (http:\/\/127\.0\.0\.1:\d+\/)#token=([0-9a-f]{64})/)
        )
        let streams = ["call", "GET", "\(link.1)streams", "--header"]
        #expect(try await Tool.sluice.run(streams + ["Authorization: Bearer \(link.2)"]).status == 0)
        #expect(try await Tool.sluice.run(streams + ["Authorization: Bearer auto"]).status == 1)
        let login = ["call", "POST", "\(link.1)session", "--data", #"{"token": "\#(link.2)"}"#]
        #expect(try await Tool.sluice.run(login).status == 0)
    }

    @Test(arguments: [
        (["--host", "0.0.0.0"], "is not an address of loopback"),
        (["--host", "0.0.0.0", "--token", "fifteen-letters"], "the token has fewer than 16 characters"),
        (["--proxy", "127.0.0.1", "--token", "fifteen-letters"], "the token has fewer than 16 characters"),
        (["--proxy", "example.com"], "'example.com' is not the address of a proxy"),
        (["--tls-key", "key.pem"], "--tls-certificate and --tls-key go together"),
        (["--tls-certificate", "a.pem"], "--tls-certificate and --tls-key go together"),
        (["--tls-certificate", "/none.pem", "--tls-key", "/none.pem"], "'/none.pem' can't be used for https"),
    ])
    func argumentsThatCannotBeAreRefused(_ arguments: [String], _ text: String) async throws {
        let outcome = try await Tool.sluice.run(["serve", "--port", "0", "--store", store] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(text), "\(outcome.errors)")
    }

    /// The environment decides where the user's files are.
    @Test func theStoreIsWhereTheEnvironmentSays() async throws {
        let (home, data) = (folder.path + "/home", folder.path + "/data")
        let cases: [([String: String], String)] = [
            (["HOME": home, "XDG_DATA_HOME": ""], home + "/.local/share"),
            (["HOME": home, "XDG_DATA_HOME": "relative"], home + "/.local/share"),
            (["HOME": home, "XDG_DATA_HOME": data], data),
        ]
        for (environment, expected) in cases {
            let running = try Tool.sluice.start(["serve", "--port", "0"], environment: environment)
            defer { running.signal(SIGKILL) }
            let line = await lines(1, of: running).first
            #expect(line?.hasSuffix(" from \(expected)/sluice/hub.sqlite") == true, "\(line ?? "")")
            #expect(FileManager.default.fileExists(atPath: expected + "/sluice/hub.sqlite"))
        }
        // The cache of call, too.
        let hub = try await ServedHub(store: store)
        let call = ["call", "GET", hub.address + "health", "--cache"]
        let caches: [([String: String], String)] = [
            (["HOME": home, "XDG_CACHE_HOME": ""], home + "/.cache"),
            (["HOME": home, "XDG_CACHE_HOME": folder.path + "/cache"], folder.path + "/cache"),
        ]
        for (environment, expected) in caches {
            #expect(try await Tool.sluice.run(call, environment: environment).status == 0)
            #expect(FileManager.default.fileExists(atPath: expected + "/sluice/http"))
        }
    }

    /// One client opens more connections than the process may have files: others are served, and the store works.
    @Test func idleConnectionsDoNotUseUpTheFiles() async throws {
        let command = "ulimit -n 128; exec \"$0\" serve --port 0 --store \"$1\""
        let program = Tool.products.appendingPathComponent("sluice").path
        let shell = Tool(URL(fileURLWithPath: "/bin/sh"))
        let hub = try await ServedHub(shell.start(["-c", command, program, store]))
        let sockets = try (0..<300).map { _ in try RawSocket(port: hub.port) }
        let body = #"{"stream": []}"#
        for (index, source) in ["127.0.0.2", "127.0.0.3", "127.0.0.1"].enumerated() {
            let answer = try RawSocket(port: hub.port, from: source).ask(
                "PUT /streams/new\(index) HTTP/1.1\r\nHost: 127.0.0.1\r\nIf-None-Match: *\r\nConnection: close\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            #expect(answer.hasPrefix("HTTP/1.1 201 "), "\(source): \(answer)")
        }
        withExtendedLifetime(sockets) {}
    }
}

/// A connection made of system calls.
final class RawSocket: Sendable {
    private let descriptor: Int32

    struct Failure: Error { let number: Int32 }

    init(port: Int, from source: String = "127.0.0.1") throws {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, stream, 0)
        try Self.call(Self.address(source, 0), descriptor, bind)
        try Self.call(Self.address("127.0.0.1", port), descriptor, connect)
    }

    deinit { close(descriptor) }

    /// Sends a text and returns everything that comes until the other side ends.
    func ask(_ text: String) throws -> String {
        let bytes = Array(text.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw Failure(number: errno) }
        var (answer, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { answer += buffer[..<count] }
        return String(decoding: answer, as: UTF8.self)
    }

    private static func address(_ text: String, _ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        inet_pton(AF_INET, text, &address.sin_addr)
        return address
    }

    private static func call(
        _ address: sockaddr_in,
        _ descriptor: Int32,
        _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32
    ) throws {
        var address = address
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(number: errno) }
    }
}
#endif
