#if Hub
import NIOCore
import NIOPosix
import ServiceLifecycle
import SluiceStore
import Testing

@testable import SluiceHub

/// A hub as a process runs it.
@Suite struct HubServerTests {
    /// More connections than are allowed wait until one has ended.
    @Test(.timeLimit(.minutes(30))) func connectionsAreCounted() async throws {
        var settings = HubSettings()
        settings.limits.connections = 2
        try await withServer(settings) { port in
            let first = try await Asking(port: port)
            let second = try await Asking(port: port)
            for asking in [first, second] {
                try await asking.ask("/health")
                try await asking.answered(1)
            }
            let third = try await Asking(port: port)
            try await third.ask("/health")
            // Those that are connected are served meanwhile, again and again: the third would have been by then.
            for count in 2...50 {
                for asking in [first, second] {
                    try await asking.ask("/health")
                    try await asking.answered(count)
                }
            }
            #expect(third.answerCount == 0)
            try await first.close()
            try await third.answered(1)
            try await third.close()
            try await second.close()
        }
    }

    /// A request that does not come to its end does not hold the end of the hub up.
    @Test(.timeLimit(.minutes(30))) func aSlowRequestDoesNotHoldTheEndUp() async throws {
        var settings = HubSettings()
        settings.limits.idleTime = .seconds(3600)
        settings.limits.endTime = .milliseconds(100)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let served = Served(server: HubServer(store: MemoryStreamStore(), port: 0, settings: settings)) {
            port.yield($0)
        }
        let group = ServiceGroup(services: [served], logger: settings.logger)
        let running = Task { try await group.run() }
        for await number in ports {
            let head = "POST /streams HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"
            let slow = try await SlowWriter(port: number, head)
            await group.triggerGracefulShutdown()
            try await running.value
            try await slow.closed()
            break
        }
    }

    private struct Served: Service {
        let server: HubServer
        let onReady: @Sendable (Int) async -> Void

        func run() async throws { _ = try await server.run(onReady: onReady) }
    }
}
#endif
