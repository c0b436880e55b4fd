#if HTTP
import Foundation
import SluiceHTTP
import SluiceJSON
import Testing

/// Tests of queries as the first users write them: `[String: Any]`.
@Suite struct UntypedTests {
    func text(_ values: [String: Any]) throws -> String? {
        var encoder = URLEncodedFormEncoder()
        encoder.boolEncodingStrategy = .asBool
        return try encoder.text(JSON(untyped: values)).removingPercentEncoding
    }

    @Test func anything() throws {
        let map: [String: Any] = ["k": [1, "x", true] as [Any], "in": ["b": 2.0, "a": 0]]
        #expect(
            try text(["map": map, "params": ["a", "b"], "desc": false, "max": 5])
                == "desc=false&map[in][a]=0.0&map[in][b]=2.0&map[k][]=1&map[k][]=x&map[k][]=true&max=5&params[]=a"
                + "&params[]=b"
        )
    }

    @Test func whatWasPrintedOnce() throws {
        let three: Int? = 3
        let none: String? = nil
        let twice: Int?? = .some(.some(4))
        #expect(
            try text(["three": three as Any, "none": none as Any, "null": NSNull(), "twice": twice as Any, "one": 1])
                == "one=1&three=3&twice=4"
        )
        #expect(try text(["l": [three, nil]]) == "l[]=3")
    }

    /// The numbers and Booleans of `JSONSerialization`, which all have one type, are distinguished.
    @Test func whatJSONSerializationReads() throws {
        let source = """
            {"page": 25, "all": true, "none": false, "zero": 0, "one": 1, "half": 0.5, "ten": 10.0, "minus": -3,
             "large": 9007199254740993, "huge": 18446744073709551615, "name": "a", "null": null,
             "list": [1, true, 2.5, {"n": 7}], "map": {"b": false}}
            """
        let values = try #require(try JSONSerialization.jsonObject(with: Data(source.utf8)) as? [String: Any])
        let text = try #require(try self.text(values))
        let fields = Set(text.split(separator: "&").map(String.init))
        for field in [
            "page=25", "all=true", "none=false", "zero=0", "one=1", "half=0.5", "minus=-3", "large=9007199254740993",
            "huge=18446744073709551615", "name=a", "list[]=1", "list[]=true", "list[]=2.5", "list[][n]=7",
            "map[b]=false",
        ] {
            #expect(fields.contains(field), "\(field) in \(text)")
        }
        #expect(!text.contains("null"))
        #expect(JSON(untyped: NSNumber(value: 25)) == .int(25))
        #expect(JSON(untyped: NSNumber(value: true)) == .bool(true))
        #expect(JSON(untyped: NSNumber(value: 1.5)) == .double(1.5))
        #expect(JSON(untyped: NSNumber(value: UInt64.max)) == .unsigned(.max))
    }

    @Test func whatHasNoTextOfItsOwn() throws {
        struct Opaque {}
        #expect(try text(["a": [Opaque()]]) == "a[]=Opaque()")
    }
}
#endif
