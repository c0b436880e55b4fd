import SluiceExpressions
import SluiceJSON

/// A comparison of a stage with its former self: what becomes of it in an edit.
struct StageComparison {
    /// A parameter that differs.
    struct Change {
        let parameter: String
        let old: JSON?
        let new: JSON?
    }

    /// A stream within the stage.
    struct Nested {
        /// The key in what is saved; `nil` for a stream that was not there.
        let oldKey: String?
        /// The key in what is saved after the edit; `nil` for a stream that will not be there.
        let newKey: String?
        var comparison: PipelineComparison
        /// A Boolean value that indicates whether the stage itself starts the stream, once, for an item.
        var isForItem = false
        /// A Boolean value that indicates whether the stream is another document, the same wherever it is referred to.
        var isReference = false
    }

    /// The fate of the stage by its arguments alone; see ``result``.
    var action: StreamPlan.Action
    /// The key of the stage in what is saved; `nil` where it is not there.
    var oldKey: String?
    var newKey: String?
    var oldPath: JSONPath?
    var newPath: JSONPath?
    var id: String?
    var name = ""
    var changes: [Change] = []
    /// The reason that the arguments reset it.
    var reason: String?
    /// The reason that the types of a changed expression reset it, unless the expression takes the state of a run.
    var typeReason: String?
    /// The trial of a changed expression on the state of a run; `nil` where no changed expression reads a state.
    var trial: StateTrial?
    /// A Boolean value that indicates whether an expression of the stage reads its state.
    var readsState = false
    /// The streams that the stage combines, where they have changed.
    var combined: CombinedStreams?
    var isMoved = false
    /// A Boolean value that indicates whether nobody has written it: the input of operators.
    var isImplied = false
    /// A Boolean value that indicates whether it is a stream of its own.
    var isStream = false
    var nested: [Nested] = []
    /// The keys of the stream that several read, for a stage that shares.
    var oldShared: String?
    var newShared: String?
    /// The documents that a reference leads to, where they have not changed.
    var unchangedDocuments: Set<String> = []
    /// The items of a `stream` source, before and after.
    var items: (old: [StreamItem<JSON>], new: [StreamItem<JSON>])?
    /// The effects of the edit on a run.
    let outcome = StageOutcome()

    /// The fate of the stage in the run that was examined, if any.
    var result: StreamPlan.Action {
        guard action == .kept else { return action }
        return outcome.failure != nil || (typeReason != nil && !outcome.isTried) ? .reset : .kept
    }

    /// The reason that it is reset.
    var resultReason: String? { result == .reset ? reason ?? outcome.failure ?? typeReason : nil }

    // MARK: Operators

    /// Lists an operator that was not there, or will not be.
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

    /// Compares an operator with the one that it goes on for.
    init(_ old: Located<Operator>, _ new: Located<Operator>, depth: Int) {
        let arguments = ComparedArguments(
            old.at(Taken(name: old.part.name, arguments: old.part.arguments), old.path),
            new.at(Taken(name: new.part.name, arguments: new.part.arguments), new.path),
            (old.part.kind?.parameters ?? [], new.part.kind?.parameters ?? []),
            inputs: 1,
            depth: depth
        ) { Compatibility.resets($0, ofOperator: new.part.name, $1, $2) }
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

    /// Makes the stage, and those of streams within it, lose what they would keep: the stage around is reset.
    mutating func lose(with stage: String) {
        if action == .kept { (action, reason) = (.reset, "with \(stage)") }
        for index in nested.indices { nested[index].comparison.lose(with: stage) }
    }
}
