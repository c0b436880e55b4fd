import SluiceJSON

/// Foreign text in a form that is safe to show: nothing in it moves a cursor, changes the writing direction, or breaks
/// a line, and its width is known.
enum ShownText {
    /// Returns the display form of a value: a string without its quotes, anything else as JSON.
    static func text(_ value: JSON, columns: Int) -> String {
        if case .string(let text) = value { return cut(text, columns: columns) }
        return cut(value.description, columns: columns)
    }

    /// Returns the text in safe form, cut to a number of columns; `…` replaces the rest.
    ///
    /// - Complexity: O(`columns`).
    static func cut(_ text: String, columns: Int) -> String {
        var (shown, width) = ("", 0)
        // Enough for any number of columns; text of joiners alone has a width of 0.
        let source = text.unicodeScalars.prefix(16 * (columns + 2))
        let isWhole = source.endIndex == text.unicodeScalars.endIndex
        var ends: [(width: Int, index: String.Index)] = []
        for character in harmless(source) {
            ends.append((width, shown.endIndex))
            shown.append(character)
            width += self.width(character)
            if width > columns { break }
        }
        guard width > columns || !isWhole else { return shown }
        guard columns > 0 else { return "" }
        // Room for the ellipsis.
        let fits = ends.last { $0.width <= columns - 1 }?.index ?? shown.startIndex
        return shown[..<(width <= columns - 1 ? shown.endIndex : fits)] + "…"
    }

    /// Returns the width of the text on a terminal, in columns.
    static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

    /// Returns the width of a character in columns: two for emoji and for the wide letters of East Asia (UAX #11), zero
    /// for a character that only joins.
    static func width(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.value < 0x300 { return character.unicodeScalars.contains("\u{FE0F}") ? 2 : 1 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if first.properties.isEmojiPresentation || wide.contains(where: { $0.contains(first.value) }) { return 2 }
        return first.properties.isEmoji && character.unicodeScalars.contains("\u{FE0F}") ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FF,
        0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]

    /// The maximum number of scalars of one character that are shown; the longest emoji has ten.
    private static let deepest = 12

    private static func harmless(_ scalars: String.UnicodeScalarView.SubSequence) -> String {
        var text = String.UnicodeScalarView()
        for scalar in scalars { text.append(harmless(scalar)) }
        let isLone = text.first.map { isMark($0) } ?? false
        // A combining mark without a base is shown on the dotted circle, as is customary.
        if isLone { text.insert("\u{25CC}", at: text.startIndex) }
        let whole = String(text)
        guard whole.contains(where: { $0.unicodeScalars.count > deepest }) else { return whole }
        return whole.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(deepest))) }.joined()
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        default: false
        }
    }

    private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x20..<0x7F: return scalar
        // The pictures of the control characters.
        case 0..<0x20: return Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
        case 0x7F: return "\u{2421}"
        case 0x200D: return scalar
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
            return "\u{FFFD}"
        case .spaceSeparator: return " "
        default: return scalar
        }
    }
}
