import Foundation

/// A type whose values the differential tests make up.
protocol Sample: Codable, Equatable {
    static func sample(_ random: inout SeededGenerator) -> Self
}

extension Bool: Sample {
    static func sample(_ random: inout SeededGenerator) -> Bool { .random(using: &random) }
}

extension Sample where Self: FixedWidthInteger {
    static func sample(_ random: inout SeededGenerator) -> Self {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .min
        case 1: .max
        case 2: 0
        case 3: Self(truncatingIfNeeded: Int.random(in: 0...100, using: &random))
        default: .random(in: .min ... .max, using: &random)
        }
    }
}
extension Int: Sample {}
extension Int8: Sample {}
extension Int16: Sample {}
extension Int32: Sample {}
extension Int64: Sample {}
extension UInt: Sample {}
extension UInt8: Sample {}
extension UInt16: Sample {}
extension UInt32: Sample {}
extension UInt64: Sample {}

extension Double: Sample {
    static func sample(_ random: inout SeededGenerator) -> Double {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return Double(Int.random(in: -1000...1000, using: &random))
        case 1: return Double(Int.random(in: -1_000_000...1_000_000, using: &random)) / 1000
        case 2:
            return [0, -0.0, 1e22, 1e23, Double.leastNonzeroMagnitude, 1.7976931348623157e308, 0.1, 1e15, 1e16, 1e17][
                Int.random(in: 0..<10, using: &random)
            ]
        case 3: return .random(in: -1...1, using: &random)
        default:
            let value = Double(bitPattern: random.next())
            return value.isFinite ? value : 1.5
        }
    }
}

extension Float: Sample {
    static func sample(_ random: inout SeededGenerator) -> Float {
        let value = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
        return value.isFinite && Bool.random(using: &random)
            ? value : Float(Int.random(in: -500...500, using: &random)) / 8
    }
}

extension String: Sample {
    static let letters: [String] = [
        "a", "b", "Z", "0", " ", "/", "\\", "\"", "\n", "\t", "\u{0}", "\u{1F}", "\u{7F}", "é", "ß", "漢", "😀",
        "e\u{301}",
        "\u{2028}", "\u{FFFF}", "<", "&", "'", "\r", "\u{8}", "\u{C}", "plain text", "a longer run of plain text",
    ]
    static func sample(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0..<8, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }.joined()
    }
}

extension Date: Sample {
    static func sample(_ random: inout SeededGenerator) -> Date {
        Date(timeIntervalSince1970: Double(Int.random(in: 0...4_000_000_000, using: &random)))
    }
}

extension Data: Sample {
    static func sample(_ random: inout SeededGenerator) -> Data {
        Data((0..<Int.random(in: 0..<20, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
}

extension URL: Sample {
    static func sample(_ random: inout SeededGenerator) -> URL {
        URL(string: "https://example.com/a/\(Int.random(in: 0...99, using: &random))?q=1#f")
            ?? URL(fileURLWithPath: "/")
    }
}

extension Decimal: Sample {
    static func sample(_ random: inout SeededGenerator) -> Decimal {
        Decimal(Int.random(in: -1_000_000...1_000_000, using: &random))
            / Decimal(sign: .plus, exponent: 4, significand: 1)
    }
}

extension UUID: Sample {
    static func sample(_ random: inout SeededGenerator) -> UUID {
        let a = random.next().bigEndian
        let b = random.next().bigEndian
        return withUnsafeBytes(of: (a, b)) { UUID(uuid: $0.load(as: uuid_t.self)) }
    }
}

extension Optional: Sample where Wrapped: Sample {
    static func sample(_ random: inout SeededGenerator) -> Wrapped? {
        Bool.random(using: &random) ? nil : .sample(&random)
    }
}

extension Array: Sample where Element: Sample {
    static func sample(_ random: inout SeededGenerator) -> [Element] {
        (0..<Int.random(in: 0..<4, using: &random)).map { _ in .sample(&random) }
    }
}

extension Set: Sample where Element: Sample {
    static func sample(_ random: inout SeededGenerator) -> Set<Element> {
        Bool.random(using: &random) ? [] : [.sample(&random)]
    }
}

extension Dictionary: Sample where Key: Sample, Value: Sample {
    static func sample(_ random: inout SeededGenerator) -> [Key: Value] {
        var result: [Key: Value] = [:]
        for _ in 0..<Int.random(in: 0..<2, using: &random) { result[.sample(&random)] = .sample(&random) }
        return result
    }
}
