#if Hub
import SluiceRuns

@testable import SluiceHub

/// Runs a hub on a free port of loopback while `test` runs, which gets the port.
func withServer(
    _ settings: HubSettings,
    on store: any StreamStore = MemoryStreamStore(),
    _ test: @Sendable (Int) async throws -> Void
) async throws {
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
        let server = HubServer(store: store, port: 0, settings: settings)
        group.addTask { _ = try await server.run { port.yield($0) } }
        for await number in ports {
            try await test(number)
            break
        }
        group.cancelAll()
    }
}
#endif
