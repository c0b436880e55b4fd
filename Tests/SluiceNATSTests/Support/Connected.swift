#if NATS
import SluiceTestSupport

@testable import SluiceNATS

/// A server that is started for a test, and a connection to it.
struct Connected {
    let server: NATSServer
    let connection: NATSConnection

    init(_ arguments: [String] = []) async throws {
        server = try NATSServer(arguments)
        var settings = NATSSettings(server.address)
        // On a machine with other work, a server may take long.
        settings.timeout = .seconds(20)
        connection = try await NATSConnection.connect(settings)
    }

    /// Returns a further connection, as another process has it.
    func another() async throws -> NATSConnection { try await NATSConnection.connect(connection.settings) }
}

/// A Boolean value that indicates whether tests can start a server.
let hasServer = NATSServer.program != nil
#endif
