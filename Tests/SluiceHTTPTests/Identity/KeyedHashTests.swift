#if HTTP
import Testing

@testable import SluiceHTTP

@Suite struct KeyedHashTests {
    /// The vectors of the reference implementation and of OpenSSL (`openssl mac -macopt size:16 SIPHASH`).
    @Test(
        arguments: [
            (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
            (7, "a1f1ebbed8dbc153c0b84aa61ff08239"), (8, "3b62a9ba6258f5610f83e264f31497b4"),
            (15, "5493e99933b0a8117e08ec0f97cfc3d9"), (16, "6ee2a4ca67b054bbfd3315bf85230577"),
            (63, "5150d1772f50834a503e069a973fbd7c"),
        ]
    )
    func referenceVectors(_ count: Int, _ expected: String) throws {
        let hash = try #require(KeyedHash(key: (0..<16).map { UInt8($0) }))
        #expect(hex(hash.hash((0..<count).map { UInt8($0) })) == expected)
    }

    func hex(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    @Test func textsAreKeptApart() throws {
        let hash = KeyedHash()
        #expect(hash.text(of: ["ab", "c"]) != hash.text(of: ["a", "bc"]))
        #expect(hash.text(of: ["ab"]) != hash.text(of: ["ab", ""]))
        #expect(hash.text(of: ["ab"]) == hash.text(of: ["ab"]))
        #expect(hash.text(of: ["ab"]).count == 32)
        #expect(hash.text(of: ["ab"]) != KeyedHash().text(of: ["ab"]))
    }

    @Test func keysAreKept() throws {
        let hash = KeyedHash()
        #expect(KeyedHash(key: hash.key) == hash)
        #expect(KeyedHash(key: [1, 2, 3]) == nil)
    }
}
#endif
