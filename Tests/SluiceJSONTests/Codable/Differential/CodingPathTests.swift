import Foundation
import SluiceJSON
import Testing

/// Coding paths keep the numbers of keys, in errors and in what types see while they are coded.
struct CodingPathTests {
    /// A key with a name and a number of its own.
    struct BothKey: CodingKey {
        var stringValue: String
        var intValue: Int?
        init(_ name: String, _ number: Int?) { (stringValue, intValue) = (name, number) }
        init?(stringValue: String) { self.init(stringValue, nil) }
        init?(intValue: Int) { self.init("\(intValue)", intValue) }
    }

    enum Numbers: Int, CodingKey { case first = 1, second = 20 }

    /// Notes its path, and passes on the value below the number.
    struct Numbered<T: Codable>: Codable {
        var value: T
        var path: String

        init(_ value: T) {
            self.value = value
            path = ""
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Numbers.self)
            path = SideBySide.path(decoder.codingPath) + "/" + SideBySide.path(container.codingPath)
            value = try container.decode(T.self, forKey: .second)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Numbers.self)
            try container.encode(SideBySide.path(encoder.codingPath), forKey: .first)
            try container.encode(value, forKey: .second)
        }
    }

    /// A superclass's part, below a key with a number.
    struct Super<T: Codable>: Codable {
        var value: T
        var path = ""

        init(_ value: T) { self.value = value }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: BothKey.self)
            let parent = try container.superDecoder(forKey: BothKey("s", 5))
            path = SideBySide.path(parent.codingPath)
            value = try T(from: parent)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: BothKey.self)
            let parent = container.superEncoder(forKey: BothKey("s", 5))
            try container.encode(SideBySide.path(parent.codingPath), forKey: BothKey("p", nil))
            try value.encode(to: parent)
        }
    }

    private func check<T: Codable>(_ value: T, _ wrong: String) throws {
        let both = SideBySide()
        let (theirs, ours) = both.encoded(value)
        #expect(theirs == ours)
        let values = both.decoded(T.self, Data(theirs.utf8))
        #expect(values.theirs == values.ours)
        for text in [
            theirs.replacingOccurrences(of: "42", with: wrong), theirs.replacingOccurrences(of: "first", with: ""),
        ] {
            let errors = both.decoded(T.self, Data(text.utf8))
            #expect(errors.theirs == errors.ours, "\(T.self) from \(text)")
        }
    }

    @Test(arguments: ["null", "\"x\"", "[]", "{}", "true"])
    func pathsAreFoundations(_ wrong: String) throws {
        try check(Numbered(42), wrong)
        try check([Numbered([42])], wrong)
        try check(Numbered([Numbered([Numbered(42)])]), wrong)
        try check([3: 42], wrong)
        try check([3: [4: 42]], wrong)
        try check(["a": [4: Numbered(42)]], wrong)
        try check(Numbered(["a": ["b": [42]]]), wrong)
        try check(Super(42), wrong)
        try check([Super(Numbered(Super([42])))], wrong)
        try check(Numbered(Optional([Optional(42)])), wrong)
    }

    @Test func anErrorKnowsTheNumber() throws {
        let error = #expect(throws: DecodingError.self) {
            try SluiceJSONDecoder().decode([Numbered<[Int]>].self, from: #"[{"second":[1,"x"]}]"#)
        }
        guard case .typeMismatch(_, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.intValue) == [0, 20, 1])
        #expect(error?.jsonError?.path.description == "[0].second[1]")
        let failed = #expect(throws: EncodingError.self) { try SluiceJSONEncoder().text([Numbered([Double.nan])]) }
        guard case .invalidValue(_, let context)? = failed else { return }
        #expect(context.codingPath.map(\.intValue) == [0, 20, 0])
    }

    @Test func pathsOfDeepNumbersTakeLinearTime() throws {
        indirect enum Chain: Codable {
            case end
            case next(Chain)
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Numbers.self)
                self = try container.decodeIfPresent(Chain.self, forKey: .first).map(Chain.next) ?? .end
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Numbers.self)
                if case .next(let chain) = self { try container.encode(chain, forKey: .first) }
            }
        }
        let text = String(repeating: #"{"first":"#, count: 300) + "{}" + String(repeating: "}", count: 300)
        let list = "[" + Array(repeating: text, count: 100).joined(separator: ",") + "]"
        let chains = try SluiceJSONDecoder().decode([Chain].self, from: list)
        #expect(try SluiceJSONEncoder().text(chains) == list)
    }
}
