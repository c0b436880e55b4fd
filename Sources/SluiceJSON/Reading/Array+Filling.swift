extension Array {
    /// Creates an array of at most `count` elements, which `fill` writes into uninitialized memory.
    ///
    /// `init(unsafeUninitializedCapacity:initializingWith:)` writes the count even without room for an element, and so
    /// into the empty array that all threads share. It is always the same 0, but formally a race, which the thread
    /// sanitizer reports.
    @inlinable @inline(__always)
    init<Failure: Error>(
        filling count: Int,
        with fill: (_ buffer: inout UnsafeMutableBufferPointer<Element>, _ initialized: inout Int) throws(Failure) ->
            Void
    ) throws(Failure) {
        guard count > 0 else {
            self = []
            return
        }
        self = try Array(unsafeUninitializedCapacity: count, initializingWith: fill)
    }
}
