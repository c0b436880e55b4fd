import SluiceJSON
import SluiceTestSupport
import Testing

@testable import SluiceStreams

/// Texts of arguments with the parameters of the document put in.
@Suite struct ComparedArgumentsTests {
    private static let parameters: [String: JSON] = ["p": "b", "low": 5, "": true]

    static let cases: [(String, JSON)] = [
        ("", ""), ("a", "a"), ("${p}", "b"), ("${ p }", "b"), ("${low}", 5), ("${}", true), ("x > ${low}", "x > (5)"),
        ("${low} < x", "(5) < x"), ("${low}${p}", #"(5)("b")"#), ("${q}", "${q}"), ("${q} ${p}", #"${q} ("b")"#),
        ("${${p} + 'x'}", #"${("b") + 'x'}"#), ("${p", "${p"), ("${p ${low}", "${p (5)"), ("}${p}}", #"}("b")}"#),
        ("$${p}", #"$("b")"#), ("$ {p}", "$ {p}"), ("${a ${b ${p} c} d}", #"${a ${b ("b") c} d}"#),
    ]

    @Test(arguments: ComparedArgumentsTests.cases) func parametersArePutIn(_ text: String, _ filled: JSON) {
        #expect(text.filled(with: Self.parameters) == filled)
    }

    /// Returns the text with the parameters, by looking for the end of each name in all of the rest.
    private func reference(_ text: String) -> JSON {
        var (result, rest) = ("", Substring(text))
        while let start = rest.firstRange(of: "${") {
            result += rest[..<start.lowerBound]
            rest = rest[start.upperBound...]
            guard let end = rest.firstIndex(of: "}"),
                let value = Self.parameters[rest[..<end].filter { $0 != " " }]
            else {
                result += "${"
                continue
            }
            if start.lowerBound == text.startIndex, rest.index(after: end) == text.endIndex { return value }
            result += "(\(value))"
            rest = rest[rest.index(after: end)...]
        }
        return .string(result + rest)
    }

    @Test func everyTextIsThatOfTheReference() {
        var random = Seeded(seed: 3)
        let pieces = ["${", "}", "$", "{", "p", "low", " ", "q", "${p}", "é", "\u{301}"]
        for _ in 0..<20_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...10, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
            #expect(text.filled(with: Self.parameters) == reference(text), "\(text.debugDescription)")
        }
    }

    /// 200 KB of names that are not closed: looking for the end of each in all of the rest takes many minutes.
    @Test(.timeLimit(.minutes(2)), arguments: ["", "}"]) func manyOpeningsAreReadOnce(_ end: String) {
        let text = String(repeating: "${", count: 100_000) + end
        #expect(text.filled(with: ["p": "b"]) == .string(text))
    }
}
