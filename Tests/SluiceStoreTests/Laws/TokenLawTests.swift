#if SQLite
import Foundation
import SluiceStore
import Testing

/// The promises that both stores make about tokens.
@Suite(.timeLimit(.minutes(30))) struct TokenLawTests {
    private func token(_ name: String, _ role: String = "read") -> StoredToken {
        let date = Date(timeIntervalSince1970: 1_700_000_000.25)
        return StoredToken(name: name, role: role, hash: String(repeating: "0f", count: 32), created: date)
    }

    @Test(arguments: StoreKind.allCases)
    func tokensAreKeptInTheOrderOfTheirArrival(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let store = try #require(store as? any TokenStore)
            for name in ["b", "a", "c"] { try await store.addToken(token(name)) }
            #expect(try await store.tokens() == [token("b"), token("a"), token("c")])
            await #expect(throws: StoreError(.taken(id: "a"))) { try await store.addToken(token("a", "admin")) }
            try await store.removeToken("a")
            try await store.removeToken("a")
            #expect(try await store.tokens().map(\.name) == ["b", "c"])
            try await store.addToken(token("a", "admin"))
            #expect(try await store.tokens() == [token("b"), token("c"), token("a", "admin")])
        }
    }

    @Test func tokensSurviveARestart() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("hub.sqlite")
        try await SQLiteStreamStore(path: path).addToken(token("ada", "edit"))
        #expect(try await SQLiteStreamStore(path: path).tokens() == [token("ada", "edit")])
    }
}
#endif
