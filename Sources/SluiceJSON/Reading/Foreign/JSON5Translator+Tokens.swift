extension JSON5Translator {
    // MARK: - Strings

    /// Translates the string whose opening quote is at `index`.
    mutating func string(quote: UInt8) throws(Fault) {
        output.append(UInt8(ascii: "\""))
        index += 1
        while let byte = byte(), byte != quote {
            switch byte {
            case UInt8(ascii: "\\"):
                try escape()
            case UInt8(ascii: "\""):
                output.append(contentsOf: #"\""#.utf8)
                index += 1
                mark()
            default:
                output.append(byte)
                index += 1
            }
        }
        // The reader rejects a string without its end.
        guard index < source.count else { return }
        output.append(UInt8(ascii: "\""))
        index += 1
    }

    private mutating func escape() throws(Fault) {
        guard let kind = byte(1) else {
            index += 1
            return
        }
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            output.append(contentsOf: [UInt8(ascii: "\\"), kind])
            index += 2
        case UInt8(ascii: "'"):
            output.append(kind)
            index += 2
        case UInt8(ascii: "u"):
            if source[index...].starts(with: #"\u0000"#.utf8) { throw null() }
            // The reader checks the digits.
            output.append(contentsOf: #"\u"#.utf8)
            index += 2
        case UInt8(ascii: "x"):
            guard let high = byte(2).flatMap(hexValue), let low = byte(3).flatMap(hexValue) else {
                throw Fault(.invalidString, index, #""\x" needs two hexadecimal digits"#)
            }
            if high == 0, low == 0 { throw null() }
            output.append(contentsOf: #"\u00"#.utf8)
            output.append(contentsOf: [source[index + 2], source[index + 3]])
            index += 4
        case 0x0A:
            output.append(contentsOf: #"\n"#.utf8)
            index += 2
        case 0x0D:
            let isPair = byte(2) == 0x0A
            output.append(contentsOf: (isPair ? #"\r\n"# : #"\r"#).utf8)
            index += isPair ? 3 : 2
        default:
            throw Fault(.invalidString, index, "an unknown escape", hint: "write the character without a backslash")
        }
        mark()
    }

    private func null() -> Fault {
        Fault(.invalidString, index, "an escape for U+0000", hint: "Foundation's JSON5 refuses it in strings")
    }

    // MARK: - Numbers

    /// Translates the number at `index`: everything up to a character that can't be part of a number or a name.
    mutating func number() throws(Fault) {
        let begin = index
        while let byte = byte(), isNumberByte(byte) { index += 1 }
        let text = source[begin..<index]
        guard try translate(number: text) else {
            throw Fault(.invalidNumber, begin, "an invalid number")
        }
        // The output continues where the number ends, whatever its length was.
        mark()
    }

    private func isNumberByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// Writes a number in JSON's form; returns false if it is invalid.
    private mutating func translate(number text: ArraySlice<UInt8>) throws(Fault) -> Bool {
        var rest = text
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        if rest.elementsEqual("Infinity".utf8) {
            write(special: isNegative ? -.infinity : .infinity)
            return true
        }
        if rest.elementsEqual("NaN".utf8) {
            write(special: .nan)
            return true
        }
        if rest.starts(with: "0x".utf8) || rest.starts(with: "0X".utf8) {
            return try hexadecimal(rest.dropFirst(2), isNegative)
        }
        func digits() -> ArraySlice<UInt8> {
            let digits = rest.prefix { $0 &- 0x30 < 10 }
            rest = rest.dropFirst(digits.count)
            return digits
        }
        let whole = digits()
        if whole.count > 1, whole.first == UInt8(ascii: "0") {
            throw Fault(
                .invalidNumber,
                whole.startIndex,
                "a number with more than one digit can't begin with 0",
                hint: "remove the zero"
            )
        }
        var fraction: ArraySlice<UInt8>?
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = digits()
        }
        guard !whole.isEmpty || fraction?.isEmpty == false else { return false }
        if isNegative { output.append(UInt8(ascii: "-")) }
        if whole.isEmpty { output.append(UInt8(ascii: "0")) }
        output.append(contentsOf: whole)
        if let fraction {
            output.append(UInt8(ascii: "."))
            if fraction.isEmpty { output.append(UInt8(ascii: "0")) }
            output.append(contentsOf: fraction)
        }
        guard let exponent = rest.first else { return true }
        guard exponent | 0x20 == UInt8(ascii: "e") else { return false }
        output.append(exponent)
        rest.removeFirst()
        if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
            output.append(sign)
            rest.removeFirst()
        }
        let power = digits()
        output.append(contentsOf: power)
        return !power.isEmpty && rest.isEmpty
    }

    private mutating func hexadecimal(_ digits: ArraySlice<UInt8>, _ isNegative: Bool) throws(Fault) -> Bool {
        var value: UInt128 = 0
        for digit in digits {
            guard let digit = hexValue(digit) else { return false }
            guard value >> 124 == 0 else {
                throw Fault(
                    .numberOutOfRange,
                    digits.startIndex,
                    "a hexadecimal number of more than 128 bits"
                )
            }
            value = value << 4 | UInt128(digit)
        }
        if isNegative, value != 0 { output.append(UInt8(ascii: "-")) }
        output.append(contentsOf: value.description.utf8)
        return !digits.isEmpty
    }

    // MARK: - Names

    /// Translates the name at `index`: a key, or `true`, `false`, `null`, `NaN`, and `Infinity`.
    mutating func name() throws(Fault) {
        let begin = index
        var name: [UInt8] = []
        while let (scalar, length) = try nameScalar(isFirst: index == begin) {
            name.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
            index += length
        }
        guard index > begin else {
            // No token begins with this character; the reader reports it.
            repeat {
                output.append(source[index])
                index += 1
            } while index < source.count && source[index] & 0xC0 == 0x80
            return
        }
        let end = index
        try skipSpace()
        let isKey = byte() == UInt8(ascii: ":")
        index = end
        if isKey {
            noteKey()
            output.append(UInt8(ascii: "\""))
            for byte in name {
                if byte == UInt8(ascii: "\\") { output.append(byte) }
                output.append(byte)
            }
            output.append(UInt8(ascii: "\""))
        } else if source[begin..<end].elementsEqual("Infinity".utf8) {
            write(special: .infinity)
        } else if source[begin..<end].elementsEqual("NaN".utf8) {
            write(special: .nan)
        } else {
            output.append(contentsOf: source[begin..<end])
        }
        mark()
    }

    /// Returns the scalar at `index`, if a name can contain it there, and the number of its bytes.
    private func nameScalar(isFirst: Bool) throws(Fault) -> (scalar: Unicode.Scalar, length: Int)? {
        guard let byte = byte() else { return nil }
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"):
            return (Unicode.Scalar(byte), 1)
        case 0x30...0x39:
            return isFirst ? nil : (Unicode.Scalar(byte), 1)
        case UInt8(ascii: "\\"):
            guard self.byte(1) == UInt8(ascii: "u") else { return nil }
            var value: UInt32 = 0
            for offset in 2..<6 {
                guard let digit = self.byte(offset).flatMap(hexValue) else {
                    throw Fault(.invalidString, index, #""\u" needs four hexadecimal digits"#)
                }
                value = value << 4 | UInt32(digit)
            }
            guard let scalar = Unicode.Scalar(value), isNamePart(scalar, isFirst: isFirst) else {
                throw Fault(.invalidString, index, "an escape for a character that no name has")
            }
            return (scalar, 6)
        case 0x80...:
            // The reader rejects bytes that are not UTF-8.
            var decoder = UTF8()
            var bytes = source[index..<min(index + 4, source.count)].makeIterator()
            guard case .scalarValue(let scalar) = decoder.decode(&bytes), isNamePart(scalar, isFirst: isFirst) else {
                return nil
            }
            return (scalar, UTF8.width(scalar))
        default: return nil
        }
    }

    private func isNamePart(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber: true
        case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: !isFirst
        default: scalar == "_" || scalar == "$" || !isFirst && (scalar == "\u{200C}" || scalar == "\u{200D}")
        }
    }
}
