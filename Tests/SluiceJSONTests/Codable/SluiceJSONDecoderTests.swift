import Foundation
import SluiceJSON
import Testing

struct SluiceJSONDecoderTests {
    struct Point: Codable, Equatable {
        var x: Int
        var y: Double?
        var inner: [String: [Int8]]?
    }

    private func error<T: Decodable>(_ type: T.Type, _ text: String) throws -> DecodingError {
        try #require(throws: DecodingError.self) { try SluiceJSONDecoder().decode(type, from: text) }
    }

    @Test func errorsKnowTheirPlace() throws {
        let mismatch = try error([Point].self, "[{\"x\": 1},\n  {\"x\": \"a rather\\nlong text\"}]")
        #expect(mismatch.jsonError?.description == "2:9: [1].x: Expected Int, found a string.")
        #expect(mismatch.jsonError?.code == .wrongType)
        #expect(mismatch.jsonError?.snippet == #""a rather\nlong text""#)
        let missing = try error([Point].self, "[{\"x\": 1},\n  {\"y\": 1}]")
        #expect(missing.jsonError?.description == "2:3: [1]: The key \"x\" is missing.")
        #expect(missing.jsonError?.code == .missingKey)
        let unfit = try error(Point.self, "{\"x\":1,\"inner\":{\"é\":[1,128]}}")
        #expect(unfit.jsonError?.description == "1:24: inner[\"é\"][1]: The number 128 does not fit into Int8.")
        #expect(unfit.jsonError?.code == .invalidValue)
        let syntax = try error(Point.self, "{\"x\":1,\n}")
        #expect(syntax.jsonError?.line == 2)
        #expect(syntax.jsonError?.code == .unexpectedCharacter)
        let null = try error(Point.self, "{\"x\":null}")
        #expect(null.jsonError?.description == "1:6: x: Expected Int, found null.")
        guard case .valueNotFound = null else {
            Issue.record("\(null)")
            return
        }
    }

    @Test func aLongSnippetIsCut() throws {
        let long = try error([Int].self, "[\"\(String(repeating: "é", count: 500))\"]")
        #expect(long.jsonError?.snippet == "\"" + String(repeating: "é", count: 59) + "…")
    }

