/// The state of one operator in one subscription: a small value that is Codable if the items are.
///
/// Only the run that created a cell accesses it. It has no dynamic checks for exclusive access, which would cost more
/// than most operators: an operator must not call other code while it changes its state.
@usableFromInline final class Cell<State> {
    @usableFromInline let pointer: UnsafeMutablePointer<State>

    @inlinable init(_ state: State) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: state)
    }

    @inlinable var state: State {
        @inline(__always) get { pointer.pointee }
        @inline(__always) _modify { yield &pointer.pointee }
    }

    deinit {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }
}
