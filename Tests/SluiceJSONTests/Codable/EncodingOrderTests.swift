import Foundation
import SluiceJSON
import Testing

/// Tests that a text is the same whether it was written in its order or put together from a tree, as formatted texts are.
@Suite struct EncodingOrderTests {
    @Test func programsGiveTheTextOfTheTree() throws {
        var random = SeededGenerator(seed: 140)
        var compared = 0
        for _ in 0..<5000 * scale {
            let program = EncodingProgram.sample(&random)
            if try textsAreTheSame(program) { compared += 1 }
        }
        #expect(compared > 2000 * scale)
    }

    @Test func containersThatAreWrittenInTurnsGiveTheTextOfTheTree() throws {
        var random = SeededGenerator(seed: 141)
        var compared = 0
        for _ in 0..<5000 * scale {
            if try textsAreTheSame(Interleaved(seed: random.next())) { compared += 1 }
        }
        #expect(compared == 5000 * scale)
    }

    /// Keys that are alike at both ends, of which two may be the same.
    @Test(arguments: [2, 3, 12, 13, 63, 64, 65, 200])
    func theLastOfRepeatedMembersTakesThePlaceOfTheFirst(count: Int) throws {
        var keys = (0..<count).map { "the_key_\($0)_of_this_object" }
        let distinct = Members(keys: keys)
        #expect(try textsAreTheSame(distinct))
        #expect(try JSON(parsing: SluiceJSONEncoder().text(distinct)).object?.count == count)
        for (first, again) in [(0, count - 1), (0, count / 2), (count - 2, count - 1)] where first < again {
            keys = distinct.keys
            keys[again] = keys[first]
            let repeated = Members(keys: keys)
            #expect(try textsAreTheSame(repeated))
            let object = try #require(try JSON(parsing: SluiceJSONEncoder().text(repeated)).object)
            #expect(object.count == count - 1)
            #expect(object[first].value == .int(Int64(again)))
        }
    }

    /// Compares the compact text with the formatted one; returns false if the value can't be encoded.
    private func textsAreTheSame(_ value: some Encodable) throws -> Bool {
        var formatted = SluiceJSONEncoder()
        formatted.outputFormatting = .prettyPrinted
        guard let tree = try? formatted.text(value) else {
            #expect(throws: (any Error).self) { try SluiceJSONEncoder().text(value) }
            return false
        }
        let text = try SluiceJSONEncoder().text(value)
        try #require(text == tree.filter { !$0.isWhitespace })
        return true
    }
}

/// An object with the members `KEY: INDEX`.
private struct Members: Encodable {
    var keys: [String]

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: TextKey.self)
        for (index, key) in keys.enumerated() { try container.encode(index, forKey: TextKey(key)) }
    }
}

/// A value whose containers are all kept and written to in turns.
private struct Interleaved: Encodable {
    var seed: UInt64

    private enum Holder {
        case keyed(KeyedEncodingContainer<TextKey>)
        case unkeyed(any UnkeyedEncodingContainer)
        case encoder(any Encoder)
    }

    func encode(to encoder: any Encoder) throws {
        var random = SeededGenerator(seed: seed)
        var holders = [Holder.keyed(encoder.container(keyedBy: TextKey.self))]
        for _ in 0..<Int.random(in: 0..<16, using: &random) {
            // Mostly the newest, so that some texts are nearly in order.
            let isNewest = Int.random(in: 0..<4, using: &random) > 0
            let place = isNewest ? holders.count - 1 : Int.random(in: 0..<holders.count, using: &random)
            let choice = Int.random(in: 0..<8, using: &random)
            let key = TextKey("k\(Int.random(in: 0..<40, using: &random))")
            switch holders[place] {
            case .keyed(var container):
                switch choice {
                case 0: holders.append(.keyed(container.nestedContainer(keyedBy: TextKey.self, forKey: key)))
                case 1: holders.append(.unkeyed(container.nestedUnkeyedContainer(forKey: key)))
                case 2: holders.append(.encoder(container.superEncoder(forKey: key)))
                case 3: try? container.encode(Double.nan, forKey: key)
                case 4: try container.encode(["a": [1, 2]], forKey: key)
                default: try container.encode(choice, forKey: key)
                }
            case .unkeyed(var container):
                switch choice {
                case 0: holders.append(.keyed(container.nestedContainer(keyedBy: TextKey.self)))
                case 1: holders.append(.unkeyed(container.nestedUnkeyedContainer()))
                case 2: holders.append(.encoder(container.superEncoder()))
                case 3: try? container.encode(Double.nan)
                case 4: try container.encode([[1.5]])
                default: try container.encode("text")
                }
            case .encoder(let encoder):
                switch choice {
                case 0...2: holders[place] = .keyed(encoder.container(keyedBy: TextKey.self))
                case 3...5: holders[place] = .unkeyed(encoder.unkeyedContainer())
                default:
                    var container = encoder.singleValueContainer()
                    try container.encode(choice)
                }
            }
        }
    }
}
