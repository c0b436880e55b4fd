#if HTTP
/// Functions that write texts as words of a POSIX shell.
enum ShellText {
    /// Returns the text as one word: unquoted if that is safe, otherwise in single quotes, in which no character is
    /// special; a text with control characters becomes a `printf` command, since they would reach the terminal that
    /// shows the command.
    static func word(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy(isPlain) { return text }
        // Command substitution drops line feeds at the end, so a text that ends in one stays as it is.
        if text.utf8.contains(where: isControl), text.utf8.last != newline {
            return "\"$(printf \(format(Array(text.utf8))))\""
        }
        return quoted(text)
    }

    /// Returns the text in single quotes; single quotes in the text are written outside of them.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    /// Returns the bytes as a format of POSIX `printf`, in single quotes, with unprintable bytes in octal.
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

    /// Returns whether a byte must not occur unquoted in a word: a control character other than a tab and a line feed.
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
#endif
