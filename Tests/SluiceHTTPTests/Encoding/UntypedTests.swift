import Foundation
import SluiceHTTP
import SluiceJSON
import Testing

/// Queries as the first users write them: `[String: Any]`.
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

    @Test func whatHasNoTextOfItsOwn() throws {
        struct Opaque {}
        #expect(try text(["a": [Opaque()]]) == "a[]=Opaque()")
    }
}
