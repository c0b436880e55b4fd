import NIOCore
import NIOPosix
import SluiceStore
import Testing

@testable import SluiceHub

/// A hub as a process runs it.
@Suite struct HubServerTests {
    private func withServer(_ settings: HubSettings, _ test: @Sendable (Int) async throws -> Void) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let server = HubServer(store: MemoryStreamStore(), port: 0, settings: settings)
            group.addTask { _ = try await server.run { port.yield($0) } }
            for await number in ports {
                try await test(number)
                break
            }
            group.cancelAll()
        }
    }

    /// More connections than are allowed wait until one has ended.
    @Test(.timeLimit(.minutes(2))) func connectionsAreCounted() async throws {
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
}
