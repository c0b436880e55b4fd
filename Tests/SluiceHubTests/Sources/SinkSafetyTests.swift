#if Hub
import Foundation
import Sluice
import SluiceConnect
import SluiceJSON
import Testing

@testable import SluiceHub
@testable import SluiceStreams

/// The promises of `docs/hub-safety.md`, for every sink: whatever a document says, a delivery stays within them.
@Suite struct SinkSafetyTests {
    /// The requests of a sink that try to break a promise. An empty list says that the sink has no such way out, and why.
    private static func attempts(of sink: String, against promise: SafetyPromise, _ world: HostileWorld) -> [JSON]? {
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
        // The program connects it to its servers; a request names no server, and this host is connected to no server.
        case ("publish", .egress): return [["subject": "orders.out", "value": 1]]
        case ("publish", _): return []
        case ("outside", .secrets): return [["arguments": ["k": "${secret:key}"], "value": "${secret:key}"]]
        default: return nil
        }
    }

    @Test(arguments: SafetyPromise.allCases) func everySinkKeepsEveryPromise(_ promise: SafetyPromise) async throws {
        try await HostileWorld.with(promise) { world, reached in
            try FileManager.default.createSymbolicLink(
                atPath: world.folder.path + "/dangling",
                withDestinationPath: world.outside.path + "/new"
            )
            var settings = world.settings
            let seen = Seen()
            settings.host.registerSink("outside") { delivery in seen.requests.withLock { $0.append(delivery.request) } }
            for kind in SinkKind.all {
                let attempts = try #require(
                    Self.attempts(of: kind.name, against: promise, world),
                    "\(kind.name): name the requests that could break '\(promise)'"
                )
                let receiver = try #require(settings.outside().receiver(kind.name), "\(kind.name)")
                for request in attempts {
                    var failure: (any Error)?
                    do { try await receiver(SinkDelivery(key: "a/R/s/1", request: request, stream: "a")) } catch {
                        failure = error
                    }
                    if promise != .secrets {
                        #expect(failure is SinkRefusalError || failure is SinkRetryError, "\(request)")
                    }
                    #expect(!"\(failure.map { "\($0)" } ?? "")".contains(HostileWorld.secret), "\(request)")
                }
            }
            // Nothing but the redirecting server was reached, and the secret is nowhere else.
            let requests = reached()
            if promise != .secrets {
                #expect(requests.allSatisfy { $0.port == world.port && $0.path.hasPrefix("/to") }, "\(requests)")
            } else {
                #expect(!requests.isEmpty)
            }
            let foreign = requests.filter { $0.port == world.other }
            #expect(foreign.allSatisfy { !$0.description.contains(HostileWorld.secret) }, "\(foreign)")
            #expect(!"\(seen.requests.withLock { $0 })".contains(HostileWorld.secret))
            #expect(try FileManager.default.contentsOfDirectory(atPath: world.outside.path) == [])
            for name in try FileManager.default.subpathsOfDirectory(atPath: world.folder.path)
            where name.hasSuffix(".log") {
                let text = try String(contentsOf: world.folder.appendingPathComponent(name), encoding: .utf8)
                #expect(!text.contains(HostileWorld.secret) && !text.contains("broken"), "\(name): \(text)")
            }
        }
    }

    private final class Seen: Sendable {
        let requests = Locked<[JSON]>([])
    }
}
#endif
