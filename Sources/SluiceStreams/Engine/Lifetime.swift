/// How long a subscription lasts: it is closed when the stream has ended or is of no more use, and what hangs on it is
/// closed with it.
///
/// A subscription of an operator to its input is a child of the subscription to the operator, or the very same where
/// the one ends exactly when the other does.
@usableFromInline final class Lifetime {
    @usableFromInline enum State { case open, ending, closed }

    /// Read before each value: a run is used by one caller at a time, so nothing is gained by a check of that.
    @exclusivity(unchecked) @usableFromInline var state = State.open
    private var onClose: [() -> Void] = []
    private var firstChild: Lifetime?
    private var next: Lifetime?
    /// The neighbors keep each other by `next` alone.
    private unowned(unsafe) var previous: Lifetime?
    private unowned(unsafe) var parent: Lifetime?

    /// Makes one that hangs on nothing.
    @usableFromInline init() {}

    /// Whether nothing may be delivered any more.
    @inlinable var isClosed: Bool { state != .open }

    /// Makes one that is closed with this; closed at once when this is.
    @usableFromInline func child() -> Lifetime {
        let child = Lifetime()
        guard state == .open else {
            child.state = .closed
            return child
        }
        child.parent = self
        child.next = firstChild
        firstChild?.previous = child
        firstChild = child
        return child
    }

    /// Has `body` called when this is closed; at once when it is already.
    @usableFromInline func whenClosed(_ body: @escaping () -> Void) {
        if state == .closed { body() } else { onClose.append(body) }
    }

    /// Takes the right to deliver the end; nobody else has it then.
    @usableFromInline func beginEnding() -> Bool {
        guard state == .open else { return false }
        state = .ending
        return true
    }

    /// Closes this and all that hangs on it.
    @usableFromInline func close() {
        guard state != .closed else { return }
        state = .closed
        leaveParent()
        let bodies = onClose
        onClose = []
        for body in bodies { body() }
        while let child = firstChild { child.close() }
    }

    private func leaveParent() {
        guard let parent else { return }
        let me = self
        if let previous { previous.next = me.next } else { parent.firstChild = me.next }
        me.next?.previous = me.previous
        me.next = nil
        me.previous = nil
        me.parent = nil
    }
}
