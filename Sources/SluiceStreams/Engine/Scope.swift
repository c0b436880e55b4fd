import SluiceExpressions

/// The place of a subscription: its run, and the items for which the enclosing streams were started.
@usableFromInline struct Scope {
    /// The run.
    @usableFromInline let run: Run
    /// The item for which this stream was started within another; `nil` at the top level.
    let outer: Outer?
    /// The saved node of the subscription; `nil` in a run that isn't saved.
    @usableFromInline let node: StateNode?

    init(run: Run, outer: Outer?, node: StateNode? = nil) {
        self.run = run
        self.outer = outer
        self.node = node
    }

    /// Creates the scope of the whole stream.
    @usableFromInline init(_ run: Run) { self.init(run: run, outer: nil, node: run.root) }

    /// Returns the object that all subscriptions to one node of the graph share; the first one creates it.
    ///
    /// - Parameter isInner: A Boolean value that indicates whether the node sees the item for which its stream was
    ///   started. Then only the subscriptions for the same item share the object.
    func common<StateNode: AnyObject>(_ key: Token, isInner: Bool, _ make: () -> StateNode) -> StateNode {
        guard isInner, let outer else { return run.common(key, make) }
        return outer.objects.object(key, make)
    }

    /// Returns the same place in a stream that was started for `value`.
    func inside(_ value: CELValue) -> Scope {
        let outer = Outer(value: value, next: outer, node: node)
        node?.outer = outer
        return Scope(run: run, outer: outer, node: node)
    }
}

/// An item for which an inner stream was started, and those of the enclosing streams.
final class Outer {
    /// The window that the stream reads, if it was started for one.
    var window: ReadWindow?
    let value: CELValue
    let next: Outer?
    /// The objects that the subscriptions for this item share.
    var objects = SharedObjects()
    /// The saved node of the stream that was started for the item.
    private(set) weak var node: StateNode?

    init(value: CELValue, next: Outer?, node: StateNode?) {
        self.value = value
        self.next = next
        self.node = node
    }
}
