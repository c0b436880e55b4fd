/// Texts as words of a POSIX shell.
enum ShellText {
    /// The text as one word: bare where that is safe, else in single quotes, in which nothing has a meaning; with
    /// control characters what `printf` makes, since they would reach the terminal that shows the command.
    static func word(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy(isPlain) { return text }
        // What a command prints loses the line feeds at its end, so a text that ends in one stays as it is.
        if text.utf8.contains(where: isControl), text.utf8.last != newline {
            return "\"$(printf \(format(Array(text.utf8))))\""
        }
        return quoted(text)
    }

    /// The text in single quotes; a single quote itself stands outside of them.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    /// The bytes as the format of POSIX `printf`, in single quotes: what is not printable in octal.
    static func format(_ bytes: [UInt8]) -> String {
        let isText = String(validating: bytes, as: UTF8.self) != nil
        var format: [UInt8] = [quote]
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "%"): format += [byte, byte]
            case UInt8(ascii: "\\"): format += [byte, byte]
            case quote: format += Array(#"'\''"#.utf8)
            case UInt8(ascii: "-") where index == 0: format += octal(byte)
            case newline: format.append(byte)
            case 0x20..<0x7F: format.append(byte)
            case 0x80...: format += isText ? [byte] : octal(byte)
            default: format += octal(byte)
            }
        }
        return String(decoding: format + [quote], as: UTF8.self)
    }

    /// Whether a byte may not stand in a word as it is: a control character other than a tab and a line feed.
    static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != newline && byte != UInt8(ascii: "\t") || byte == 0x7F
    }

    private static let quote = UInt8(ascii: "'")
    private static let newline = UInt8(ascii: "\n")

    private static func octal(_ byte: UInt8) -> [UInt8] {
        let zero = UInt8(ascii: "0")
        return [UInt8(ascii: "\\"), zero + (byte >> 6), zero + (byte >> 3 & 7), zero + (byte & 7)]
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-_./:@%+,".utf8.contains(byte)
        }
    }
}
