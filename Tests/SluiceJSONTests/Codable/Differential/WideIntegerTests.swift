import Foundation
import SluiceJSON
import Testing

/// Whole numbers with a fraction or an exponent in their text, in types of every width.
struct WideIntegerTests {
    private func check<T: FixedWidthInteger & Codable>(_ type: T.Type, _ text: String, _ exact: T?) throws {
        let ours = try? SluiceJSONDecoder().decode(T.self, from: text)
        try #require(ours == exact, "\(T.self) from \(text)")
        #expect((try? SluiceJSONDecoder().decode([T].self, from: "[\(text)]").first) == exact)
        #expect((try? SluiceJSONDecoder().decode([String: T].self, from: "{\"a\":\(text)}")["a"]) == exact)
        // Where Foundation decodes, it decodes the same, except what it takes through a double.
        if let theirs = try? JSONDecoder().decode(T.self, from: Data(text.utf8)), theirs != ours {
            #expect(text.filter(\.isNumber).count > 15, "\(text) is \(theirs) in Foundation")
        }
    }

    @Test func wholeNumbersAreExactAtEveryWidth() throws {
        var random = SeededGenerator(seed: 137)
        for _ in 0..<2000 * scale {
            let width = UInt128(random.next() % 128)
            let magnitude = max((UInt128(random.next()) << 64 | UInt128(random.next())) >> width, 1)
            let zeros = Int(random.next() % 6)
            let digits = "\(magnitude)" + String(repeating: "0", count: zeros)
            let power = (0..<zeros).reduce(UInt128(1)) { power, _ in power * 10 }
            let shift = Int(random.next() % UInt64(digits.count + 1))
            // The same number: as it is, with zeros behind a point, and with a point further left and an exponent.
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: power)
            let value = overflow ? nil : product
            let point = digits.index(digits.endIndex, offsetBy: -shift)
            let left = digits[..<point].isEmpty ? "0" : String(digits[..<point])
            let spellings = [
                digits, digits + ".0", digits + "e0", digits + ".000E+0", "\(magnitude)e\(zeros)", "\(digits)0e-1",
                "\(left)\(shift > 0 ? "." : "")\(digits[point...])e\(shift)",
            ]
            for text in spellings {
                try check(UInt128.self, text, value)
                try check(Int128.self, text, value.flatMap { Int128(exactly: $0) })
                try check(
                    Int128.self,
                    "-" + text,
                    value.flatMap { $0 <= 1 << 127 ? 0 &- Int128(truncatingIfNeeded: $0) : nil }
                )
                try check(UInt64.self, text, value.flatMap { UInt64(exactly: $0) })
                try check(Int64.self, text, value.flatMap { Int64(exactly: $0) })
                try check(Int8.self, text, value.flatMap { Int8(exactly: $0) })
            }
            try check(Int128.self, digits + ".5", nil)
            try check(Int128.self, magnitude % 10 == 0 ? "1e-1" : "\(magnitude)e-1", nil)
        }
    }

    @Test func theWidestNumberOf64BitsWithAFraction() throws {
        let decoder = SluiceJSONDecoder()
        #expect(try decoder.decode(Int128.self, from: "18446744073709551615.0") == 18_446_744_073_709_551_615)
        #expect(try decoder.decode(UInt128.self, from: "18446744073709551615.0") == 18_446_744_073_709_551_615)
        #expect(try decoder.decode(UInt64.self, from: "18446744073709551615.0") == .max)
        #expect(try decoder.decode(Int64.self, from: "-9223372036854775808.0") == .min)
        #expect(try decoder.decode(Int128.self, from: "-170141183460469231731687303715884105728.00e0") == .min)
        #expect(try [UInt64](parsing: "[18446744073709551615.0]") == [.max])
        #expect(throws: DecodingError.self) {
            try decoder.decode(Int128.self, from: "170141183460469231731687303715884105728.0")
        }
        #expect(throws: DecodingError.self) { try decoder.decode(Int128.self, from: "1e999999999") }
        #expect(throws: DecodingError.self) { try decoder.decode(UInt128.self, from: "-1.0") }
        #expect(try decoder.decode(UInt128.self, from: "-0.0") == 0)
    }
}
