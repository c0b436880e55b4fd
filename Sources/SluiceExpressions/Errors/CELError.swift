/// An error of an expression: one or more issues, each with its place.
///
/// ```swift
/// do {
///     _ = try CELExpression("x = 1", variables: ["x": .int])
/// } catch {
///     print(error)   // the line with a caret, and a hint: use == to compare
/// }
/// ```
public struct CELError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The issues, in the order of the text; never empty.
    public var issues: [Issue]

    /// The kinds of issues.
    public enum Code: String, Sendable, Hashable {
        /// The text does not follow the grammar.
        case syntax
        /// The types don't match.
        case type
        /// A name is not declared.
        case undeclared
        /// A limit on the text, depth, nodes, patterns, result size, or cost.
        case limitExceeded
        /// No overload for the types of the arguments.
        case noSuchOverload
        /// A map doesn't have the key.
        case noSuchKey
        /// An index that a list or a string doesn't have.
        case indexOutOfRange
        /// A number, time, or duration that its type can't represent.
        case overflow
        /// A division or modulus by zero.
        case divisionByZero
        /// A function rejects the value of an argument.
        case invalidArgument
        /// A binding is missing or has another type than declared.
        case binding
    }

    /// A single error in an expression.
    public struct Issue: Sendable, Hashable {
        /// The kind of error.
        public var code: Code
        /// A description of the error.
        public var message: String
        /// A suggestion for fixing it, if known.
        public var hint: String?
        /// The line, from 1; 0 for an issue without a place.
        public var line: Int
        /// The column in code points, from 1.
        public var column: Int
        /// The line and a caret under the place; control characters in the line are written as escapes.
        public var excerpt: String
    }

    /// All issues, each with its place, message, line with caret, and hint.
    public var description: String {
        issues.map { issue in
            var text = issue.line > 0 ? "\(issue.line):\(issue.column): " : ""
            text += "error: \(issue.message)"
            if !issue.excerpt.isEmpty { text += "\n" + issue.excerpt }
            if let hint = issue.hint { text += "\nhint: \(hint)" }
            return text
        }.joined(separator: "\n")
    }

    init(issues: [Issue]) { self.issues = issues }

    init(_ fault: Fault, in source: SourceText) {
        let hint = fault.hint ?? fault.missing?.hint
        self.init(issues: [source.issue(fault.code, fault.message, at: fault.offset, hint: hint)])
    }

    /// Creates an error without a place in a text.
    init(code: Code, _ message: String, hint: String? = nil) {
        self.init(issues: [SourceText("").issue(code, message, at: -1, hint: hint)])
    }
}
