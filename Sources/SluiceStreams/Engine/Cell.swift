/// The state of one operator in one subscription: a small value that is Codable where the items are.
///
/// A cell is touched by the run that made it alone. It does without the dynamic checks for exclusive access, which
/// would cost more than most operators: nobody may call out of an operator while it changes its state.
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
