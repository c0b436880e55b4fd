/// The way in which a flow of bytes is divided into texts.
public enum JSONFraming: Sendable, Hashable {
    /// JSON lines: one text on each line; empty lines are skipped.
    case lines
    /// Texts one after the other, with or without white space between them: `{"a":1}{"a":2} 3 "x"`.
    ///
    /// Two numbers or literals need white space between them.
    case concatenated
}
