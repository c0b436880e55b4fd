internal import Sluice
internal import SluiceJSON

/// A kind of filter that a stack document can name, declared in the file of its filter.
///
/// The documentation, the JSON Schema, the reader, the lint, and the builder all use this declaration. `bin/generate`
/// lists the kinds in `FilterKinds.swift`; a missing member does not compile.
protocol FilterKind: SendableMetatype {
    /// The key that names the filter in a document.
    static var name: String { get }
    /// A summary of one sentence without a full stop, which begins with a verb.
    static var summary: String { get }
    /// The keys of the filter's object, in the order of canonical text.
    static var keys: [any FilterKey] { get }
    /// Documents of the filter, each with the description of the filter that it makes.
    static var examples: [FilterExample] { get }
    /// The keys that may change without a reset of the filter's state; see ``AdjustableFilter``.
    static var adjustableKeys: [String] { get }

    /// Returns the role of the filter in a stack.
    static func role(_ settings: StackSettings) -> StackRole
    /// Returns the role of a filter of which only the description is known: `RetryFilter(maxAttempts: 3)`.
    static func role(describedAs text: String) -> StackRole
    /// Creates the filter.
    static func filter<Request: Sendable, Response: Sendable>(
        _ settings: StackSettings,
        _ builder: StackBuilder<Request, Response>
    ) throws(StackBuildError) -> any SimpleFilter<Request, Response>
}

extension FilterKind {
    static var keys: [any FilterKey] { [] }
    static var adjustableKeys: [String] { [] }
    static var parameters: [StackParameter] { keys.map(\.parameter) }
    /// The name of the Swift type: `RetryFilter`.
    static var typeName: String { name.prefix(1).uppercased() + name.dropFirst() + "Filter" }

    static func role(describedAs text: String) -> StackRole { role(.defaults) }
}

/// A filter in a document, and the description of the filter that it makes.
struct FilterExample: Sendable {
    let text: String
    let description: String

    init(_ text: String, _ description: String) {
        self.text = text
        self.description = description
    }
}

/// A filter that applies the changes of its adjustable keys while it runs.
protocol AdjustableFilter {
    func adjust(_ settings: StackSettings)
}

/// The error of a filter that needs something that its program has not bound.
struct StackBuildError: Error {
    let message: String
    var hint: String?
}
