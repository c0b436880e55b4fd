import Foundation
import SluiceJSON

/// Codes values of every shape with both coders and notes where they differ.
struct DifferentialRun {
    let setting: DifferentialTests.Setting
    private(set) var shapes = 0
    private(set) var values = 0
    private(set) var damaged = 0
    /// Texts that are not JSON and yet Foundation decodes, since it looks only at what it needs.
    private(set) var lenient = 0
    /// Whole numbers asked for where the text has a fraction: Foundation rounds those of more than 15 digits.
    private(set) var rounded = 0
    private(set) var differences: [String] = []
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()
    private var ourEncoder = SluiceJSONEncoder()
    private var ourDecoder = SluiceJSONDecoder()

    init(setting: DifferentialTests.Setting) {
        self.setting = setting
        encoder.outputFormatting = [.sortedKeys]
        ourEncoder.outputFormatting = [.sortedKeys]
        setting.foundation(encoder, decoder)
        setting.ours(&ourEncoder, &ourDecoder)
    }

    mutating func leaf<T: Sample & Hashable>(_ type: T.Type) {
        shape(T.self)
        shape(T?.self)
        shape([T].self)
        shape([T?].self)
        shape(Set<T>.self)
        shape([String: T].self)
        shape([Int: T].self)
        shape(Plain<T>.self)
        shape(OddKeys<T>.self)
        shape(Choice<T>.self)
        shape(Tree<T>.self)
        shape(Derived<T>.self)
        shape(Nested<T>.self)
        shape(Mixed<T>.self)
        shape(Wrapped<T>.self)
        shape(FirstFit<T>.self)
        shape([String: [Plain<Choice<T>>]].self)
    }

    private mutating func shape<T: Sample>(_ type: T.Type) {
        var random = SeededGenerator(seed: UInt64(shapes) &* 7919 &+ 17)
        shapes += 1
        for _ in 0..<20 * scale {
            values += 1
            check(T.sample(&random), &random)
        }
    }

    private mutating func check<T: Sample>(_ value: T, _ random: inout SeededGenerator) {
        guard let theirs = try? encoder.encode(value), let ours = try? ourEncoder.encode(value) else {
            note(T.self, "does not encode", Data())
            return
        }
        if theirs != ours { note(T.self, "encodes as \(String(decoding: ours, as: UTF8.self))", theirs) }
        compare(T.self, theirs)
        var bytes = Array(theirs)
        for _ in 0..<3 {
            damage(&bytes, &random)
            damaged += 1
            compare(T.self, Data(bytes))
        }
    }

    private func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let pieces = [
            "\"", "\\", "{", "}", "[", "]", ",", ":", "1", "-", ".", "e5", "null", "true", "\"a\":1,", "0", " ",
            "\u{e9}",
        ]
        let at = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where at < bytes.count: bytes.remove(at: at)
        case 1 where at < bytes.count: bytes[at] = UInt8.random(in: 0x20...0x7E, using: &random)
        case 2 where at < bytes.count: bytes[at] = UInt8.random(in: 0...255, using: &random)
        default: bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: at)
        }
    }

    private mutating func compare<T: Sample>(_ type: T.Type, _ text: Data) {
        let theirs = Result { try decoder.decode(T.self, from: text) }
        let ours = Result { try ourDecoder.decode(T.self, from: text) }
        switch (theirs, ours) {
        case (.success(let a), .success(let b)):
            if a != b { note(T.self, "decodes as \(b), not \(a)", text) }
        case (.failure(let a), .failure(let b)):
            if !areAlike(a, b), !hasLongReal(text) { note(T.self, "fails with \(summary(b)), not \(summary(a))", text) }
        case (.success(let a), .failure(let b)):
            if isSyntax(b) {
                lenient += 1
            } else if doesNotFit(b) || hasLongReal(text) {
                rounded += 1
            } else {
                note(T.self, "fails with \(summary(b)), does not decode as \(a)", text)
            }
        case (.failure, .success) where hasZeroWithExponent(text) || hasLongReal(text):
            rounded += 1
        case (.failure(let a), .success(let b)):
            note(T.self, "decodes as \(b), does not fail with \(summary(a))", text)
        }
    }

    /// Returns whether two errors are equivalent, except for the differences that docs/json.md lists: invalid JSON is
    /// rejected as a whole before anything is decoded, and corrupted data has its own path where Foundation's is that
    /// of an enclosing container.
    private func areAlike(_ theirs: any Error, _ ours: any Error) -> Bool {
        if isSyntax(ours) || summary(theirs) == summary(ours) { return true }
        guard case DecodingError.dataCorrupted(let a) = theirs, case DecodingError.dataCorrupted(let b) = ours else {
            return false
        }
        return b.codingPath.map(\.stringValue).starts(with: a.codingPath.map(\.stringValue))
    }

    /// Returns whether the text contains a number with a fraction or an exponent and more than 15 digits: Foundation
    /// converts such whole numbers through a double.
    private func hasLongReal(_ text: Data) -> Bool {
        var digits = 0
        var isReal = false
        for byte in text {
            switch byte {
            case 0x30...0x39: digits += 1
            case 0x2E, 0x45, 0x65: isReal = true
            default: (digits, isReal) = (0, false)
            }
            if digits > 15, isReal { return true }
        }
        return false
    }

    /// Returns whether the text contains `0e5`, a zero with an exponent, which Foundation rejects.
    private func hasZeroWithExponent(_ text: Data) -> Bool {
        var last: [UInt8] = [0, 0]
        for byte in text {
            let isAlone = last[0] &- 0x30 > 9 && last[0] != UInt8(ascii: ".")
            if byte | 0x20 == UInt8(ascii: "e"), last[1] == UInt8(ascii: "0"), isAlone { return true }
            last = [last[1], byte]
        }
        return false
    }

    private func doesNotFit(_ error: any Error) -> Bool {
        guard case DecodingError.dataCorrupted(let context) = error else { return false }
        return context.debugDescription.contains("does not fit into")
    }

    /// Returns whether our reader rejected the text itself.
    private func isSyntax(_ error: any Error) -> Bool {
        guard case DecodingError.dataCorrupted(let context) = error else { return false }
        return context.underlyingError is JSONError
    }

    private func summary(_ error: any Error) -> String {
        func path(_ context: DecodingError.Context) -> String {
            context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        }
        switch error {
        case DecodingError.typeMismatch(_, let context): return "typeMismatch at \(path(context))"
        case DecodingError.valueNotFound(_, let context): return "valueNotFound at \(path(context))"
        case DecodingError.keyNotFound(let key, let context):
            return "keyNotFound \(key.stringValue) at \(path(context))"
        case DecodingError.dataCorrupted(let context): return "dataCorrupted at \(path(context))"
        default: return "\(error)"
        }
    }

    private mutating func note(_ type: Any.Type, _ what: String, _ text: Data) {
        differences.append("\(type): \(String(decoding: text, as: UTF8.self)) \(what)")
    }
}
