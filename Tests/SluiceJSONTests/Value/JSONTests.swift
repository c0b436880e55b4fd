import SluiceJSON
import Testing

struct JSONTests {
    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"), ("18446744073709551615", "18446744073709551615"),
        ("18446744073709551616", "18446744073709551616"), ("-9223372036854775809", "-9223372036854775809"),
        ("1.50", "1.5"), ("1.0", "1.0"), ("-0.0", "-0.0"), ("1e2", "100.0"), ("1E400", "1E400"), ("1e-400", "1e-400"),
        ("0.1234567890123456789", "0.1234567890123456789"), ("0.1", "0.1"), ("5e-324", "5e-324"), ("4e-324", "4e-324"),
        ("0.30000000000000004", "0.30000000000000004"), ("123456.789", "123456.789"), ("1e-7", "1e-07"),
        ("12345678901234567890.5", "12345678901234567890.5"), ("0e999999999999", "0.0"),
    ])
    func numbersKeepTheirValue(_ text: String, _ canonical: String) throws {
        #expect(try JSON(parsing: text).description == canonical)
        #expect(try JSON(parsing: canonical) == JSON(parsing: text))
    }

    @Test func membersKeepTheirOrder() throws {
        var json = try JSON(parsing: #"{"b":1,"a":[true,null,"x\n\u00e9\ud83d\ude00"]}"#)
        #expect(json.description == #"{"b":1,"a":[true,null,"x\né😀"]}"#)
        json["c"] = 2.5
        json["b"] = nil
        #expect(json.description == #"{"a":[true,null,"x\né😀"],"c":2.5}"#)
        #expect(json[["a", 2]]?.string == "x\né😀")
        #expect(json == ["c": 2.5, "a": [true, nil, "x\né😀"]])
        #expect(Set([json]).contains(["c": 2.5, "a": [true, nil, "x\né😀"]]))
        #expect(JSON.int(1) != .double(1))
        #expect(JSON.int(1) == .unsigned(1))
    }

    @Test func largeObjectsFindTheirKeys() {
        var object = JSON.Object()
        for index in 0..<100 { object["key\(index)"] = JSON(index) }
        object["key7"] = nil
        object["key8"] = "x"
        #expect(object.count == 99)
        #expect(object["key7"] == nil)
        #expect(object["key8"] == "x")
        #expect(object["key99"] == 99)
        #expect(object.first?.key == "key0")
        for index in 20..<100 { object["key\(index)"] = nil }
        #expect(object["key19"] == 19)
        #expect(object["e\u{301}"] == nil)
        object["e\u{301}"] = 1
        #expect(object["\u{e9}"] == nil)
    }

    @Test func prettyTextHasALineForEachValue() {
        let json: JSON = ["a": [1, ["b": true]], "c": [], "d": [:]]
        #expect(
            json.text(.pretty) == """
                {
                  "a": [
                    1,
                    {
                      "b": true
                    }
                  ],
                  "c": [],
                  "d": {}
                }
                """
        )
    }

    /// The sample of RFC 8785, section 3.2.
    @Test func canonicalizationFollowsRFC8785() throws {
        let json = try JSON(
            parsing: """
                {"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
                 "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/", "literals": [null, true, false]}
                """
        )
        #expect(
            try json.rfc8785()
                == #"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}"#
        )
    }

    /// Appendix B of RFC 8785.
    @Test(
        arguments: [
            (0x0000000000000000, "0"), (0x8000000000000000, "0"), (0x0000000000000001, "5e-324"),
            (0x7fefffffffffffff, "1.7976931348623157e+308"), (0x4340000000000000, "9007199254740992"),
            (0x4430000000000000, "295147905179352830000"), (0x44b52d02c7e14af5, "9.999999999999997e+22"),
            (0x44b52d02c7e14af6, "1e+23"), (0x444b1ae4d6e2ef4e, "999999999999999700000"), (0x444b1ae4d6e2ef50, "1e+21"),
            (0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"), (0x3eb0c6f7a0b5ed8d, "0.000001"),
            (0x41b3de4355555554, "333333333.33333325"), (0xbecbf647612f3696, "-0.0000033333333333333333"),
            (0x43143ff3c1cb0959, "1424953923781206.2"),
        ] as [(UInt64, String)]
    )
    func numbersFollowRFC8785(_ bits: UInt64, _ text: String) throws {
        #expect(try JSON.double(Double(bitPattern: bits)).rfc8785() == text)
    }

    @Test func numbersThatWouldCollideHaveNoRFC8785Text() {
        let error = #expect(throws: JSONError.self) { try JSON(parsing: "{\"a\":[9007199254740993]}").rfc8785() }
        #expect(error?.path.description == "a[0]")
        #expect(error?.message == "no double is written as 9007199254740993, so it has no text in RFC 8785")
        // Found by the fuzzer: what was written must be accepted again.
        #expect((try? JSON(parsing: "91854674407306200").rfc8785()) == "91854674407306200")
        #expect((try? JSON(parsing: "91854674407306208").rfc8785()) == nil)
        #expect((try? JSON(parsing: "1e400").rfc8785()) == nil)
        #expect((try? JSON(parsing: "18446744073709552000").rfc8785()) == "18446744073709552000")
        #expect((try? JSON(parsing: "18446744073709551617").rfc8785()) == nil)
    }
}
