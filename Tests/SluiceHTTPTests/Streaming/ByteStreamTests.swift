#if HTTP
import SluiceHTTP
import Testing

@Suite struct ByteStreamTests {
    /// The bodies of requests and of responses have the same spellings.
    @Test func bodiesOfRequestsAndResponsesAreSpelledAlike() async throws {
        let sent: RequestBody = .bytes([1, 2])
        let received: ByteStream = .bytes([1, 2])
        #expect(sent.bytes == received.bytes)
        #expect(TransportResponse(body: .bytes([1, 2])).body.bytes == [1, 2])
        #expect(try await received.collected(upTo: 2) == [1, 2])
        #expect((try? await received.collected(upTo: 1)) == nil)
        let texts: (RequestBody, ByteStream) = ("a", "a")
        #expect(texts.0.bytes == texts.1.bytes)
    }
}
#endif
