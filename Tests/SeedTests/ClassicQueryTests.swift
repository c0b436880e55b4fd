#if HTTP && OpenCombine && SQLite && Server
import Foundation
import HTTPTypes
import Sluice
import SluiceClassic
import SluiceHTTP
import Testing

/// Tests of queries from dictionaries of any values, with NodeKit's names.
@Suite struct ClassicQueryTests {
    /// Sends a request with a query, and returns the query as the transport receives it.
    private func query(
        _ values: [String: Any],
        _ change: (UrlChainsBuilder<URL>) -> UrlChainsBuilder<URL>
    ) async throws -> Set<String> {
        let sent = Locked<String?>(nil)
        let stub = AnyNode<TransportRequest, TransportResponse>("stub") { request in
            sent.withLock { $0 = request.url.query(percentEncoded: false) }
            return TransportResponse()
        }
        let url = try #require(URL(string: "https://example.com/users"))
        let builder = change(UrlChainsBuilder<URL>(transport: stub).set(query: values))
        let chain: RequestChain<Void, Void> = builder.route(.get, url).build()
        try await chain.process()
        return Set((sent.withLock { $0 } ?? "").split(separator: "&").map(String.init))
    }

    /// Numbers and Booleans of a dictionary that `JSONSerialization` has read, where both are `NSNumber`.
    @Test func dictionaryOfJSONSerialization() async throws {
        let text = """
            {"page": 25, "all": true, "none": false, "one": 1, "zero": 0, "half": 0.5, "map": {"n": 7, "b": true}}
            """
        let values = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(
            try await query(values) { $0.set(boolEncodingStartegy: .asBool) }
                == ["page=25", "all=true", "none=false", "one=1", "zero=0", "half=0.5", "map[n]=7", "map[b]=true"]
        )
        // NodeKit's default is asInt.
        #expect(
            try await query(values) { $0 }
                == ["page=25", "all=1", "none=0", "one=1", "zero=0", "half=0.5", "map[n]=7", "map[b]=1"]
        )
    }
}
#endif
