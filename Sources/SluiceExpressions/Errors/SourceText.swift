/// The text of an expression, from which places are told.
struct SourceText: Sendable {
    let text: String
    let bytes: [UInt8]

    init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    /// An issue at a byte of the text, or without a place below 0.
    func issue(_ code: CELError.Code, _ message: String, at offset: Int, hint: String? = nil) -> CELError.Issue {
        guard offset >= 0 else {
            return CELError.Issue(code: code, message: message, hint: hint, line: 0, column: 0, excerpt: "")
        }
        let place = min(offset, bytes.count)
        let newline = UInt8(ascii: "\n")
        let start = bytes[..<place].lastIndex(of: newline).map { $0 + 1 } ?? 0
        let end = bytes[place...].firstIndex(of: newline) ?? bytes.count
        let line = bytes[..<start].count { $0 == newline } + 1
        let before = String(decoding: bytes[start..<place], as: UTF8.self).unicodeScalars
        return CELError.Issue(
            code: code,
            message: message,
            hint: hint,
            line: line,
            column: before.count + 1,
            excerpt: excerpt(before: before, after: bytes[place..<end])
        )
    }

    /// At most 60 code points before the place and 40 after it, with a caret below.
    private func excerpt(before: String.UnicodeScalarView, after: ArraySlice<UInt8>) -> String {
        let left = String(String.UnicodeScalarView(before.suffix(60)))
        let right = String(
            String.UnicodeScalarView(String(decoding: after.prefix(400), as: UTF8.self).unicodeScalars.prefix(40))
        )
        let shown = (left + right).filter { !$0.isNewline }
        let caret = String(repeating: " ", count: left.unicodeScalars.count) + "^"
        return shown.isEmpty ? "" : shown + "\n" + caret
    }
}
