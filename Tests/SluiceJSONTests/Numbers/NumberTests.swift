import Foundation
import SluiceJSON
import Testing

/// `SLUICE_JSON_SCALE=100` makes the 10 million bit patterns of the full count; see docs/json.md.
struct NumberTests {
    @Test func everyDoubleSurvivesItsText() throws {
        var random = SeededGenerator(seed: 1)
        var wrong: [String] = []
        for _ in 0..<100 {
            var values: [Double] = []
            for _ in 0..<1000 * scale {
                let value = Double(bitPattern: random.next())
                values.append(value.isFinite ? value : 0)
            }
            let text = try SluiceJSONEncoder().text(values)
            let back = try SluiceJSONDecoder().decode([Double].self, from: text)
            for (value, other) in zip(values, back) where value.bitPattern != other.bitPattern {
                wrong.append("\(value) came back as \(other)")
            }
            // Shortest: no text of the standard library is shorter.
            for (value, token) in zip(values, text.dropFirst().dropLast().split(separator: ",")) {
                let shortest =
                    value.description.hasSuffix(".0") ? String(value.description.dropLast(2)) : value.description
                if token != shortest { wrong.append("\(value) is written as \(token)") }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(5))")
    }

    /// Doubles at the limits of the algorithm and of the spellings: whole ones, powers of two and their neighbors, decimals of
    /// few digits, and those around the magnitudes at which the exponent appears.
    @Test func doublesAreWrittenAsSwiftDescribesThem() throws {
        var random = SeededGenerator(seed: 11)
        var values: [Double] = [0, -0.0, 1e-4, 1e-4.nextDown, 0x1p53, 0x1p53.nextUp, 0x1p53.nextDown, 1e23, 9.5e-292]
        for exponent in -1074...1023 {
            let power = Double(sign: .plus, exponent: exponent, significand: 1)
            values += [power, power.nextUp, power.nextDown]
        }
        for exponent in -307...308 { values += ["1e\(exponent)", "-25e\(exponent - 1)"].compactMap(Double.init) }
        for _ in 0..<20_000 * scale {
            values.append(Double(Int64(bitPattern: random.next()) >> Int64.random(in: 0...60, using: &random)))
            values.append(.random(in: 0x1p52...0x1p55, using: &random))
            values.append(.random(in: 0.00001...0.002, using: &random))
            values.append(Double(Int.random(in: -9_999_999...9_999_999, using: &random)) / 1000)
        }
        var wrong: [String] = []
        for value in values where value.isFinite {
            let text = JSON.double(value).text()
            if text != value.description { wrong.append("\(value) is written as \(text)") }
        }
        #expect(wrong.count == 0, "\(wrong.prefix(5))")
    }

    @Test func wholeNumbersOfEveryLengthAreWrittenAsSwiftDescribesThem() throws {
        var random = SeededGenerator(seed: 12)
        var values: [UInt64] = [0, .max, UInt64(UInt32.max), UInt64(UInt32.max) + 1]
        var power: UInt64 = 1
        for _ in 0..<20 {
            values += [power - 1, power, power + 1, power + random.next() % power]
            power = power.multipliedReportingOverflow(by: 10).partialValue
        }
        for _ in 0..<20_000 * scale { values.append(random.next() >> UInt64.random(in: 0...63, using: &random)) }
        #expect(try SluiceJSONEncoder().text(values) == "[\(values.map(\.description).joined(separator: ","))]")
        let signed = values.map { -Int64($0 >> 1) }
        #expect(try SluiceJSONEncoder().text(signed) == "[\(signed.map(\.description).joined(separator: ","))]")
    }

    @Test func decimalsAreReadAsByTheStandardLibrary() throws {
        var random = SeededGenerator(seed: 2)
        var wrong: [String] = []
        for _ in 0..<100_000 * scale {
            let text = NumberTests.decimal(&random)
            let ours = try JSONDocument(parsing: text).root.double ?? .infinity
            let theirs = abs(Double(text) ?? .nan) == .infinity ? .infinity : Double(text) ?? .nan
            if ours.bitPattern != theirs.bitPattern { wrong.append("\(text): \(ours), not \(theirs)") }
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(5))")
    }

    /// Numbers of all lengths and sizes, many of them close to the middle between two doubles.
    static func decimal(_ random: inout SeededGenerator) -> String {
        var text = Bool.random(using: &random) ? "-" : ""
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            // Half-way between two doubles, exactly or by a last digit.
            let low = Double(Int64.random(in: 1 << 52...1 << 58, using: &random))
            let middle = Decimal(low) + Decimal(low.ulp) / 2
            text += "\(middle)" + ["", "0", "00000000000000000000001"][Int.random(in: 0..<3, using: &random)]
        default:
            let count = [3, 16, 17, 18, 19, 20, 25, 60].randomElement(using: &random) ?? 3
            text += "\(Int.random(in: 1...9, using: &random))"
            for _ in 1..<Int.random(in: 1...count, using: &random) + 1 {
                text += "\(Int.random(in: 0...9, using: &random))"
            }
        }
        if Bool.random(using: &random), !text.contains(".") {
            text += "."
            for _ in 0..<Int.random(in: 1...20, using: &random) { text += "\(Int.random(in: 0...9, using: &random))" }
        }
        if Bool.random(using: &random) { text += "e\(Int.random(in: -345...310, using: &random))" }
        return text
    }

