#if Hub
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Sluice
import SluiceConnect
import SluiceJSON
import Testing

@testable import SluiceHub
@testable import SluiceStreams

/// The promises of `docs/hub-safety.md`, for every sink: whatever a document says, a delivery stays within them.
@Suite struct SinkSafetyTests {
    enum Promise: String, CaseIterable { case egress, redirects, secrets, files }

    /// The requests of a sink that try to break a promise. An empty list says that the sink has no such way out, and why.
    private static func attempts(of sink: String, against promise: Promise, _ world: World) -> [JSON]? {
        let own = "http://127.0.0.1:\(world.port)"
        let header: JSON = ["Authorization": "Bearer ${secret:key}", "X-Key": "${secret:key}"]
        switch (sink, promise) {
        case ("post", .egress): return world.refused.map { ["url": .string($0), "body": 1] }
        case ("post", .redirects):
            return world.refused.map { address in
                let target = address.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                return ["url": .string("\(own)/to?\(target)"), "body": 1]
            }
        case ("post", .secrets):
            let target = "http%3A%2F%2F127%2E0%2E0%2E1%3A\(world.other)%2Ftaken"
            return [
                // To another origin: directly, and by redirects that keep the method and that don't.
                ["url": .string("http://127.0.0.1:\(world.other)/taken"), "headers": header, "body": 1],
                ["url": .string("\(own)/to?\(target)"), "headers": header, "body": 1],
                ["url": .string("\(own)/see?\(target)"), "headers": header, "body": 1],
                // In parts of the request that are no header.
                ["url": .string("http://127.0.0.1:\(world.other)/${secret:key}"), "body": 1],
                ["url": .string("http://127.0.0.1:\(world.other)/taken"), "body": "${secret:key}"],
                ["url": .string("http://127.0.0.1:\(world.other)/taken"), "body": ["k": "${secret:key}"]],
            ]
        // Its bodies are values; it has no way to a file.
        case ("post", .files):
            return ["file:///etc/passwd", "file://localhost/etc/passwd"].map { ["url": .string($0), "body": 1] }
        // It opens no connection.
        case ("lines", .egress), ("lines", .redirects): return []
        case ("lines", .secrets):
            return [
                ["path": "s.log", "line": "${secret:key}"], ["path": "${secret:key}", "line": 1],
                ["path": "s.log", "line": ["k": "${secret:key}"]],
            ]
        case ("lines", .files):
            return [
                "../x", FileManager.default.temporaryDirectory.path + "/x", "", ".", "..", "a/../../x",
                "folder/../../x", "link", "link/x", "inside/../link/x",
                "dangling",
                "folder", "pipe", "x\u{0}y", "folder//x", String(repeating: "a/", count: 3000) + "x",
            ].map { ["path": .string($0), "line": "broken"] }
        // The program that registers a receiver answers for what it does; a request names values alone.
        case ("outside", .egress), ("outside", .redirects), ("outside", .files): return []
        case ("outside", .secrets): return [["arguments": ["k": "${secret:key}"], "value": "${secret:key}"]]
        default: return nil
        }
    }

    private static let value = "v4lue-of-a-secret"

    /// Two servers, a folder, and what has reached them.
    private struct World {
        let port: Int
        let other: Int
        let folder: URL

        /// Addresses that the hub does not allow, in all spellings.
        var refused: [String] {
            [
                "http://localhost:\(other)/taken", "http://[::1]:\(other)/taken", "http://0.0.0.0:\(other)/taken",
                "http://[::ffff:127.0.0.1]:\(other)/taken", "http://2130706433:\(other)/taken",
                "http://127.1:\(other)/taken", "http://0x7f000001:\(other)/taken", "http://127.0.0.2:\(other)/taken",
                "http://169.254.169.254/latest/meta-data", "http://10.0.0.1/", "http://192.168.0.1/",
                "http://[fe80::1]/",
                "http://user:word@127.0.0.1:\(port)/taken", "https://127.0.0.1@localhost:\(other)/taken",
                "ftp://127.0.0.1:\(port)/taken", "file:///etc/passwd", "gopher://127.0.0.1:\(other)/",
                "//localhost:\(other)/taken",
            ]
        }
    }

