import Foundation
import SluiceJSON
import Testing

/// Values that throw while they are encoded, and whose errors are caught, leave nothing behind.
struct ThrowingEncoderTests {
    enum Keys: String, CaseIterable {
        case asTheyAre, snakeCase
    }

    @Test(arguments: Keys.allCases)
    func generatedProgramsAreEncodedAsByFoundation(_ keys: Keys) throws {
        var both = SideBySide()
        if keys == .snakeCase {
            both.theirEncoder.keyEncodingStrategy = .convertToSnakeCase
            both.encoder.keyEncodingStrategy = .convertToSnakeCase
        }
        var random = SeededGenerator(seed: 133)
        var (alone, clean, failed) = (0, 0, 0)
        for _ in 0..<10_000 * scale {
            let program = EncodingProgram.sample(&random)
            let ours = both.ours(program)
            if program.fails {
                failed += 1
                if program.isMixedUpByFoundation {
                    // Foundation's error may come from what it mixes in.
                    let error = try #require(program.errorText)
                    try #require(ours == error || ours.hasPrefix(error + " "), "\(program): \(ours), not \(error)")
                } else {
                    let theirs = both.theirs(program)
                    try #require(isAlike(ours, theirs), "\(program): \(ours), \(theirs)")
                }
                continue
            }
            // Foundation's text without the values that throw.
            let expected = both.theirs(program.withoutFailures)
            if expected.hasPrefix("invalidValue") {
                // A program that writes nothing at all.
                #expect(ours.hasPrefix("invalidValue"), "\(program): \(ours)")
                continue
            }
            clean += 1
            try #require(ours == expected, "\(program)")
            guard !program.isMixedUpByFoundation else { continue }
            // And its text with them, where it keeps them apart from later ones.
            alone += 1
            try #require(ours == both.theirs(program), "\(program)")
        }
        // The generator makes enough of each.
        #expect(clean > 1000 * scale)
        #expect(alone > 500 * scale)
        #expect(failed > 500 * scale)
    }

    /// Returns whether two errors are the same, except that Foundation's path omits the keys of nested containers.
    private func isAlike(_ ours: String, _ theirs: String) -> Bool {
        let (our, their) = (ours.components(separatedBy: " at "), theirs.components(separatedBy: " at "))
        guard our.count == 2, their.count == 2, our[0] == their[0] else { return ours == theirs }
        var left = their[1].split(separator: ".")[...]
        for key in our[1].split(separator: ".") where key == left.first { left.removeFirst() }
        return left.isEmpty
    }

    private struct Price: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: TextKey.self)
            try? container.encode(Double.nan, forKey: TextKey("price"))
            try? container.encode(Float.infinity, forKey: TextKey("float"))
            try? container.encode([1, Double.nan], forKey: TextKey("prices"))
            try? container.encode(["a": Double.nan], forKey: TextKey("named"))
            try? container.encode(Decimal.nan, forKey: TextKey("decimal"))
            try container.encode("x", forKey: TextKey("name"))
        }
    }

    @Test func aNumberThatJSONDoesNotHaveLeavesNoMember() throws {
        #expect(try SluiceJSONEncoder().text(Price()) == #"{"name":"x"}"#)
        struct List: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try? container.encode(Double.nan)
                try container.encode(1)
                try? container.encode(-Float.infinity)
                try container.encode(container.count)
            }
        }
        #expect(try SluiceJSONEncoder().text(List()) == "[1,1]")
    }

    @Test func aMemberThatCouldNotBeReplacedStays() throws {
        struct Twice: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: TextKey.self)
                try container.encode(5, forKey: TextKey("a"))
                try? container.encode(EncodingProgram.keyed([], throwsAtEnd: true), forKey: TextKey("a"))
            }
        }
        let (theirs, ours) = SideBySide().encoded(Twice())
        #expect(theirs == ours)
        #expect(ours == #"{"a":5}"#)
    }

    /// Foundation writes what the first value wrote into the second: `[{"p":1,"q":2}]`.
    @Test func whatThrewIsNotMixedIntoTheNextValue() throws {
        let number = { (key: String) in
            EncodingProgram.Step(key: key, program: .number(1), way: .value, isTried: false)
        }
        let program = EncodingProgram.unkeyed(
            [
                .init(key: "", program: .keyed([number("p")], throwsAtEnd: true), way: .value, isTried: true),
                .init(key: "", program: .keyed([number("q")], throwsAtEnd: false), way: .value, isTried: true),
            ],
            throwsAtEnd: false
        )
        #expect(try SluiceJSONEncoder().text(program) == #"[{"q":1}]"#)
    }

    /// An encoder that a value kept, and writes to after the value threw.
    @Test func aKeptEncoderWritesNowhere() throws {
        final class Kept {
            var container: KeyedEncodingContainer<TextKey>?
        }
        struct Keeper: Encodable {
            var kept: Kept
            func encode(to encoder: any Encoder) throws {
                kept.container = encoder.container(keyedBy: TextKey.self)
                throw EncodingProgram.Failure()
            }
        }
        struct Outer: Encodable {
            func encode(to encoder: any Encoder) throws {
                let kept = Kept()
                var container = encoder.unkeyedContainer()
                try? container.encode(Keeper(kept: kept))
                try container.encode(1)
                try kept.container?.encode("lost", forKey: TextKey("a"))
                try container.encode(2)
            }
        }
        #expect(try SluiceJSONEncoder().text(Outer()) == "[1,2]")
    }

    @Test func manyValuesThatThrowTakeLinearTime() throws {
        struct Many: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: TextKey.self)
                for index in 0..<100_000 {
                    try container.encode(index, forKey: TextKey("k\(index)"))
                    try? container.encode(Double.nan, forKey: TextKey("n\(index)"))
                }
            }
        }
        // With the square of the count this would take minutes, and the run would be stopped.
        #expect(try JSON(parsing: SluiceJSONEncoder().bytes(Many())).object?.count == 100_000)
    }

    @Test func directConformancesThrowToo() throws {
        struct Reading: Codable, JSONConvertible {
            var value: Double
            init(value: Double) { self.value = value }
            init(json: JSONNode) throws { value = try Double(json: json) }
            func write(to json: inout JSONWriter) { json.object { $0.member("v", [value]) } }
        }
        struct Outer: Encodable {
            var readings = [Reading(value: 1), Reading(value: .nan)]
        }
        struct Tried: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: TextKey.self)
                try? container.encode(Reading(value: .infinity), forKey: TextKey("a"))
                try container.encode(Reading(value: 2), forKey: TextKey("b"))
            }
        }
        let encoder = SluiceJSONEncoder()
        let error = #expect(throws: EncodingError.self) { try encoder.text(Outer()) }
        #expect(error.map(SideBySide.summary) == "invalidValue nan at readings.Index 1=1")
        #expect(throws: EncodingError.self) { try encoder.text(Reading(value: .nan)) }
        #expect(throws: EncodingError.self) { try encoder.bytes(direct: [1, -Double.infinity]) }
        #expect(throws: EncodingError.self) { try encoder.text(JSON.array([.double(.nan)])) }
        #expect(throws: EncodingError.self) { try encoder.text(["a": JSON.double(.infinity)]) }
        #expect(try encoder.text(Tried()) == #"{"b":{"v":[2]}}"#)
        var writer = JSONWriter()
        writer.value([1.5, .nan])
        #expect(writer.text == "[1.5,null]")
        #expect(writer.nonFiniteNumber?.isNaN == true)
        writer.removeAll()
        #expect(writer.nonFiniteNumber == nil)
    }
}
