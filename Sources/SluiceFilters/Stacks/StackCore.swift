internal import Sluice
internal import SluiceJSON

/// The state that the copies of a ``StackFilter`` share: the running document, and its filters.
final class StackCore<Request: Sendable, Response: Sendable>: Sendable {
    typealias ErasedFilter = any SimpleFilter<Request, Response>

    /// A filter of the document, with the state that is kept through an edit.
    private struct Slot: Sendable {
        let name: String
        let entry: StackDocument.Entry
        let filter: ErasedFilter
    }

    private struct Budget: Sendable {
        let settings: StackSettings
        let budget: RetryBudget
    }

    private struct State: Sendable {
        var document: StackDocument
        var slots: [String: Slot] = [:]
        var budgets: [String: Budget] = [:]
        var stages: [ErasedFilter] = []
        /// The number of documents, so that of two documents that are applied at the same time the later one sees the
        /// earlier.
        var generation = 0
    }

    private let bindings: StackBindings<Request, Response>
    private let state: Locked<State>

    /// Creates the filters of a document.
    ///
    /// - Parameter shared: The budgets of another stack that this one takes from, by name.
    init(
        _ document: StackDocument,
        _ bindings: StackBindings<Request, Response>,
        sharing shared: [String: RetryBudget] = [:]
    ) throws(JSONErrors) {
        self.bindings = bindings
        var empty = document
        empty.removeAll()
        let first = try Self.make(document, after: State(document: empty), bindings, sharing: shared)
        state = Locked(first)
    }

    var document: StackDocument { state.withLock { $0.document } }

    /// The filters through which calls pass, outermost first.
    var stages: [ErasedFilter] { state.withLock { $0.stages } }

    /// An applied document: its number among those of this stack, and its budgets by name.
    struct Applied: Sendable {
        let generation: Int
        let budgets: [String: RetryBudget]
    }

    /// The running document, with its number and its budgets.
    var applied: Applied { Self.applied(state.withLock { $0 }) }

    private static func applied(_ state: State) -> Applied {
        Applied(generation: state.generation, budgets: state.budgets.mapValues(\.budget))
    }

    @discardableResult
    func replace(
        with document: StackDocument,
        sharing shared: [String: RetryBudget] = [:]
    ) throws(JSONErrors) -> StackChange {
        try apply(document, sharing: shared).change
    }

    /// Replaces the running document.
    ///
    /// - Returns: The effects on the filters, and the applied document.
    func apply(
        _ document: StackDocument,
        sharing shared: [String: RetryBudget] = [:]
    ) throws(JSONErrors) -> (change: StackChange, applied: Applied) {
        while true {
            let old = state.withLock { $0 }
            // Outside of the lock, since the program's closures are called.
            let new = try Self.make(document, after: old, bindings, sharing: shared)
            let isCurrent = state.withLock { state in
                guard state.generation == old.generation else { return false }
                for slot in new.slots.values { (slot.filter as? any AdjustableFilter)?.adjust(slot.entry.settings) }
                state = new
                return true
            }
            if isCurrent { return (Self.change(document, after: old), Self.applied(new)) }
        }
    }

    func plan(_ document: StackDocument) -> StackChange { Self.change(document, after: state.withLock { $0 }) }

    // MARK: From one document to the next

    private enum Fate { case kept, reset, added }

    private static func fate(_ entry: StackDocument.Entry, _ name: String, after old: State) -> Fate {
        guard let slot = old.slots[name], slot.entry.kind == entry.kind else { return .added }
        let free = entry.form.adjustableKeys
        guard slot.entry.settings.without(free) == entry.settings.without(free) else { return .reset }
        return .kept
    }

    private static func fate(_ name: String, _ settings: StackSettings, after old: State) -> Fate {
        guard let budget = old.budgets[name] else { return .added }
        return budget.settings == settings ? .kept : .reset
    }

