#if Hub
import Foundation
import Sluice
import SluiceConnect
import SluiceJSON
import Testing

@testable import SluiceHub
@testable import SluiceStreams

/// The promises of `docs/hub-safety.md`, for every source of the outside world: whatever a document says, and whatever a
/// server answers, what is read stays within them.
@Suite(.timeLimit(.minutes(20))) struct SourceSafetyTests {
    /// The arguments of a source that try to break a promise. An empty list says that the source has no such way, and why.
    private static func attempts(of source: String, against promise: SafetyPromise, _ world: HostileWorld) -> [JSON]? {
        let own = "http://127.0.0.1:\(world.port)"
        let header: JSON = ["Authorization": "Bearer ${secret:key}", "X-Key": "${secret:key}"]
        func target(_ address: String) -> String {
            address.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }
        switch (source, promise) {
        case ("request", .egress), ("poll", .egress), ("events", .egress):
            return world.refused.map { ["url": .string($0), "seconds": 1] }
        case ("request", .redirects), ("poll", .redirects), ("events", .redirects):
            return world.refused.map { ["url": .string("\(own)/to?\(target($0))"), "seconds": 1] }
        case ("request", .secrets), ("poll", .secrets), ("events", .secrets):
            let taken = "http://127.0.0.1:\(world.other)/taken"
            return [taken, "\(own)/to?\(target(taken))", "\(own)/see?\(target(taken))"].map {
                ["url": .string($0), "headers": header, "seconds": 1]
            }
        case ("request", .files), ("poll", .files), ("events", .files):
            return ["file:///etc/passwd", "file://localhost/etc/passwd"].map { ["url": .string($0), "seconds": 1] }
        case ("lines", .egress), ("lines", .redirects), ("lines", .secrets): return []
        case ("lines", .files):
            return [
                "../x", "/etc/passwd", "", ".", "..", "a/../../x", "link/x", "inside/../link/x", "folder", "pipe",
                "x\u{0}y", "-",
            ].map { ["path": .string($0)] }
        // They open nothing: requests come to the first one, and the others read the hub, the clock, and the program.
        case ("webhook", _), ("subscribe", _), ("schedule", _), ("outside", _): return []
        // The program connects it to its servers; a document names no server.
        case ("subject", .files): return [["subject": "orders.in"]]
        case ("subject", _): return []
        default: return nil
        }
    }

    private final class Outcome: Sendable {
        private let first = Locked<String?>(nil)
        let news = Signal()

        var text: String? { first.withLock { $0 } }

        func note(_ text: String) {
            first.withLock { $0 = $0 ?? text }
            news.notify()
        }
    }

    /// Returns what a source does with its arguments: it ends, or says why it waits.
    private static func outcome(of body: @escaping StreamHost.Body, _ arguments: JSON) async -> String {
        let outcome = Outcome()
        let note: @Sendable (String) -> Void = { outcome.note($0) }
        let inlet = StreamInlet<JSON>(
            send: { item, _ in
                note("item \(item)")
                throw CancellationError()
            },
            push: { item in
                note("item \(item)")
                return false
            },
            report: { reason in if let reason { note("waits: \(reason)") } }
        )
        let task = Task {
            do {
                try await body(arguments, inlet)
                note("ended")
            } catch { note("failed: \(error)") }
        }
        while outcome.text == nil { await outcome.news.wait() }
        task.cancel()
        await task.value
        return outcome.text ?? ""
    }

    @Test(arguments: SafetyPromise.allCases) func everySourceKeepsEveryPromise(_ promise: SafetyPromise) async throws {
        try await HostileWorld.with(promise) { world, reached in
            try Data("private\n".utf8).write(to: world.outside.appendingPathComponent("x"))
            let host = world.settings.outside()
            // Those that read something outside of the run.
            let kinds = [
                "lines", "poll", "request", "events", "webhook", "subject", "subscribe", "schedule", "outside",
            ]
            #expect(Set(kinds).isSubset(of: SourceKind.all.map(\.name)))
            for kind in kinds {
                let attempts = try #require(
                    Self.attempts(of: kind, against: promise, world),
                    "\(kind): name the arguments that could break '\(promise)'"
                )
                for arguments in attempts {
                    let source = try #require(host.source(kind), "\(kind)")
                    let outcome = await Self.outcome(of: source.body, arguments)
                    if promise != .secrets {
                        #expect(!outcome.hasPrefix("item") && outcome != "ended", "\(kind) \(arguments): \(outcome)")
                    }
                    let isQuiet = !outcome.contains(HostileWorld.secret) && !outcome.contains("private")
                    #expect(isQuiet, "\(kind) \(arguments)")
                }
            }
            let requests = reached()
            if promise != .secrets {
                #expect(requests.allSatisfy { $0.port == world.port && $0.path.hasPrefix("/to") }, "\(requests)")
            } else {
                #expect(requests.contains { $0.description.contains(HostileWorld.secret) })
            }
            #expect(requests.allSatisfy { $0.port == world.port || !$0.description.contains(HostileWorld.secret) })
        }
    }
}
#endif
