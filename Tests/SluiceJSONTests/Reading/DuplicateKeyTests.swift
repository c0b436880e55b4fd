import SluiceJSON
import Testing

/// Tests that a repeated key is found in an object of any size, and that no other key is taken for one.
@Suite struct DuplicateKeyTests {
    @Test(arguments: [2, 3, 11, 12, 13, 14, 63, 64, 65, 66, 500])
    func oneOfTwoKeysIsRefused(count: Int) throws {
        // Alike at both ends, and of different lengths.
        let keys = (0..<count).map { "the_key_\(String(repeating: "x", count: $0 % 9))\($0)_of_this_object" }
        #expect(try JSONDocument(parsing: text(keys)).root.count == count)
        for (first, again) in [(0, 1), (0, count - 1), (count / 2, count - 1)] where first < again {
            var repeated = keys
            repeated[again] = keys[first]
            #expect(throws: JSONError.self) { try JSONDocument(parsing: text(repeated)) }
            // The same key with its first letter as an escape.
            repeated[again] = "\\u0074" + keys[first].dropFirst()
            #expect(throws: JSONError.self) { try JSONDocument(parsing: text(repeated)) }
            repeated[again] = "\\u0054" + keys[first].dropFirst()
            #expect(try JSONDocument(parsing: text(repeated)).root.count == count)
        }
    }

    @Test func shortKeysDiffer() throws {
        let letters = (0..<26).map { String(UnicodeScalar(97 + $0)) }
        let keys =
            [""] + letters + letters.map { $0 + "a" } + (0..<11).map { String(repeating: "\u{7F}", count: $0 + 1) }
        #expect(try JSONDocument(parsing: text(keys)).root.count == keys.count)
    }

    private func text(_ keys: [String]) -> String {
        "{" + keys.map { "\"\($0)\": [{}, {\"a\": 1}]" }.joined(separator: ", ") + "}"
    }
}
