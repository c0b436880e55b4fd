import SluiceJSON
import SluiceTestSupport
import Testing

@testable import SluiceStreams

/// The places of expressions in URLs.
@Suite struct StreamTemplateTests {
    /// Returns the place after the beginning of a URL, found in the whole of it.
    private func place(after text: String) -> StreamTemplate.Place? {
        let lowercased = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: { lowercased.hasPrefix($0) }) else { return nil }
        let rest = text.dropFirst(scheme.count)
        if rest.contains(where: { $0 == "?" || $0 == "#" }) { return .query }
        return rest.contains(where: { $0 == "/" }) ? .path : .authority
    }

    private static let pieces = [
        "http://", "https://", "HTTPS://", "Http://", "http:", "https:/", "h", "s", "S", ":", "/", "//", "a",
        "x.example", "/a/b", "?", "?a=b", "#", "&", "\u{301}", "é", "İ", "\u{212A}", "\u{200D}", "\r", "\n", "",
    ]

    /// Templates of texts and expressions; without a scheme before it, an expression is a parameter of the document.
    @Test func eachPlaceIsThatOfTheWholeBefore() {
        var random = Seeded(seed: 5)
        var counts: [StreamTemplate.Place?: Int] = [:]
        for _ in 0..<20_000 {
            var (url, before) = (URLBeginning(), "")
            if Int.random(in: 0..<3, using: &random) > 0 {
                before = Self.pieces[Int.random(in: 0..<6, using: &random)]
                url.add(before)
            }
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                if Bool.random(using: &random) {
                    var text = ""
                    for _ in 0..<Int.random(in: 1...3, using: &random) {
                        text += Self.pieces.randomElement(using: &random) ?? ""
                    }
                    url.add(text)
                    before += text
                }
                let expected = place(after: before)
                let found = url.nextPlace()
                #expect(found == expected, "\(before.debugDescription)")
                counts[found, default: 0] += 1
                if found == nil {
                    let parameter = Self.pieces.randomElement(using: &random) ?? ""
                    url.add(parameter)
                    before += parameter
                } else {
                    before += "x"
                }
            }
        }
        let all: [StreamTemplate.Place?] = [nil, .authority, .path, .query]
        for one in all { #expect(counts[one, default: 0] > 500, "\(counts)") }
    }

    /// A URL of 4 MB with 4,000 expressions: reading all before each of them takes many minutes.
    @Test(.timeLimit(.minutes(3))) func aLongURLIsReadOnce() throws {
        let piece = String(repeating: "a", count: 1_000) + "${1}/"
        let url = "https://x.example/" + String(repeating: piece, count: 4_000)
        let document = try StreamDocument(parsing: #"{"source": {"request": "\#(url)"}}"#)
        _ = try document.flow()
    }

    /// Parameters before a scheme are read with the next expression.
    @Test(.timeLimit(.minutes(2))) func manyPiecesWithoutASchemeAreReadOnce() {
        for parameter in ["h", "", "\u{301}", String(repeating: "h", count: 100)] {
            var url = URLBeginning()
            var count = 0
            for _ in 0..<200_000 {
                if url.nextPlace() == nil { count += 1 }
                url.add(parameter)
            }
            #expect(count == 200_000)
        }
    }
}
