/// Walks a document and collects everything that is wrong with it, each with its path, line, column and a hint.
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
/// Every method answers nil where it has noted an error, so that a caller goes on with the rest of the document.
public struct JSONValidator: Sendable {
    /// What was found so far, in the order of finding.
    public private(set) var errors: [JSONError] = []
    /// How many errors were found beyond the limit, and left out.
    public private(set) var omittedCount = 0
    private let limit: Int

    /// A validator without errors that keeps the first `limit`: each costs a walk to its line.
    public init(limit: Int = 100) { self.limit = limit }

    /// Whether nothing is wrong so far.
    public var isValid: Bool { errors.isEmpty && omittedCount == 0 }

    /// The errors in the order of the text.
    public var errorsByPosition: [JSONError] {
        errors.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.map(\.element)
    }

    /// Does nothing if all is well.
    /// - Throws: ``JSONErrors`` with all that was found, in the order of the text.
    public func throwErrors() throws(JSONErrors) {
        if !isValid { throw JSONErrors(errorsByPosition, omittedCount: omittedCount) }
    }

    /// Notes an error at a value or a key of the document.
    ///
    /// The message and the hint are made only where the error is kept.
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

    /// Notes an error that was found elsewhere.
    public mutating func note(_ error: JSONError) {
        if errors.count < limit { errors.append(error) } else { omittedCount += 1 }
    }
}

extension JSONError {
    /// An error at a value or a key of a document: it takes path and position from there.
    /// - Complexity: O(*n*) in what stands before it in the document.
    public init(_ code: Code, _ message: String, hint: String? = nil, at node: JSONNode) {
        self.init(code, message, hint: hint, path: node.path, at: node.position)
    }
}

/// All that is wrong with a document, for a caller that throws once.
public struct JSONErrors: Error, Sendable, Hashable, CustomStringConvertible {
    /// The errors, in the order of the text.
    public let errors: [JSONError]
    /// How many more there were.
    public let omittedCount: Int

    /// These errors.
    public init(_ errors: [JSONError], omittedCount: Int = 0) {
        self.errors = errors
        self.omittedCount = omittedCount
    }

    /// One line for each error, and one for those that were left out.
    public var description: String {
        var lines = errors.map(\.description)
        if omittedCount > 0 { lines.append("and \(omittedCount) more") }
        return lines.joined(separator: "\n")
    }

    /// The errors as compilers print them.
    public func diagnostics(file: String) -> String {
        errors.map { $0.diagnostic(file: file) }.joined(separator: "\n")
    }
}
