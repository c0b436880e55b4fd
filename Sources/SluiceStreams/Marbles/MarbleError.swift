/// What is wrong with a marble diagram, where, and what to do.
public struct MarbleError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where, in Unicode scalars from 1; 0 when the fault is not at one place of a text.
    public let column: Int
    /// What is wrong.
    public let message: String
    /// What to do about it, where something can be said.
    public let hint: String?

    /// Makes an error.
    public init(column: Int = 0, message: String, hint: String? = nil) {
        self.column = column
        self.message = message
        self.hint = hint
    }

    /// `column 3: what is wrong (what to do)`.
    public var description: String {
        (column > 0 ? "column \(column): " : "") + message + (hint.map { " (\($0))" } ?? "")
    }
}
