import SluiceExpressions

/// Where a subscription stands: its run, and the items that the streams around it were started for.
@usableFromInline struct Scope {
    /// The run.
    let run: Run
    /// The item that this stream was started for, within another; `nil` outside of any.
    let outer: Outer?

    /// The same place in a stream that was started for `value`.
    func inside(_ value: CELValue) -> Scope { Scope(run: run, outer: Outer(value: value, next: outer)) }
}

/// An item that an inner stream was started for, and those of the streams around.
final class Outer {
    /// The window that the stream reads, where it was started for one.
    var window: ReadWindow?
    let value: CELValue
    let next: Outer?

    init(value: CELValue, next: Outer?) {
        self.value = value
        self.next = next
    }
}
