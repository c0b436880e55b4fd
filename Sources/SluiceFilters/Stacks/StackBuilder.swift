internal import Sluice
internal import SluiceJSON

/// A builder of filters from a document's entries: the parts that the program has bound, and the budgets.
struct StackBuilder<Request: Sendable, Response: Sendable>: Sendable {
    let bindings: StackBindings<Request, Response>
    let budgets: [String: RetryBudget]

    /// The closure that returns the class of a result: that of the program, or the one for the type of the requests.
    var classify: Classifier<Request, Response> {
        bindings.classify ?? RequestSemantics<Request, Response>.classifier() ?? { ResponseClass.of($1) }
    }

    /// Returns the budget with a name.
    func budget(_ name: String?) -> RetryBudget? { name.flatMap { budgets[$0] } }

    /// Returns the closure that computes a key of requests.
    func key(_ name: String) throws(StackBuildError) -> @Sendable (Request) -> String {
        if let key = bindings.keys[name] { return key }
        throw missing("key", name, bindings.keys.keys)
    }

    /// Returns a filter of the program.
    func filter(named name: String) throws(StackBuildError) -> any SimpleFilter<Request, Response> {
        if let filter = bindings.filters[name] { return filter }
        throw missing("filter", name, bindings.filters.keys)
    }

    /// Returns a response that the document contains.
    func answer(_ json: JSON) throws(StackBuildError) -> Response {
        guard let answer = bindings.answer else {
            throw StackBuildError(
                message: "answers cannot be made of a document here",
                hint: "give `answer:` to StackBindings"
            )
        }
        do { return try answer(json) } catch {
            throw StackBuildError(message: "this isn't a valid response: \(error)")
        }
    }

    private func missing(_ kind: String, _ name: String, _ known: some Sequence<String>) -> StackBuildError {
        let known = known.sorted()
        let hint = known.isEmpty ? nil : "known: " + known.joined(separator: ", ")
        return StackBuildError(message: "there is no \(kind) \(JSON.string(name)) here", hint: hint)
    }
}

/// A filter of the program, which a document names: `{"use": {"name": "log in"}}`.
enum UseKind: FilterKind {
    static let name = "use"
    static let summary = "Uses a filter of the program"
    static let filterName = StackKey("name", .text, "the name of the filter in the program's bindings")
    static let keys: [any FilterKey] = [filterName]
    static let examples = [FilterExample(#"{"use": {"name": "log in"}}"#, "log in")]

    static func role(_ settings: StackSettings) -> StackRole {
        settings[filterName].lowercased().contains("cache") ? .cache : .other
    }

    static func filter<Request: Sendable, Response: Sendable>(
        _ settings: StackSettings,
        _ builder: StackBuilder<Request, Response>
    ) throws(StackBuildError) -> any SimpleFilter<Request, Response> {
        try builder.filter(named: settings[filterName])
    }
}
