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
        if !shortDecimal(value, style) { shortest(value, style) }
    }

    /// Writes a `Float`, whose shortest text is shorter than that of the same `Double`.
    mutating func float(_ value: Float, _ style: DoubleStyle) {
        guard value.isFinite else { return nonFinite(Double(value)) }
        reserve(40)
        comma()
        var text = value.description
        text.withUTF8 { digits in
            let isWhole = digits.count > 2 && digits[digits.count - 1] == 0x30 && digits[digits.count - 2] == 0x2E
            let drop = isWhole && style == .plain ? 2 : 0
            append(UnsafeBufferPointer(rebasing: digits.dropLast(drop)))
        }
    }

    private mutating func nonFinite(_ value: Double) {
        if nonFiniteNumber == nil { nonFiniteNumber = value }
        null()
    }

    /// Writes whole numbers and numbers with few decimals without the general conversion; returns false for others.
    ///
    /// Two decimals of at most 15 digits are never the same double, so a decimal of at most 15 digits that reads as
    /// `value` is the shortest text; and dividing a whole number below 2^53 by a power of ten up to 10^22 gives the
    /// correctly rounded value of that decimal.
    private mutating func shortDecimal(_ value: Double, _ style: DoubleStyle) -> Bool {
        let magnitude = value.magnitude
        guard magnitude < 1e9, magnitude >= 1e-3 || magnitude == 0 else { return false }
        // The nearest whole number: above 2^52, a double has no fraction.
        let scaled = (magnitude * 1e6 + 0x1p52) - 0x1p52
        guard scaled / 1e6 == magnitude else { return false }
        let (whole, rest) = UInt64(scaled).quotientAndRemainder(dividingBy: 1_000_000)
        if value.sign == .minus { put(UInt8(ascii: "-")) }
        digits(whole)
        if rest != 0 || style == .fraction { put(UInt8(ascii: ".")) }
        if rest == 0 {
            if style == .fraction { put(UInt8(ascii: "0")) }
            return true
        }
        // Six places, without the zeros at their end.
        digits(eight: UInt32(truncatingIfNeeded: rest * 100))
        while base[count &- 1] == UInt8(ascii: "0") { count &-= 1 }
        return true
    }

    /// Writes the shortest digits as Swift describes a double: with an exponent below 10^-4 and above 2^53.
    private mutating func shortest(_ value: Double, _ style: DoubleStyle) {
        let decimal = DecimalParts(shortest: value)
        if value.sign == .minus { put(UInt8(ascii: "-")) }
        let isPlain = value.magnitude <= 0x1p53 && value.magnitude >= 1e-4
        if isPlain, decimal.exponent >= 0 {
            digits(decimal.digits)
            for _ in 0..<decimal.exponent { put(UInt8(ascii: "0")) }
            guard style == .fraction else { return }
            put(UInt8(ascii: "."))
            return put(UInt8(ascii: "0"))
        }
        // Room for the point, in front of which the digits move.
        let start = count
        count &+= 1
        digits(decimal.digits)
        let length = count &- start &- 1
        // The value is 0.DIGITS × 10^point.
        let point = length &+ decimal.exponent
        if isPlain, point <= 0 {
            let first = start &+ 2 &- point
            (base + first).update(from: base + (start &+ 1), count: length)
            for index in start..<first { base[index] = UInt8(ascii: "0") }
            base[start &+ 1] = UInt8(ascii: ".")
            count = first &+ length
            return
        }
        let places = isPlain ? point : 1
        for index in start..<(start &+ places) { base[index] = base[index &+ 1] }
        if length > places { base[start &+ places] = UInt8(ascii: ".") } else { count &-= 1 }
        guard !isPlain else { return }
        put(UInt8(ascii: "e"))
        put(point > 0 ? UInt8(ascii: "+") : UInt8(ascii: "-"))
        let exponent = (point &- 1).magnitude
        if exponent < 10 { put(UInt8(ascii: "0")) }
        digits(UInt64(exponent))
    }

    /// Writes the text of ECMA-262, Number::toString, from the shortest digits, for which there is room.
    private mutating func ecmaScript(_ value: Double) {
        if value == 0 { return put(UInt8(ascii: "0")) }
        let parts = DecimalParts(shortest: value)
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
