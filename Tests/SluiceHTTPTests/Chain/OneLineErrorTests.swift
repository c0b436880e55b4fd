#if HTTP
import Foundation
import HTTPTypes
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import Testing

/// The errors of calls in one line, without a network.
@Suite struct OneLineErrorTests {
    private let builder = URLChainBuilder<URL>(transport: Stub(.of(200, [:], "{}")).node)

    /// The errors of filters come unchanged.
    @Test func aRefusingAuthorizationServer() async throws {
        let server = Stub(.of(400, [:], #"{"error": "invalid_client", "error_description": "unknown"}"#))
        let client = OAuthClient(
            "a",
            secret: "b",
            tokenEndpoint: try .of("https://login.example.com/token"),
            transport: server.node
        )
        let builder = self.builder.set(.token, OAuthFilter.clientCredentials(client))
        let error = await #expect(throws: OAuthError.self) {
            try await HTTP.get("https://example.com/a", as: JSON.self, with: builder)
        }
        #expect(error == OAuthError("invalid_client", "unknown"))
        // A chain's `call` throws only errors of HTTP, as the documentation says.
        let chain: RequestChain<Void, JSON> = builder.route(.get, try .of("https://example.com/a")).build()
        let wrapped = await #expect(throws: HTTPError.self) { try await chain.call() }
        #expect(wrapped?.code == .failed)
        #expect(wrapped?.cause as? OAuthError == error)
    }

    /// A call fails with an error of HTTP if no filter of the program fails.
    @Test func otherErrors() async throws {
        for (builder, code) in [
            (builder, HTTPError.Code.badBody),
            (URLChainBuilder<URL>(transport: Stub(.of(404)).node), .badStatus),
        ] {
            let error = await #expect(throws: HTTPError.self) {
                try await HTTP.get("https://example.com/a", as: [Int].self, with: builder)
            }
            #expect(error?.code == code)
        }
    }
}
#endif