    @Test(
        arguments: [
            ("2.2250738585072011e-308", 0x000F_FFFF_FFFF_FFFF), ("2.2250738585072014e-308", 0x0010_0000_0000_0000),
            ("4.9406564584124654e-324", 1), ("2.4703282292062327e-324", 0), ("2.4703282292062328e-324", 1),
            ("1.7976931348623157e308", 0x7FEF_FFFF_FFFF_FFFF), ("9007199254740993", 0x4340_0000_0000_0000),
            ("9007199254740993.0000000000000000000001", 0x4340_0000_0000_0001), ("1e-400", 0), ("0e400", 0),
            ("123456789012345678901234567890", 0x45F8_EE90_FF6C_373E), ("-0", 0x8000_0000_0000_0000),
        ] as [(String, UInt64)]
    )
    func knownHardCases(_ text: String, _ bits: UInt64) throws {
        #expect(try JSONDocument(parsing: text).root.double?.bitPattern == bits)
        #expect(Double(text)?.bitPattern == bits)
    }

    @Test func whatIsBeyondTheLargestDoubleIsNoDouble() throws {
        #expect(try JSONDocument(parsing: "1.7976931348623159e308").root.double == nil)
        #expect(try JSON(parsing: "1e999").double == nil)
    }

    /// Text → JSON → text: the value of every number is kept, compared as exact decimals.
    @Test func numbersKeepTheirValueThroughJSON() throws {
        var random = SeededGenerator(seed: 4)
        var wrong: [String] = []
        for _ in 0..<20_000 * scale {
            let text = NumberTests.decimal(&random)
            let back = try JSON(parsing: text).description
            if NumberTests.exact(text) != NumberTests.exact(back) { wrong.append("\(text) became \(back)") }
            if try JSON(parsing: back).description != back { wrong.append("\(back) is not stable") }
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(5))")
    }

    /// A decimal as sign, digits without zeros at both ends, and exponent.
    static func exact(_ text: String) -> String {
        let parts = text.lowercased().split(separator: "e")
        var mantissa = parts[0].drop { $0 == "-" }
        var exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        if let point = mantissa.firstIndex(of: ".") {
            exponent -= mantissa.distance(from: point, to: mantissa.endIndex) - 1
            mantissa.remove(at: point)
        }
        mantissa = mantissa.drop { $0 == "0" }
        while mantissa.last == "0" {
            mantissa.removeLast()
            exponent += 1
        }
        return mantissa.isEmpty ? "0" : "\(text.hasPrefix("-") ? "-" : "")\(mantissa)e\(exponent)"
    }
}