    private static func change(_ document: StackDocument, after old: State) -> StackChange {
        var change = StackChange()
        func add(_ name: String, _ fate: Fate) {
            switch fate {
            case .kept: change.kept.append(name)
            case .reset: change.reset.append(name)
            case .added: change.added.append(name)
            }
        }
        for (name, settings, _, _) in document.budgets { add("budget \(name)", fate(name, settings, after: old)) }
        let names = document.names
        for (name, entry) in zip(names, document.filters) { add(name, fate(entry, name, after: old)) }
        for (name, _, _, _) in old.document.budgets where !document.budgets.contains(where: { $0.name == name }) {
            change.dropped.append("budget \(name)")
        }
        // A budget whose name now belongs to another kind is gone as well.
        for (name, entry) in zip(old.document.names, old.document.filters)
        where !zip(names, document.filters).contains(where: { $0 == name && $1.kind == entry.kind }) {
            change.dropped.append(name)
        }
        return change
    }

    private static func make(
        _ document: StackDocument,
        after old: State,
        _ bindings: StackBindings<Request, Response>,
        sharing shared: [String: RetryBudget]
    ) throws(JSONErrors) -> State {
        var new = State(document: document, generation: old.generation + 1)
        for (name, settings, _, _) in document.budgets {
            if let budget = shared[name] {
                new.budgets[name] = Budget(settings: settings, budget: budget)
            } else if let budget = old.budgets[name], fate(name, settings, after: old) == .kept {
                new.budgets[name] = budget
            } else {
                new.budgets[name] = Budget(settings: settings, budget: RetryBudget(settings, clock: bindings.clock))
            }
        }
        let builder = StackBuilder(bindings: bindings, budgets: new.budgets.mapValues(\.budget))
        var errors: [JSONError] = []
        for (name, entry) in zip(document.names, document.filters) {
            do throws(StackBuildError) {
                let slot = try slot(entry, name, after: old, builder)
                new.slots[name] = slot
                if !entry.isDisabled { new.stages.append(slot.filter) }
            } catch {
                let path = entry.path.appending(entry.kind)
                errors.append(
                    JSONError(.invalidValue, error.message, hint: error.hint, path: path, at: entry.position)
                )
            }
        }
        guard errors.isEmpty else { throw JSONErrors(errors) }
        return new
    }

    private static func slot(
        _ entry: StackDocument.Entry,
        _ name: String,
        after old: State,
        _ builder: StackBuilder<Request, Response>
    ) throws(StackBuildError) -> Slot {
        if fate(entry, name, after: old) == .kept, let kept = old.slots[name], isCurrent(kept, after: old, builder) {
            return Slot(name: name, entry: entry, filter: kept.filter)
        }
        return Slot(name: name, entry: entry, filter: try entry.form.filter(entry.settings, builder))
    }

    /// Returns a Boolean value that indicates whether a filter that is kept uses the budget that its name now refers
    /// to.
    private static func isCurrent(
        _ slot: Slot,
        after old: State,
        _ builder: StackBuilder<Request, Response>
    ) -> Bool {
        guard let name = slot.entry.budget else { return true }
        return old.budgets[name]?.budget === builder.budgets[name]
    }
}

extension StackDocument.Entry {
    /// The name of the budget from which the filter takes further calls.
    var budget: String? { settings.json["budget"]?.string }
}

extension StackDocument {
    /// The name of each filter: its id, otherwise its kind, with a number from the second of its kind on.
    var names: [String] {
        var taken = Set(filters.compactMap(\.id))
        var numbers: [String: Int] = [:]
        var names: [String] = []
        for entry in filters { names.append(entry.id ?? Self.free(entry.kind, &numbers, &taken)) }
        return names
    }

    /// Returns the kind, with the next free number.
    private static func free(_ kind: String, _ numbers: inout [String: Int], _ taken: inout Set<String>) -> String {
        while true {
            let number = numbers[kind, default: 0] + 1
            numbers[kind] = number
            let name = number == 1 ? kind : "\(kind)-\(number)"
            if taken.insert(name).inserted { return name }
        }
    }
}
