#if SQLite
import Foundation
import SluiceStore
import SluiceTestSupport

#if NATS
import SluiceNATS
#endif

/// The stores that hold the laws for documents and groups: those that keep runs, and, in a build with the trait NATS, the
/// bucket of a server that is started for the test.
enum DefinitionKind: Sendable {
    case runs(StoreKind)
    case nats

    static var allCases: [DefinitionKind] { shareable + [.runs(.sqlite), .runs(.shared)] }

    /// The stores that several hubs may use at the same time.
    static var shareable: [DefinitionKind] {
        #if NATS
        if NATSServer.program != nil { return [.runs(.memory), .nats] }
        #endif
        return [.runs(.memory)]
    }

    func withStore(at clock: WallClock = WallClock(), _ body: (any DefinitionStore) async throws -> Void) async throws {
        switch self {
        case .runs(let kind): try await kind.withStore(at: clock, body)
        case .nats:
            #if NATS
            let server = try NATSServer()
            var settings = NATSSettings(server.address)
            // On a machine with other work, a server may take long.
            settings.timeout = .seconds(20)
            let connection = try await NATSConnection.connect(settings)
            try await body(NATSDefinitionStore.open(on: connection, now: { clock.now }))
            #endif
        }
    }
}
#endif
