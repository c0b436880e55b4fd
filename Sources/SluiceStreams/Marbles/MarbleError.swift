/// An error in a marble diagram, with its place and a hint.
public struct MarbleError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The column, in Unicode scalars from 1; 0 if the error has no place in a text.
    public let column: Int
    /// A description of the error.
    public let message: String
    /// A suggestion for fixing the error, if there is one.
    public let hint: String?

    /// Creates an error.
    public init(column: Int = 0, message: String, hint: String? = nil) {
        self.column = column
        self.message = message
        self.hint = hint
    }

    /// The error in the form `column 3: message (hint)`.
    public var description: String {
        (column > 0 ? "column \(column): " : "") + message + (hint.map { " (\($0))" } ?? "")
    }
}
