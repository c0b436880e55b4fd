import SluiceExpressions
import SluiceJSON

/// A comparison of a stage before and after an edit.
struct StageComparison {
    /// A parameter that differs.
    struct Change {
        let parameter: String
        let old: JSON?
        let new: JSON?
    }

    /// A stream within the stage.
    struct Nested {
        /// The saved key before the edit; `nil` for a stream that is added.
        let oldKey: String?
        /// The saved key after the edit; `nil` for a stream that is dropped.
        let newKey: String?
        var comparison: PipelineComparison
        /// A Boolean value that indicates whether the stage itself starts the stream, once, for an item.
        var isForItem = false
        /// A Boolean value that indicates whether the stream is another document, which is the same for all references.
        var isReference = false
    }

    /// The action for the stage by its arguments alone; see ``result``.
    var action: StreamPlan.Action
    /// The saved key of the stage; `nil` for a stage that is added.
    var oldKey: String?
    var newKey: String?
    var oldPath: JSONPath?
    var newPath: JSONPath?
    var id: String?
    var name = ""
    var changes: [Change] = []
    /// The reason why the arguments reset it.
    var reason: String?
    /// The reason why the types of a changed expression reset it, unless the expression accepts the state of a run.
    var typeReason: String?
    /// The trial of a changed expression on the state of a run; `nil` if no changed expression reads a state.
    var trial: StateTrial?
    /// A Boolean value that indicates whether an expression of the stage reads its state.
    var readsState = false
    /// The streams that the stage combines, if they have changed.
    var combined: CombinedStreams?
    var isMoved = false
    /// A Boolean value that indicates whether it is implied, such as the input of operators, and not in the document.
    var isImplied = false
    /// A Boolean value that indicates whether it is a stream of its own.
    var isStream = false
    var nested: [Nested] = []
    /// The key of the shared stream, for a stage that shares.
    var oldShared: String?
    var newShared: String?
    /// The documents that a reference leads to and that have not changed.
    var unchangedDocuments: Set<String> = []
    /// The items of a `stream` source, before and after.
    var items: (old: [StreamItem<JSON>], new: [StreamItem<JSON>])?
    /// The effects of the edit on a run.
    let outcome = StageOutcome()

    /// The action for the stage in the run that was examined, if any.
    var result: StreamPlan.Action {
        guard action == .kept else { return action }
        return outcome.failure != nil || (typeReason != nil && !outcome.isTried) ? .reset : .kept
    }

    /// The reason why it is reset.
    var resultReason: String? { result == .reset ? reason ?? outcome.failure ?? typeReason : nil }

    // MARK: Operators

    /// Lists an operator that is added or dropped.
    init(_ action: StreamPlan.Action, _ item: Located<Operator>, depth: Int) {
        self.action = action
        (id, name) = (item.part.id, item.part.name)
        if action == .dropped {
            (oldKey, oldPath, oldShared) = (item.key, item.path, Self.shared(item))
        } else {
            (newKey, newPath, newShared) = (item.key, item.path, Self.shared(item))
        }
        let taken = item.at(Taken(name: name, arguments: item.part.arguments), item.path)
        nested = taken.listed(action, item.part.kind?.parameters ?? [], depth: depth)
    }

    /// Compares an operator with the one that it replaces.
    init(_ old: Located<Operator>, _ new: Located<Operator>, depth: Int) {
        let arguments = ComparedArguments(
            old.at(Taken(name: old.part.name, arguments: old.part.arguments), old.path),
            new.at(Taken(name: new.part.name, arguments: new.part.arguments), new.path),
            (old.part.kind?.parameters ?? [], new.part.kind?.parameters ?? []),
            inputs: 1,
            depth: depth
        ) { Compatibility.resets($0, $1, $2) }
        action = arguments.reason == nil ? .kept : .reset
        (oldKey, newKey, oldPath, newPath) = (old.key, new.key, old.path, new.path)
        (id, name) = (new.part.id ?? old.part.id, new.part.name)
        take(arguments)
        if name == OperatorKind.catch.name { for index in nested.indices { nested[index].isForItem = true } }
        (oldShared, newShared) = (Self.shared(old), Self.shared(new))
    }

    mutating func take(_ arguments: ComparedArguments) {
        (changes, reason, typeReason) = (changes + arguments.changes, arguments.reason, arguments.typeReason)
        (nested, trial, combined) = (arguments.nested, arguments.trial, arguments.combined)
        readsState = arguments.readsState
    }

    private static func shared(_ item: Located<Operator>) -> String? {
        let isSharing = [OperatorKind.share.name, OperatorKind.shareReplay.name].contains(item.part.name)
        return isSharing ? StageKey.shared(in: item.document, item.path) : nil
    }

    /// Makes the stage, and the stages of its nested streams, lose their state, since the enclosing stage is reset.
    mutating func lose(with stage: String) {
        if action == .kept { (action, reason) = (.reset, "with \(stage)") }
        for index in nested.indices { nested[index].comparison.lose(with: stage) }
    }
}
