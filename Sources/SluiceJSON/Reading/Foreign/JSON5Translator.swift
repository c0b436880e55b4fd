/// A translator of JSON5 to strict JSON, token by token, in one pass and without recursion.
///
/// It handles only tokens. `TextParser` then checks the structure of the translation, its limits, its keys, and its
/// UTF-8, so that both grammars share everything after the tokens. Text that is not a token of JSON5 is passed on
/// unchanged, and rejected there.
struct JSON5Translator {
    let source: [UInt8]
    var index = 0
    /// The strict text so far.
    var output: [UInt8] = []
    private var marks: [TextOrigin.Mark] = []
    private(set) var specials: [Int: Double] = [:]
    /// The offset of a comma after a value that hasn't been written yet, since it may be a trailing comma.
    private var comma: Int?
    /// The kind of the last token.
    private var last = Last.opening

    private enum Last {
        /// A value or the end of a value.
        case value
        /// A name that is a key.
        case key
        /// Nothing yet, or an opening bracket, a comma, or a colon.
        case opening
    }

    private init(source: [UInt8]) {
        self.source = source
        output.reserveCapacity(source.count + 2)
    }

    /// Returns the strict text for a JSON5 text, and the origin of its parts.
    /// - Parameter wraps: A Boolean value that indicates whether a text that doesn't begin with a brace is wrapped in
    ///   braces.
    /// - Throws: ``JSONError`` for unterminated comments, escapes that JSON5 doesn't have, and invalid numbers.
    /// - Complexity: O(*n*) in its length.
    static func translate(_ source: [UInt8], wraps: Bool) throws(JSONError) -> ([UInt8], TextOrigin) {
        var translator = JSON5Translator(source: source)
        do throws(Fault) {
            try translator.run(wraps: wraps)
        } catch {
            throw source.withUnsafeBufferPointer { error.refusal(in: $0) }
        }
        let origin = TextOrigin(bytes: source, marks: translator.marks, specials: translator.specials)
        return (translator.output, origin)
    }

    private mutating func run(wraps: Bool) throws(Fault) {
        if source.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        try skipSpace()
        let isWrapped = wraps && byte() != UInt8(ascii: "{")
        if isWrapped { write(UInt8(ascii: "{")) }
        while index < source.count {
            try token()
            try skipSpace()
        }
        if isWrapped {
            comma = nil
            write(UInt8(ascii: "}"))
        } else {
            writeComma()
        }
        mark()
    }

    private mutating func token() throws(Fault) {
        let byte = source[index]
        switch byte {
        case UInt8(ascii: ","):
            writeComma()
            if last == .value {
                comma = index
            } else {
                write(byte)
            }
            last = .opening
            index += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            comma = nil
            write(byte)
            last = .value
            index += 1
        case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ":"):
            writeComma()
            if byte != UInt8(ascii: ":") { separate() }
            write(byte)
            last = .opening
            index += 1
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            beginValue()
            try string(quote: byte)
        case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            beginValue()
            try number()
        default:
            beginValue()
            try name()
        }
    }

    private mutating func beginValue() {
        writeComma()
        separate()
        mark()
        last = .value
    }

    /// Separates two adjacent values, so that the reader rejects them instead of reading them as one.
    private mutating func separate() {
        if last != .opening { output.append(0x20) }
    }

    /// Writes NaN or an infinity as a number beyond every double.
    mutating func write(special: Double) {
        specials[output.count] = special
        output.append(contentsOf: (special < 0 ? "-1e99999" : "1e99999").utf8)
    }

    mutating func noteKey() { last = .key }

    // MARK: - Space and comments

    /// Returns the byte at an offset from `index`, or nil beyond the end.
    func byte(_ offset: Int = 0) -> UInt8? { index + offset < source.count ? source[index + offset] : nil }

    mutating func skipSpace() throws(Fault) {
        while let byte = byte() {
            switch byte {
            case 0x20, 0x09...0x0D: index += 1
            case UInt8(ascii: "/") where self.byte(1) == UInt8(ascii: "/"):
                while let next = self.byte(), next != 0x0A, next != 0x0D { index += 1 }
            case UInt8(ascii: "/") where self.byte(1) == UInt8(ascii: "*"):
                try skipComment()
            default: return
            }
        }
    }

    private mutating func skipComment() throws(Fault) {
        let start = index
        index += 2
        while let byte = byte() {
            index += 1
            if byte == UInt8(ascii: "*"), self.byte() == UInt8(ascii: "/") {
                index += 1
                return
            }
        }
        throw Fault(.unexpectedEnd, start, "the comment that begins here has no end", hint: "close it with */")
    }

    // MARK: - Output

    private mutating func writeComma() {
        guard let comma else { return }
        marks.append(.init(translated: output.count, original: comma))
        output.append(UInt8(ascii: ","))
        self.comma = nil
    }

    private mutating func write(_ byte: UInt8) {
        mark()
        output.append(byte)
    }

    /// Records that the next byte of the output comes from `index`.
    mutating func mark() {
        if let last = marks.last, last.original - last.translated == index - output.count { return }
        marks.append(.init(translated: output.count, original: index))
    }
}
