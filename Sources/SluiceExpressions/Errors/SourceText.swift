/// The text of an expression, in which errors have their places.
struct SourceText: Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    var bytes: [UInt8] { Array(text.utf8) }

    /// Returns an issue at a byte of the text; an offset below 0 means no place.
    func issue(_ code: CELError.Code, _ message: String, at offset: Int, hint: String? = nil) -> CELError.Issue {
        let (message, hint) = (message.shortened(to: 500), hint?.shortened(to: 500))
        guard offset >= 0 else {
            return CELError.Issue(code: code, message: message, hint: hint, line: 0, column: 0, excerpt: "")
        }
        let bytes = bytes
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

    /// Returns at most 60 code points before the place and 40 after it, with a caret below.
    ///
    /// A tab is shown as one blank, so that the caret is below its place whatever the width of a tab; every other
    /// control character is written as an escape.
    private func excerpt(before: String.UnicodeScalarView, after: ArraySlice<UInt8>) -> String {
        let left = SourceText.shown(before.suffix(60))
        let right = SourceText.shown(
            String(decoding: after.prefix(400), as: UTF8.self).unicodeScalars.prefix(40)
        )
        let shown = left + right
        guard !shown.isEmpty else { return "" }
        return shown + "\n" + String(repeating: " ", count: left.unicodeScalars.count) + "^"
    }

    private static func shown(_ scalars: String.UnicodeScalarView.SubSequence) -> String {
        var text = ""
        for scalar in scalars where scalar != "\r" {
            text += scalar == "\t" ? " " : String(scalar).shown
        }
        return text
    }
}
