import SluiceExpressions

/// Where a subscription stands: its run, and the items that the streams around it were started for.
@usableFromInline struct Scope {
    /// The run.
    @usableFromInline let run: Run
    /// The item that this stream was started for, within another; `nil` outside of any.
    let outer: Outer?
    /// What is saved of the subscription; `nil` in a run that is not to be saved.
    @usableFromInline let part: Part?

    init(run: Run, outer: Outer?, part: Part? = nil) {
        self.run = run
        self.outer = outer
        self.part = part
    }

    /// The place of the whole stream.
    @usableFromInline init(_ run: Run) { self.init(run: run, outer: nil, part: run.root) }

    /// What all subscriptions to one part of the graph have in common; made by the first.
    ///
    /// - Parameter isInner: whether the part sees the item that its stream was started for: then only the subscriptions
    ///   for the same item have it in common.
    func common<Part: AnyObject>(_ key: Token, isInner: Bool, _ make: () -> Part) -> Part {
        guard isInner, let outer else { return run.common(key, make) }
        return outer.parts.part(key, make)
    }

    /// The same place in a stream that was started for `value`.
    func inside(_ value: CELValue) -> Scope {
        let outer = Outer(value: value, next: outer, part: part)
        part?.outer = outer
        return Scope(run: run, outer: outer, part: part)
    }
}

/// An item that an inner stream was started for, and those of the streams around.
final class Outer {
    /// The window that the stream reads, where it was started for one.
    var window: ReadWindow?
    let value: CELValue
    let next: Outer?
    /// What the subscriptions for this item have in common.
    var parts = SharedParts()
    /// What is saved of the stream that was started for the item.
    private(set) weak var part: Part?

    init(value: CELValue, next: Outer?, part: Part?) {
        self.value = value
        self.next = next
        self.part = part
    }
}
