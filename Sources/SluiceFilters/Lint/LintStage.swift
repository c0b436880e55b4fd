internal import Sluice
internal import SluiceJSON

/// A stage of a stack, as the lint sees it.
package struct LintStage {
    let name: String
    let role: StackRole
    /// The budget of its further calls; the same for the same budget.
    var budget: String?
    /// Its position in a document.
    var position: JSONPosition?

    init(name: String, role: StackRole, budget: String? = nil, position: JSONPosition? = nil) {
        self.name = name
        self.role = role
        self.budget = budget
        self.position = position
    }

    /// Creates a stage with a custom name, such as that of a stage of a request chain.
    package init(_ name: String, of filter: some Any) {
        let known = Self.stages(of: filter)
        self.init(name: name, role: known.first?.role ?? .other, budget: known.first?.budget)
    }
}

/// A stack that knows its stages.
package protocol LintParts {
    /// The stages, outermost first.
    var lintStages: [LintStage] { get }
}

extension Stacked: LintParts {
    package var lintStages: [LintStage] { LintStage.stages(of: outer) + LintStage.stages(of: inner) }
}

extension Filtered: LintParts {
    package var lintStages: [LintStage] { LintStage.stages(of: filter) + LintStage.stages(of: node) }
}

extension Balancer: LintParts {
    /// The balancer, and the filters of its first endpoint.
    package var lintStages: [LintStage] {
        let first = core.endpoints.first as? Endpoint<Request, Response>
        return [LintStage(name: description, role: stackRole)] + (first.map { LintStage.stages(of: $0.node) } ?? [])
    }
}

extension StackFilter: LintParts {
    package var lintStages: [LintStage] { document.lintStages }
}

extension LintStage {
    /// Returns the stages of a filter or node; type-erased ones are recognized by their names.
    static func stages(of stage: some Any) -> [LintStage] {
        if let parts = stage as? any LintParts { return parts.lintStages }
        let described = (stage as? any CustomStringConvertible)?.description
        let name = described ?? String("\(type(of: stage))".prefix { $0 != "<" })
        if let known = stage as? any StackStage {
            let budget = (stage as? any BudgetUser)?.usedBudget.map { "\(ObjectIdentifier($0))" }
            return [LintStage(name: name, role: known.stackRole, budget: budget)]
        }
        return name.components(separatedBy: " → ").map { LintStage(name: $0, role: role(named: $0)) }
    }

    private static func role(named name: String) -> StackRole {
        let type = String(name.prefix { $0 != "(" })
        if let kind = FilterKinds.all.first(where: { $0.typeName == type }) { return kind.role(describedAs: name) }
        let others: [String: StackRole] = ["AuthFilter": .refresh, "Balancer": .balancer, "StatsFilter": .stats]
        return others[type] ?? (type.lowercased().contains("cache") ? .cache : .other)
    }
}

/// A filter that takes further calls from a budget.
private protocol BudgetUser {
    var usedBudget: RetryBudget? { get }
}

extension RetryFilter: BudgetUser {
    fileprivate var usedBudget: RetryBudget? { budget }
}

extension HedgeFilter: BudgetUser {
    fileprivate var usedBudget: RetryBudget? { budget }
}

extension StackDocument {
    /// The filters through which calls pass.
    var lintStages: [LintStage] {
        var stages = zip(names, filters).filter { !$1.isDisabled }.map { LintStage($1, named: $0) }
        guard let balancer else { return stages }
        stages.append(LintStage(name: "balancer", role: .balancer, position: balancer.position))
        let inner = endpointStack
        for (name, entry) in zip(inner.names, inner.filters) where !entry.isDisabled {
            stages.append(LintStage(entry, named: "endpoint \(name)"))
        }
        return stages
    }
}

extension LintStage {
    fileprivate init(_ entry: StackDocument.Entry, named name: String) {
        self.init(
            name: name,
            role: entry.form.role(entry.settings),
            budget: entry.budget,
            position: entry.position
        )
    }
}

extension String {
    /// Returns the parts between separators.
    fileprivate func components(separatedBy separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: true).map(String.init)
    }
}
