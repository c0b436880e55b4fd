import Foundation
import SluiceJSON
import Testing

struct SluiceJSONEncoderTests {
    @Test func membersKeepTheOrderOfEncoding() throws {
        struct Zebra: Encodable {
            var z = 1
            var a = "x/\"y\""
            var m: [Double?] = [1, nil, 0.5]
            var n: Int?
        }
        #expect(try SluiceJSONEncoder().text(Zebra()) == #"{"z":1,"a":"x\/\"y\"","m":[1,null,0.5]}"#)
        var encoder = SluiceJSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(try encoder.text(Zebra()) == #"{"a":"x/\"y\"","m":[1,null,0.5],"z":1}"#)
    }

    @Test func aKeyThatIsEncodedAgainIsReplaced() throws {
        struct Twice: Encodable {
            var count: Int
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: TextKey.self)
                for index in 0..<count { try container.encode(index, forKey: TextKey("k\(index)")) }
                try container.encode("again", forKey: TextKey("k0"))
                var nested = container.nestedContainer(keyedBy: TextKey.self, forKey: TextKey("n"))
                try nested.encode(1, forKey: TextKey("a"))
                var same = container.nestedContainer(keyedBy: TextKey.self, forKey: TextKey("n"))
                try same.encode(2, forKey: TextKey("b"))
            }
        }
        #expect(try SluiceJSONEncoder().text(Twice(count: 2)) == #"{"k0":"again","k1":1,"n":{"a":1,"b":2}}"#)
        let wide = try SluiceJSONEncoder().text(Twice(count: 200))
        #expect(try JSON(parsing: wide)["k0"] == "again")
        #expect(try JSON(parsing: wide).object?.count == 201)
    }

    @Test func numbersThatJSONDoesNotHaveAreErrors() throws {
        let error = #expect(throws: EncodingError.self) { try SluiceJSONEncoder().text(["a": [1.5, .nan]]) }
        guard case .invalidValue(_, let context)? = error else { return }
        #expect(context.codingPath.map(\.stringValue) == ["a", "Index 1"])
        #expect(context.debugDescription == "JSON has no number nan.")
        var encoder = SluiceJSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "+",
            negativeInfinity: "-",
            nan: "?"
        )
        #expect(try encoder.text([Double.infinity, -.infinity, .nan]) == #"["+","-","?"]"#)
    }

    @Test func whatEncodesNothingIsAnError() throws {
        struct Nothing: Encodable { func encode(to encoder: any Encoder) throws {} }
        #expect(throws: EncodingError.self) { try SluiceJSONEncoder().text(Nothing()) }
        #expect(try SluiceJSONEncoder().text([Nothing()]) == "[{}]")
    }

    @Test func widthsBeyond64BitsAreWritten() throws {
        #expect(try SluiceJSONEncoder().text([Int128.min]) == "[-170141183460469231731687303715884105728]")
        #expect(try SluiceJSONEncoder().text([UInt128.max]) == "[340282366920938463463374607431768211455]")
        #expect(
            try SluiceJSONEncoder().text([Int.min, .max, 0, 10, 99, 100, 4_294_967_296])
                == "[-9223372036854775808,9223372036854775807,0,10,99,100,4294967296]"
        )
    }

    @Test func jsonTravelsThroughFoundationToo() throws {
        let json: JSON = ["a": [1, 2.5, "x", nil, true], "b": ["c": 9_007_199_254_740_993]]
        let text = try JSONEncoder().encode(json)
        #expect(try JSONDecoder().decode(JSON.self, from: text) == json)
        #expect(try SluiceJSONDecoder().decode(JSON.self, from: text) == json)
    }

    @Test func datesFollowTheFormatter() throws {
        var encoder = SluiceJSONEncoder()
        encoder.dateEncodingStrategy = .formatted(SluiceJSONDecoderTests.Years())
        #expect(try encoder.text([Date(timeIntervalSinceReferenceDate: 1)]) == "[\"2001\"]")
        encoder.dateEncodingStrategy = .custom { _, _ in }
        #expect(try encoder.text([Date()]) == "[{}]")
    }
}
