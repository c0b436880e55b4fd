import Foundation
import SluiceJSON
import Testing

/// The conversions of keys, over generated keys, beside Foundation's.
struct KeyConversionTests {
    /// The names of an object's members, with the members' numbers.
    private struct Names: Codable {
        var names: [String: Int]

        init(_ names: [String: Int]) { self.names = names }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: TextKey.self)
            names = [:]
            for key in container.allKeys { names[key.stringValue] = try container.decode(Int.self, forKey: key) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: TextKey.self)
            for (name, number) in names { try container.encode(number, forKey: TextKey(name)) }
        }
    }

    private static let pieces: [String] = [
        "_", "_", "_", "a", "b", "z", "A", "B", "Z", "URL", "one", "Two", "0", "1", "42", ".", "-", " ", "'", "’", "·",
        ":", "/", "é", "É", "e\u{301}", "ß", "ŉ", "ﬁ", "ǆ", "ǅ", "Ǆ", "İ", "ı", "ς", "Σ", "漢", "😀", "👩‍👩‍👧", "🇩🇪",
        "\u{200D}",
        "\u{301}", "\u{AD}", "ª", "ᵃ", "ⓐ", "Ⓐ", "Ⅳ", "ⅳ", "𝐀", "𝐚", "𐐀", "𐐨", "ა", "Ა", "ᾳ", "ᾼ", "$", "@", "\u{345}",
        "\r\n",
    ]

    private func key(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...9, using: &random)).map { _ in
            KeyConversionTests.pieces.randomElement(using: &random) ?? ""
        }.joined()
    }

    @Test func snakeCaseBecomesCamelCaseAsInFoundation() throws {
        var both = SideBySide()
        both.theirDecoder.keyDecodingStrategy = .convertFromSnakeCase
        both.decoder.keyDecodingStrategy = .convertFromSnakeCase
        var random = SeededGenerator(seed: 131)
        for _ in 0..<20_000 * scale {
            let key = key(&random)
            let text = try JSONEncoder().encode([key: 1])
            let (theirs, ours) = both.decoded(Names.self, text) { "\(Array($0.names.keys.joined().unicodeScalars))" }
            try #require(theirs == ours, "\(key)")
        }
    }

    @Test func camelCaseBecomesSnakeCaseAsInFoundation() throws {
        var both = SideBySide()
        both.theirEncoder.keyEncodingStrategy = .convertToSnakeCase
        both.encoder.keyEncodingStrategy = .convertToSnakeCase
        var random = SeededGenerator(seed: 132)
        for _ in 0..<20_000 * scale {
            let key = key(&random)
            let (theirs, ours) = both.encoded(Names([key: 1]))
            try #require(theirs.utf8.elementsEqual(ours.utf8), "\(key): \(theirs), \(ours)")
        }
    }

    @Test(
        arguments: [
            ("address_1line", "address1Line"), ("one_ßa", "oneSsa"), ("one_a.b-c", "oneA.B-C"),
            ("_one_two_", "_oneTwo_"),
            ("one_TWO", "oneTwo"), ("ONE_two", "oneTwo"), ("ONE", "ONE"), ("__", "__"), ("one__two", "oneTwo"),
        ]
    )
    func aWordIsCapitalizedAsInFoundation(_ key: String, _ converted: String) throws {
        var decoder = SluiceJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(try decoder.decode(Names.self, from: "{\"\(key)\":1}").names == [converted: 1])
    }

    /// Two keys that become one: of those in the text the first counts, of those that are encoded the last.
    @Test func keysThatBecomeTheSame() throws {
        var both = SideBySide()
        both.theirDecoder.keyDecodingStrategy = .convertFromSnakeCase
        both.decoder.keyDecodingStrategy = .convertFromSnakeCase
        let (theirs, ours) = both.decoded(Names.self, Data(#"{"a_b":1,"aB":2,"a__b":3}"#.utf8)) { "\($0.names)" }
        #expect(theirs == ours)
        #expect(ours == #"["aB": 1]"#)
        struct Clash: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: TextKey.self)
                try container.encode(1, forKey: TextKey("aB"))
                try container.encode(2, forKey: TextKey("a_b"))
            }
        }
        both.theirEncoder.keyEncodingStrategy = .convertToSnakeCase
        both.encoder.keyEncodingStrategy = .convertToSnakeCase
        let texts = both.encoded(Clash())
        #expect(texts.theirs == texts.ours)
        #expect(texts.ours == #"{"a_b":2}"#)
    }

    /// A custom conversion receives the whole path for each key, including the numbers of its keys.
    @Test func aCustomConversionSeesTheWholePath() throws {
        final class Seen: @unchecked Sendable {
            // Used by one thread: the coder calls the closure where it is called itself.
            var paths: Set<String> = []
        }
        struct Inner: Codable {
            var deep = ["k": [1]]
            var list = [[7: 8]]
        }
        struct Outer: Codable {
            var inner = Inner()
            var inners = [Inner(), Inner()]
            var numbers = [3: Inner()]
        }
        let (their, our) = (Seen(), Seen())
        var both = SideBySide()
        both.theirEncoder.keyEncodingStrategy = .custom { path in
            their.paths.insert(SideBySide.path(path))
            return TextKey("k" + (path.last?.stringValue ?? ""))
        }
        both.encoder.keyEncodingStrategy = .custom { path in
            our.paths.insert(SideBySide.path(path))
            return TextKey("k" + (path.last?.stringValue ?? ""))
        }
        let texts = both.encoded(Outer())
        #expect(texts.theirs == texts.ours)
        #expect(their.paths == our.paths)
        #expect(our.paths.contains("numbers.3=3.list.Index 0=0.7=7"))
        (their.paths, our.paths) = ([], [])
        both.theirDecoder.keyDecodingStrategy = .custom { path in
            their.paths.insert(SideBySide.path(path))
            return TextKey(String((path.last?.stringValue ?? "").dropFirst()))
        }
        both.decoder.keyDecodingStrategy = .custom { path in
            our.paths.insert(SideBySide.path(path))
            return TextKey(String((path.last?.stringValue ?? "").dropFirst()))
        }
        let values = both.decoded(Outer.self, Data(texts.theirs.utf8))
        #expect(values.theirs == values.ours)
        #expect(their.paths == our.paths)
    }
}
