/// The spelling of a double.
@usableFromInline
enum DoubleStyle {
    /// Always with a fraction or an exponent, so that it reads back as a double: `1.0`, `1e+16`.
    case fraction
    /// The spelling of Foundation's encoder: `1`, `1e+16`.
    case plain
    /// The spelling of ECMAScript and RFC 8785: `1`, `10000000000000000`.
    case ecmaScript
}

extension JSONWriter {
    /// Writes the shortest text that reads back as `value`; writes `null` for NaN and infinities and records them.
    @usableFromInline
    mutating func double(_ value: Double, _ style: DoubleStyle = .fraction) {
        guard value.isFinite else { return nonFinite(value) }
        reserve(40)
        comma()
        if style == .ecmaScript { return ecmaScript(value) }
        if shortDecimal(value, style) { return }
        spell(value.description, style)
    }

    /// Writes a `Float`, whose shortest text is shorter than that of the same `Double`.
    mutating func float(_ value: Float, _ style: DoubleStyle) {
        guard value.isFinite else { return nonFinite(Double(value)) }
        reserve(40)
        comma()
        spell(value.description, style)
    }

    private mutating func nonFinite(_ value: Double) {
        if nonFiniteNumber == nil { nonFiniteNumber = value }
        null()
    }

    private mutating func spell(_ description: String, _ style: DoubleStyle) {
        var text = description
        text.withUTF8 { digits in
            let isWhole = digits.count > 2 && digits[digits.count - 1] == 0x30 && digits[digits.count - 2] == 0x2E
            let drop = isWhole && style == .plain ? 2 : 0
            append(UnsafeBufferPointer(rebasing: digits.dropLast(drop)))
        }
    }

    /// Writes whole numbers and numbers with few decimals without the general conversion; returns false for others.
    ///
    /// Two decimals of at most 15 digits are never the same double, so a decimal of at most 15 digits that reads as
    /// `value` is the shortest text; and dividing a whole number below 2^53 by a power of ten up to 10^22 gives the
    /// correctly rounded value of that decimal.
    private mutating func shortDecimal(_ value: Double, _ style: DoubleStyle) -> Bool {
        let magnitude = value.magnitude
        guard magnitude < 1e9, magnitude >= 1e-3 || magnitude == 0 else { return false }
        var scale: UInt64 = 1
        for places in 0...6 {
            let scaled = (magnitude * Double(scale)).rounded(.toNearestOrEven)
            if scaled < 1e15, scaled / Double(scale) == magnitude {
                let digits = UInt64(scaled)
                if value.sign == .minus { put(UInt8(ascii: "-")) }
                self.digits(digits / scale)
                if places == 0 {
                    if style == .fraction {
                        put(UInt8(ascii: "."))
                        put(UInt8(ascii: "0"))
                    }
                    return true
                }
                put(UInt8(ascii: "."))
                var rest = digits % scale
                var at = count + places
                count = at
                for _ in 0..<places {
                    at -= 1
                    base[at] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
                    rest /= 10
                }
                return true
            }
            scale *= 10
        }
        return false
    }

    /// Writes the text of ECMA-262, Number::toString, from the shortest digits, for which there is room.
    private mutating func ecmaScript(_ value: Double) {
        if value == 0 { return put(UInt8(ascii: "0")) }
        var text = value.description
        var parts = text.withUTF8 { DecimalParts($0) }
        parts.dropTrailingZeros()
        if value < 0 { put(UInt8(ascii: "-")) }
        let start = count
        digits(parts.digits)
        let length = count - start
        // The value is 0.DIGITS × 10^point.
        let point = length + parts.exponent
        if point > 0, point <= 21 {
            if length <= point {
                for _ in length..<point { put(UInt8(ascii: "0")) }
            } else {
                insert(UInt8(ascii: "."), at: start + point)
            }
        } else if point > -6, point <= 0 {
            for _ in point..<0 { insert(UInt8(ascii: "0"), at: start) }
            insert(UInt8(ascii: "."), at: start)
            insert(UInt8(ascii: "0"), at: start)
        } else {
            if length > 1 { insert(UInt8(ascii: "."), at: start + 1) }
            put(UInt8(ascii: "e"))
            put(point > 0 ? UInt8(ascii: "+") : UInt8(ascii: "-"))
            digits(UInt64((point - 1).magnitude))
        }
    }

    private mutating func insert(_ byte: UInt8, at index: Int) {
        reserve(1)
        var at = count
        while at > index {
            base[at] = base[at - 1]
            at -= 1
        }
        base[index] = byte
        count += 1
    }
}
