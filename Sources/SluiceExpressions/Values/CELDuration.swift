/// A duration in nanoseconds, at most about 292 years in either direction.
///
/// ```swift
/// let duration = CELDuration("1h30m")
/// print(duration?.description ?? "")   // 5400s
/// ```
public struct CELDuration: Sendable, Hashable, CustomStringConvertible {
    /// The whole duration.
    public var nanoseconds: Int64

    /// Creates a duration of nanoseconds.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Parses `1h30m`, `-1.5s`, `250ms`: numbers with the units `h m s ms us ns`; nil for anything else or out of
    /// range.
    /// - Complexity: O(*n*)
    public init?(_ text: String) {
        var bytes = Array(text.utf8)[...]
        var isNegative = false
        if let sign = bytes.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            bytes.removeFirst()
        }
        if bytes.elementsEqual("0".utf8) {
            self.init(nanoseconds: 0)
            return
        }
        guard !bytes.isEmpty else { return nil }
        var total: Int64 = 0
        while !bytes.isEmpty {
            guard let part = CELDuration.part(&bytes) else { return nil }
            let (sum, overflow) = total.subtractingReportingOverflow(part)
            guard !overflow else { return nil }
            total = sum
        }
        if !isNegative {
            guard total != .min else { return nil }
            total = -total
        }
        self.init(nanoseconds: total)
    }

    /// Parses one number with its unit.
    private static func part(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
        var whole: Int64 = 0
        var fraction: Int64 = 0
        var scale: Int64 = 1
        var digits = 0
        while let digit = bytes.first.flatMap(decimal) {
            bytes.removeFirst()
            digits += 1
            let (product, overflow) = whole.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(digit)
            guard !overflow, !carry else { return nil }
            whole = sum
        }
        if bytes.first == UInt8(ascii: ".") {
            bytes.removeFirst()
            while let digit = bytes.first.flatMap(decimal) {
                bytes.removeFirst()
                digits += 1
                if scale < 1_000_000_000_000_000 {
                    fraction = fraction * 10 + digit
                    scale *= 10
                }
            }
        }
        guard digits > 0, let unit = unit(&bytes) else { return nil }
        let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
        guard !overflow else { return nil }
        let part = Int64(Double(fraction) * (Double(unit) / Double(scale)))
        let (sum, carry) = product.addingReportingOverflow(part)
        return carry ? nil : sum
    }

    private static func decimal(_ byte: UInt8) -> Int64? {
        byte >= 48 && byte <= 57 ? Int64(byte) - 48 : nil
    }

    private static func unit(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
        let units: [(String, Int64)] = [
            ("ns", 1), ("us", 1000), ("\u{B5}s", 1000), ("\u{3BC}s", 1000), ("ms", 1_000_000), ("s", 1_000_000_000),
            ("m", 60_000_000_000), ("h", 3_600_000_000_000),
        ]
        for (name, size) in units where bytes.starts(with: name.utf8) {
            bytes.removeFirst(name.utf8.count)
            return size
        }
        return nil
    }

    /// The duration in seconds: `5400s`, `-0.25s`.
    public var description: String {
        let magnitude = nanoseconds.magnitude
        return (nanoseconds < 0 ? "-" : "") + "\(magnitude / 1_000_000_000)"
            + fractionText(magnitude % 1_000_000_000) + "s"
    }
}

/// Returns `.5` for 500,000,000 nanoseconds, and an empty text for 0.
func fractionText(_ nanoseconds: UInt64) -> String {
    guard nanoseconds > 0 else { return "" }
    var text = String(nanoseconds)
    text = String(repeating: "0", count: 9 - text.utf8.count) + text
    while text.hasSuffix("0") { text.removeLast() }
    return "." + text
}
