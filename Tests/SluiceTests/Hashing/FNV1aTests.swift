import Sluice
import Testing

@Suite struct FNV1aTests {
    /// The vectors of the draft of the IETF (draft-eastlake-fnv, appendix C).
    @Test(arguments: [
        ("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8"),
    ])
    func vectors(_ text: String, _ hash: String) {
        #expect(FNV1a(text).text == hash)
        var parts = FNV1a()
        for byte in text.utf8 { parts.add(byte) }
        #expect(parts.text == hash)
    }

    /// The digits of a small number are padded.
    @Test func digits() {
        #expect(FNV1a(basis: 0).text == "0000000000000000")
    }
}
