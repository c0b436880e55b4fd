/// A validator that walks a document and collects all of its errors, each with its path, line, column, and a hint.
///
/// ```swift
/// let document = try JSONDocument(parsing: #"{"id": 7, "opertors": []}"#)
/// var check = JSONValidator()
/// if let fields = check.object(document.root, keys: ["id", "operators"]) {
///     let id = check.string(fields["id"])
/// }
/// check.errors.map(\.description)
/// // 1:11: opertors: unknown key "opertors" (did you mean "operators"?)
/// // 1:8: id: expected a string, found a number
/// ```
///
/// Every method returns nil when it has recorded an error, so that a caller can continue with the rest of the document.
public struct JSONValidator: Sendable {
    /// The errors so far, in the order in which they were found.
    public private(set) var errors: [JSONError] = []
    /// The number of errors beyond the limit, which were omitted.
    public private(set) var omittedCount = 0
    private let limit: Int

    /// Creates a validator without errors that keeps the first `limit` errors, since each costs a walk to its line.
    public init(limit: Int = 100) { self.limit = limit }

    /// A Boolean value that indicates whether no errors have been found so far.
    public var isValid: Bool { errors.isEmpty && omittedCount == 0 }

    /// The errors in the order of the text.
    public var errorsByPosition: [JSONError] {
        errors.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.map(\.element)
    }

    /// Throws if there are errors.
    /// - Throws: ``JSONErrors`` with all errors, in the order of the text.
    public func throwErrors() throws(JSONErrors) {
        if !isValid { throw JSONErrors(errorsByPosition, omittedCount: omittedCount) }
    }

    /// Records an error at a value or a key of the document.
    ///
    /// The message and the hint are made only if the error is kept.
    public mutating func note(
        _ code: JSONError.Code = .invalidValue,
        at node: JSONNode,
        _ message: @autoclosure () -> String,
        hint: @autoclosure () -> String? = nil
    ) {
        guard errors.count < limit else {
            omittedCount += 1
            return
        }
        errors.append(JSONError(code, message(), hint: hint(), at: node))
    }

    /// Records an error that was found elsewhere.
    public mutating func note(_ error: JSONError) {
        if errors.count < limit { errors.append(error) } else { omittedCount += 1 }
    }
}

extension JSONError {
    /// Creates an error at a value or a key of a document, with its path and position.
    /// - Complexity: O(*n*) in the length of the document before it.
    public init(_ code: Code, _ message: String, hint: String? = nil, at node: JSONNode) {
        self.init(code, message, hint: hint, path: node.path, at: node.position)
    }
}

/// All errors of a document, for callers that throw once.
public struct JSONErrors: Error, Sendable, Hashable, CustomStringConvertible {
    /// The errors, in the order of the text.
    public let errors: [JSONError]
    /// The number of errors that were omitted.
    public let omittedCount: Int

    /// Creates a list of errors.
    public init(_ errors: [JSONError], omittedCount: Int = 0) {
        self.errors = errors
        self.omittedCount = omittedCount
    }

    /// The errors, one on each line, and a line for the omitted ones.
    public var description: String {
        var lines = errors.map(\.description)
        if omittedCount > 0 { lines.append("and \(omittedCount) more") }
        return lines.joined(separator: "\n")
    }

    /// Returns the errors in the format of compilers.
    public func diagnostics(file: String) -> String {
        errors.map { $0.diagnostic(file: file) }.joined(separator: "\n")
    }
}
