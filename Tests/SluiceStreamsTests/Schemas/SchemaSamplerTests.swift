import SluiceJSON
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
