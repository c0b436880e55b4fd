extension NodeDecoder {
    @inline(__always)
    func bool() throws -> Bool {
        if index >= 0, let value = state.bool(index) { return value }
        throw mismatch(Bool.self)
    }

    @inline(__always)
    func string() throws -> String {
        if index >= 0, let value = state.string(index) { return value }
        throw mismatch(String.self)
    }

    @inline(__always)
    func integer<T: FixedWidthInteger>() throws -> T {
        if index >= 0, let value: T = state.integer(index) { return value }
        return try unusualInteger()
    }

    @inline(never)
    private func unusualInteger<T: FixedWidthInteger>() throws -> T {
        let bytes = word
        guard Tape.kind(bytes) == .integer || Tape.kind(bytes) == .real else { throw mismatch(T.self) }
        let text = state.text.rawBytes(bytes)
        if Tape.kind(bytes) == .integer, let (magnitude, isNegative) = IntegerText.magnitude(text), !isNegative,
            let value = T(exactly: magnitude)
        {
            return value
        }
        guard let value: T = IntegerText.whole(text) else { throw unfit(T.self) }
        return value
    }

    @inline(never)
    func wideInteger<T: FixedWidthInteger>() throws -> T { try unusualInteger() }

    @inline(__always)
    func double() throws -> Double {
        if index >= 0, let value = state.double(index) { return value }
        return try unusualDouble()
    }

    @inline(never)
    private func unusualDouble() throws -> Double {
        let word = word
        switch Tape.kind(word) {
        case .real, .integer:
            let value = DoubleText.double(state.text.rawBytes(word))
            if value.isFinite, value != 0 || isZero { return value }
            if let special = state.text.special(at: index) { return special }
            // As in Foundation, a number too small for a double is rejected like one that is too large.
            throw unfit(Double.self)
        default:
            return try nonConforming()
        }
    }

    func float() throws -> Float {
        switch Tape.kind(word) {
        case .real, .integer:
            let bytes = state.text.rawBytes(word)
            let parts = DecimalParts(bytes)
            if !parts.isTruncated, parts.digits < 1 << 24, parts.exponent >= -10, parts.exponent <= 10 {
                // Both are exact, so that their quotient or product is rounded once; rounding it from a double's 53
                // bits to 24 then gives the same result as rounding once (Figueroa, 1995).
                return Float(DoubleText.double(parts) ?? 0)
            }
            guard let value = Float(String(decoding: bytes, as: UTF8.self)), value.isFinite, value != 0 || isZero
            else {
                if let special = state.text.special(at: index) { return Float(special) }
                throw unfit(Float.self)
            }
            return value
        default:
            return try nonConforming()
        }
    }

    /// A Boolean value that indicates whether the number here has no digits but zeros.
    private var isZero: Bool { DecimalParts(state.text.rawBytes(word)).digits == 0 }

    @inline(never)
    private func nonConforming<T: BinaryFloatingPoint>() throws -> T {
        if case .convertFromString(let positive, let negative, let nan) = state.options
            .nonConformingFloatDecodingStrategy,
            Tape.kind(word) == .string
        {
            switch state.text.string(index) {
            case positive: return .infinity
            case negative: return -.infinity
            case nan: return .nan
            default: break
            }
        }
        throw mismatch(T.self)
    }
}