    @Test func bigAndSmallNumbersAreExact() throws {
        let decoder = SluiceJSONDecoder()
        #expect(try decoder.decode([UInt64].self, from: "[18446744073709551615, 1e3, 2.0]") == [.max, 1000, 2])
        #expect(try decoder.decode([Int64].self, from: "[-9223372036854775808, -0]") == [.min, 0])
        #expect(try decoder.decode(Int128.self, from: "170141183460469231731687303715884105727") == .max)
        #expect(try decoder.decode(Double.self, from: "-0").sign == .minus)
        #expect(throws: DecodingError.self) { try decoder.decode(Int.self, from: "9223372036854775808") }
        #expect(throws: DecodingError.self) { try decoder.decode(Double.self, from: "1e400") }
        #expect(try decoder.decode(Decimal.self, from: "0.1") == Decimal(string: "0.1"))
        #expect(
            try decoder.decode(JSON.self, from: "[9007199254740993, 1e400]").description == "[9007199254740993,1e400]"
        )
    }

    @Test func theFirstOfEqualKeysWins() throws {
        let text = #"{"x":1,"y":2,"x":3,"inner":{"a":[1],"a":[2]}}"#
        #expect(try SluiceJSONDecoder().decode(Point.self, from: text) == Point(x: 1, y: 2, inner: ["a": [1]]))
        let last = SluiceJSONDecoder(duplicateKeys: .lastWins)
        #expect(try last.decode(Point.self, from: text) == Point(x: 3, y: 2, inner: ["a": [2]]))
        #expect(throws: DecodingError.self) {
            try SluiceJSONDecoder(duplicateKeys: .refused).decode(Point.self, from: text)
        }
    }

    @Test func keysInAnyOrderAreFound() throws {
        struct Wide: Codable, Equatable {
            var a: Int
            var b: Int
            var c: Int
            var d: Int?
        }
        #expect(
            try SluiceJSONDecoder().decode(
                [Wide].self,
                from: #"[{"c":3,"x":{},"b":2,"a":1},{"d":4,"a":1,"b":2,"c":3}]"#
            )
                == [Wide(a: 1, b: 2, c: 3, d: nil), Wide(a: 1, b: 2, c: 3, d: 4)]
        )
        let many = "{" + (0..<500).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
        let decoded = try SluiceJSONDecoder().decode(Backwards.self, from: many)
        #expect(decoded.sum == 500 * 499 / 2)
    }

    /// Asks for keys from the last to the first.
    struct Backwards: Decodable {
        var sum = 0
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: TextKey.self)
            for key in container.allKeys.reversed() { sum += try container.decode(Int.self, forKey: key) }
        }
    }

    @Test func aDecoderThatIsKeptStaysValid() throws {
        struct Keeper: Decodable {
            var decoder: any Decoder
            init(from decoder: any Decoder) throws { self.decoder = decoder }
        }
        let kept = try SluiceJSONDecoder().decode([Keeper].self, from: #"[{"x":1},{"x":2}]"#)
        #expect(try kept.map { try Point(from: $0.decoder).x } == [1, 2])
        #expect(kept[1].decoder.codingPath.map(\.intValue) == [1])
    }

    @Test func strategiesAreFoundations() throws {
        var decoder = SluiceJSONDecoder()
        decoder.dateDecodingStrategy = .formatted(Years())
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "+",
            negativeInfinity: "-",
            nan: "?"
        )
        decoder.dataDecodingStrategy = .custom { Data(try $0.singleValueContainer().decode(String.self).utf8) }
        #expect(try decoder.decode([Date].self, from: "[\"2001\"]") == [Date(timeIntervalSinceReferenceDate: 0)])
        #expect(throws: DecodingError.self) { try decoder.decode(Date.self, from: "\"x\"") }
        #expect(try decoder.decode([Double].self, from: "[\"+\",\"-\",1]") == [.infinity, -.infinity, 1])
        #expect(try decoder.decode([Float].self, from: "[\"?\"]")[0].isNaN)
        #expect(try decoder.decode(Data.self, from: "\"ab\"") == Data([97, 98]))
        decoder.userInfo[try #require(CodingUserInfoKey(rawValue: "a"))] = 1
        #expect(decoder.userInfo.count == 1)
    }

    struct Years: DateTextFormatter {
        func date(from string: String) -> Date? {
            Int(string).map { Date(timeIntervalSinceReferenceDate: Double($0 - 2001) * 31_536_000) }
        }
        func string(from date: Date) -> String { "\(2001 + Int(date.timeIntervalSinceReferenceDate / 31_536_000))" }
    }

    @Test func depthIsBounded() {
        let deep = String(repeating: "[", count: 513) + String(repeating: "]", count: 513)
        #expect(throws: DecodingError.self) {
            try SluiceJSONDecoder(limits: JSONLimits(maximumDepth: .max)).decode(JSON.self, from: deep)
        }
    }

    @Test func manyErrorsThatNobodyReadsAreCheap() throws {
        // Each element is tried as two types, of which the first does not fit.
        let text = "[" + Array(repeating: "\"x\"", count: 50_000).joined(separator: ",\n") + "]"
        let values = try SluiceJSONDecoder().decode([FirstFit<Int>].self, from: text)
        #expect(values.count == 50_000)
        #expect(values.last == .text("x"))
    }

    @Test func partsOfADocumentAreDecoded() throws {
        let document = try JSONDocument(parsing: "{\"points\":[\n{\"x\":1},{\"x\":true}]}")
        let node = try #require(document[["points"]])
        let error = #expect(throws: DecodingError.self) { try SluiceJSONDecoder().decode([Point].self, from: node) }
        #expect(error?.jsonError?.description == "2:14: points[1].x: Expected Int, found true or false.")
    }
}
