import SluiceJSON
import SluiceTestSupport
import Testing

@testable import SluiceStreams

/// The inference of schemas from samples.
struct SchemaSamplerTests {
    private func schema(_ samples: String...) throws -> String {
        var sampler = SchemaSampler()
        for sample in samples { sampler.add(try JSON(parsing: sample)) }
        return sampler.schema.text()
    }

    @Test func typesAreMerged() throws {
        #expect(try schema() == "{}")
        #expect(try schema("1") == #"{"type":"integer"}"#)
        #expect(try schema("1", "2.5") == #"{"type":"number"}"#)
        #expect(try schema("null", "\"a\"", "true") == #"{"type":["null","boolean","string"]}"#)
        #expect(try schema("[]") == #"{"type":"array"}"#)
        #expect(try schema("[1, null]", "[\"a\"]") == #"{"type":"array","items":{"type":["null","integer","string"]}}"#)
        #expect(
            try schema(#"{"b": 1, "a": {"c": []}}"#, #"{"b": 1.5, "d": null}"#)
                == #"{"type":"object","properties":{"b":{"type":"number"},"a":{"type":"object","properties":{"c":{"type":"array"}},"required":["c"]},"d":{"type":"null"}},"required":["b"]}"#
        )
        #expect(
            try schema(#"{"a": 1}"#, "5")
                == #"{"type":["integer","object"],"properties":{"a":{"type":"integer"}},"required":["a"]}"#
        )
        #expect(try schema("{}") == #"{"type":"object","properties":{}}"#)
    }

    @Test func everySampleMeetsTheSchema() throws {
        var random = Seeded(seed: 17)
        for _ in 0..<500 {
            let samples = (0..<Int.random(in: 1...6, using: &random)).map { _ in RandomItems.json(4, &random) }
            var sampler = SchemaSampler()
            for sample in samples { sampler.add(sample) }
            let schema = try ItemSchema(parsing: sampler.schema.text(.pretty))
            for sample in samples {
                #expect(schema.problem(with: sample) == nil, "\(sample) \(sampler.schema)")
            }
        }
    }

    /// Returns an object of equal members, and one more.
    private static func object(_ count: Int, _ value: JSON, _ last: JSON? = nil) -> JSON {
        var object: JSON.Object = [:]
        for number in 0..<count { object["f\(number)"] = value }
        if let last { object["last"] = last }
        return .object(object)
    }

    /// Returns a value with about as many values in it as there is room.
    private static func value(_ depth: Int, _ room: inout Int, _ random: inout Seeded) -> JSON {
        room -= 1
        guard depth > 0, room > 0 else { return 1 }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return "a"
        case 1: return nil
        case 2:
            var elements: [JSON] = []
            for _ in 0..<Int.random(in: 0...3, using: &random) { elements.append(value(depth - 1, &room, &random)) }
            return .array(elements)
        default:
            var object: JSON.Object = [:]
            for number in 0..<Int.random(in: 0...40, using: &random) where room > 0 {
                object["f\(number)"] = value(depth - 1, &room, &random)
            }
            return .object(object)
        }
    }

    /// Every schema can be read, also those of samples that are as large as a schema may be: wide, deep, and mixed.
    @Test func everySchemaCanBeRead() throws {
        var samples: [[JSON]] = []
        for count in [199, 200, 265, 266, 267, 389, 390, 391, 399, 400, 401, 798, 799, 800, 801, 1_000, 1_500] {
            let members: [JSON] = [1, ["a": 1], [["a": 1]], ["a": 1, "b": [[1]]], ["a": ["b": 1]], [[["a": nil]]]]
            samples += members.map { [Self.object(count, $0)] }
            samples.append([Self.object(count, 1), Self.object(count, ["a": 1]), Self.object(count / 2, [1])])
        }
        for depth in [20, 25, 28, 29, 30, 31, 32, 33, 40] {
            for width in [0, 1, 12, 24, 25, 26, 27, 40] {
                var (deep, deepArray): (JSON, JSON) = (1, 1)
                for _ in 0..<depth {
                    deep = Self.object(width, 1, deep)
                    deepArray = Self.object(width, 1, [deepArray])
                }
                samples += [[deep], [deepArray], [deep, deepArray]]
            }
        }
        var random = Seeded(seed: 23)
        for _ in 0..<150 {
            var made: [JSON] = []
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                var room = Int.random(in: 600...1_200, using: &random)
                var object: JSON.Object = [:]
                while room > 0 { object["t\(object.count)"] = Self.value(40, &room, &random) }
                made.append(.object(object))
            }
            samples.append(made)
        }
        for made in samples {
            var sampler = SchemaSampler()
            for sample in made { sampler.add(sample) }
            let schema = try ItemSchema(parsing: sampler.schema.text())
            for sample in made { #expect(schema.problem(with: sample) == nil) }
        }
    }

    @Test func memoryIsBounded() throws {
        var sampler = SchemaSampler()
        for number in 0..<20_000 {
            sampler.add(["k\(number)": ["a": 1], "always": [["b": .int(Int64(number))]]])
        }
        let long = String(repeating: "k", count: 10_000)
        var deep: JSON = 1
        for _ in 0..<100 { deep = ["a": [deep]] }
        sampler.add(.object(["always": [], long: 1]))
        sampler.add(["always": deep])
        let text = sampler.schema.text()
        #expect(text.utf8.count < 200_000 && !text.contains(long))
        #expect(sampler.schema["additionalProperties"] == true)
        let schema = try ItemSchema(parsing: text)
        #expect(schema.problem(with: ["always": [["b": 1]], "k70000": 5]) == nil)
        #expect(schema.problem(with: ["always": 5]) != nil)
        #expect(schema.problem(with: ["always": deep]) == nil)
    }

    @Test func aDeepSampleIsCutOff() throws {
        var deep: JSON = "end"
        for _ in 0..<60 { deep = ["a": deep] }
        var sampler = SchemaSampler()
        sampler.add(deep)
        #expect(try ItemSchema(parsing: sampler.schema.text()).problem(with: deep) == nil)
    }
}
