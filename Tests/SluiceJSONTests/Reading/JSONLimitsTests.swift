import SluiceJSON
import Testing

struct JSONLimitsTests {
    @Test(arguments: [
        (
            "[[[1]]]", JSONLimits(maximumDepth: 2),
            "1:3: more than 2 levels of nesting (raise maximumDepth in JSONLimits)"
        ),
        (
            "[1,2,3]", JSONLimits(maximumMemberCount: 2),
            "1:6: more than 2 elements in one array (raise maximumMemberCount in JSONLimits)"
        ),
        (
            "{\"a\":1,\"b\":2}", JSONLimits(maximumMemberCount: 1),
            "1:8: more than 1 members in one object (raise maximumMemberCount in JSONLimits)"
        ),
        (
            "[\"abc\"]", JSONLimits(maximumStringLength: 2),
            "1:2: a string of more than 2 bytes (raise maximumStringLength in JSONLimits)"
        ),
        (
            "[123]", JSONLimits(maximumNumberLength: 2),
            "1:2: a number of more than 2 bytes (raise maximumNumberLength in JSONLimits)"
        ),
        (
            "[1]  ", JSONLimits(maximumByteCount: 4),
            "1:1: the text has 5 bytes, more than 4 (raise maximumByteCount in JSONLimits)"
        ),
    ])
    func areKept(_ text: String, _ limits: JSONLimits, _ description: String) {
        let error = #expect(throws: JSONError.self) { try JSONDocument(parsing: text, limits: limits) }
        #expect(error?.description == description)
        #expect(error?.code == .limitExceeded)
    }

    @Test func whatIsAtTheLimitIsAccepted() throws {
        let limits = JSONLimits(
            maximumByteCount: 15,
            maximumDepth: 2,
            maximumStringLength: 3,
            maximumNumberLength: 3,
            maximumMemberCount: 2
        )
        #expect(try JSON(parsing: "[[\"abc\"], 123]", limits: limits) == [["abc"], 123])
    }

    @Test func depthIsBoundedByDefault() throws {
        let atLimit = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(try JSON(parsing: atLimit).text() == atLimit)
        let error = #expect(throws: JSONError.self) { try JSONDocument(parsing: "[" + atLimit + "]") }
        #expect(error?.description == "1:513: more than 512 levels of nesting (raise maximumDepth in JSONLimits)")
    }

    @Test func aDocumentMayBeAsDeepAsItsLimitsSay() throws {
        let depth = 1_000_000
        let text = String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
        let document = try JSONDocument(parsing: text, limits: JSONLimits(maximumDepth: depth))
        var node = document.root
        var levels = 0
        while let inner = node[0] {
            node = inner
            levels += 1
        }
        #expect(levels == depth)
        #expect(node.int == 1)
        #expect(node.position.column == depth + 1)
        let error = #expect(throws: JSONError.self) { try document.root.json() }
        #expect(error?.message == "a JSON value may not have more than 512 levels of nesting")
    }

    @Test func aKeyRepeatedAMillionTimesIsRefusedInLinearTime() throws {
        let text = "{" + Array(repeating: "\"a\":1", count: 1_000_000).joined(separator: ",") + "}"
        let error = #expect(throws: JSONError.self) { try JSONDocument(parsing: text) }
        #expect(error?.code == .duplicateKey)
        #expect(error?.column == 8)
        let first = try JSONDocument(parsing: text, duplicateKeys: .firstWins)
        #expect(first.root["a"]?.int == 1)
    }
}
