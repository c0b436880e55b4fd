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
    /// Everything that is wrong, in the order of the text; never empty.
    public var issues: [Issue]

    /// What kind of error an issue is.
    public enum Code: String, Sendable, Hashable {
        /// The text does not follow the grammar.
        case syntax
        /// The types do not fit.
        case type
        /// A name that nothing declares.
        case undeclared
        /// A limit on the text, depth, nodes, patterns, result size, or cost.
        case limitExceeded
        /// No overload for the types of the arguments.
        case noSuchOverload
        /// A map has no such key.
        case noSuchKey
        /// An index that a list or a string does not have.
        case indexOutOfRange
        /// A number, time or span that its type cannot hold.
        case overflow
        /// A division or modulus by zero.
        case divisionByZero
        /// An argument whose value a function refuses.
        case invalidArgument
        /// A binding that is missing or of another type than declared.
        case binding
    }

    /// One thing that is wrong.
    public struct Issue: Sendable, Hashable {
        /// What kind of error it is.
        public var code: Code
        /// What is wrong.
        public var message: String
        /// What to do, where that is known.
        public var hint: String?
        /// The line, from 1; 0 where the issue has no place.
        public var line: Int
        /// The column in code points, from 1.
        public var column: Int
        /// The line and a caret under the place; the control characters of the line are written as escapes.
        public var excerpt: String
    }

    /// Every issue: its place, message, line with caret and hint.
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

    /// An error without a place in a text.
    init(code: Code, _ message: String, hint: String? = nil) {
        self.init(issues: [SourceText("").issue(code, message, at: -1, hint: hint)])
    }
}