    @Test(arguments: Promise.allCases) func everySinkKeepsEveryPromise(_ promise: Promise) async throws {
        let requests = Locked<[(port: Int, head: HTTPRequest, body: String)]>([])
        @Sendable func router(_ port: @escaping @Sendable () -> Int) -> Router<BasicRequestContext> {
            let router = Router()
            for method in [HTTPRequest.Method.get, .post] {
                router.on("**", method: method) { request, _ in
                    let body = String(buffer: try await request.body.collect(upTo: 1 << 20))
                    requests.withLock { $0.append((port(), request.head, body)) }
                    let target = request.uri.query?.removingPercentEncoding ?? ""
                    return switch request.uri.path {
                    case "/to": Response(status: .temporaryRedirect, headers: [.location: target])
                    case "/see": Response(status: .seeOther, headers: [.location: target])
                    default: Response(status: .noContent)
                    }
                }
            }
            return router
        }
        let ports = Locked((own: 0, other: 0))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let outside = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        for place in [
            folder, outside, folder.appendingPathComponent("folder"), folder.appendingPathComponent("inside"),
        ] {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        }
        defer { for place in [folder, outside] { try? FileManager.default.removeItem(at: place) } }
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: outside.path)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/dangling",
            withDestinationPath: outside.path + "/new"
        )
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        try await Application(router: router { ports.withLock { $0.own } }).test(.live) { own in
            try await Application(router: router { ports.withLock { $0.other } }).test(.live) { other in
                let world = World(port: own.port ?? 0, other: other.port ?? 0, folder: folder)
                ports.withLock { $0 = (world.port, world.other) }
                var settings = HubSettings()
                // Both are allowed where a secret could leave for the other one.
                settings.allowedHosts = try [world.port, world.other].prefix(promise == .secrets ? 2 : 1)
                    .map { try AllowedHost("127.0.0.1:\($0)") }
                settings.filesFolder = folder.path
                settings.secrets = try Secrets(
                    parsing: #"{"key": {"value": "\#(Self.value)", "origins": ["http://127.0.0.1:\#(world.port)"]}}"#
                )
                let seen = Locked<[JSON]>([])
                settings.host.registerSink("outside") { delivery in seen.withLock { $0.append(delivery.request) } }
                for kind in SinkKind.all {
                    let attempts = try #require(
                        Self.attempts(of: kind.name, against: promise, world),
                        "\(kind.name): name the requests that could break '\(promise)'"
                    )
                    let receiver = try #require(settings.outside().receiver(kind.name), "\(kind.name)")
                    for request in attempts {
                        var failure: (any Error)?
                        do {
                            try await receiver(SinkDelivery(key: "a/R/s/1", request: request, stream: "a"))
                        } catch { failure = error }
                        if promise != .secrets {
                            #expect(failure is SinkRefusalError || failure is SinkRetryError, "\(request)")
                        }
                        #expect(!"\(failure.map { "\($0)" } ?? "")".contains(Self.value), "\(request)")
                    }
                }
                let reached = requests.withLock { $0 }
                // Nothing but the redirecting server was reached, and the secret is nowhere else.
                if promise != .secrets {
                    #expect(reached.allSatisfy { $0.port == world.port && $0.head.path?.hasPrefix("/to") ?? false })
                }
                let foreign = reached.filter { $0.port == world.other }.map { request in
                    "\(request.head.path ?? "") \(request.head.headerFields.map(\.value)) \(request.body)"
                }
                #expect(foreign.allSatisfy { !$0.contains(Self.value) }, "\(foreign)")
                #expect(!"\(seen.withLock { $0 })".contains(Self.value))
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == [])
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where name.hasSuffix(".log") {
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            #expect(!text.contains(Self.value) && !text.contains("broken"), "\(name): \(text)")
        }
        if promise == .secrets { #expect(requests.withLock { !$0.isEmpty }) }
    }
}
#endif
