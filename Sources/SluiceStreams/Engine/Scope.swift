import SluiceExpressions

/// Where a subscription stands: its run, and the items that the streams around it were started for.
@usableFromInline struct Scope {
    /// The run.
    @usableFromInline let run: Run
    /// The item that this stream was started for, within another; `nil` outside of any.
    let outer: Outer?

    init(run: Run, outer: Outer?) {
        self.run = run
        self.outer = outer
    }

    /// The place of the whole stream.
    @usableFromInline init(_ run: Run) { self.init(run: run, outer: nil) }

    /// What all subscriptions to one part of the graph have in common; made by the first.
    ///
    /// - Parameter isInner: whether the part sees the item that its stream was started for: then only the subscriptions
    ///   for the same item have it in common.
    func common<Part: AnyObject>(_ key: Token, isInner: Bool, _ make: () -> Part) -> Part {
        guard isInner, let outer else { return run.common(key, make) }
        return outer.parts.part(key, make)
    }

    /// The same place in a stream that was started for `value`.
    func inside(_ value: CELValue) -> Scope { Scope(run: run, outer: Outer(value: value, next: outer)) }
}

/// An item that an inner stream was started for, and those of the streams around.
final class Outer {
    /// The window that the stream reads, where it was started for one.
    var window: ReadWindow?
    let value: CELValue
    let next: Outer?
    /// What the subscriptions for this item have in common.
    var parts = SharedParts()

    init(value: CELValue, next: Outer?) {
        self.value = value
        self.next = next
    }
}
