/// Where one text ends and the next begins in a flow of bytes.
public enum JSONFraming: Sendable, Hashable {
    /// JSON lines: a text a line; empty lines are skipped.
    case lines
    /// Texts one after the other, with or without white space between them: `{"a":1}{"a":2} 3 "x"`.
    ///
    /// Two numbers or literals need white space between them.
    case concatenated
}
