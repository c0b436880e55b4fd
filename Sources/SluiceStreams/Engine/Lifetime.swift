/// The lifetime of a subscription, which is closed when the stream has ended or is no longer needed. Everything that
/// depends on it is closed with it.
///
/// The subscription of an operator to its input is a child of the subscription to the operator, or the same one if both
/// always end together.
@usableFromInline final class Lifetime {
    @usableFromInline enum State { case open, ending, closed }

    /// Read before each value. A run is used by one caller at a time, so that an exclusivity check would gain nothing.
    @exclusivity(unchecked) @usableFromInline var state = State.open
    private var onClose: [() -> Void] = []
    private var firstChild: Lifetime?
    private var next: Lifetime?
    /// The neighbors keep each other alive by `next` alone.
    private unowned(unsafe) var previous: Lifetime?
    private unowned(unsafe) var parent: Lifetime?

    /// Creates a lifetime without a parent.
    @usableFromInline init() {}

    /// A Boolean value that indicates whether nothing may be delivered any more.
    @inlinable var isClosed: Bool { state != .open }

    /// Returns a lifetime that is closed with this one; it is closed already if this one is.
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

    /// Calls `body` when this lifetime is closed, or immediately if it already is.
    @usableFromInline func whenClosed(_ body: @escaping () -> Void) {
        if state == .closed { body() } else { onClose.append(body) }
    }

    /// Acquires the right to deliver the end; returns `false` if it was acquired before.
    @usableFromInline func beginEnding() -> Bool {
        guard state == .open else { return false }
        state = .ending
        return true
    }

    /// Closes this lifetime and everything that depends on it.
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
