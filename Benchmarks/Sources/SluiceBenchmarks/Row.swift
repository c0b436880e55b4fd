/// One thing that several peers do; the first peer is what the others are compared with.
struct Row {
    var group: String
    var name: String
    /// The bytes that one operation handles, for MB/s; 0 for none.
    var bytes: Int
    var peers: [Peer]
    /// The number of operations of one run of a peer.
    var operations = 1
    /// A Boolean value that indicates whether the first peer is a limit, which all others have to keep, and no rival.
    var isLimit = false
}

/// One way to do it.
struct Peer {
    var name: String
    var run: () -> Void
    /// A Boolean value that indicates whether it has a bound; other rows are for comparison.
    var isOurs = true
}

/// The measurement of a peer: the median over the rounds, or the least with ``Runner/isShared``.
struct Measurement {
    var name: String
    var isOurs = true
    var nanoseconds: Double
    var allocations: Int?
}

/// Keeps the compiler from dropping what nobody uses.
@inline(never)
@_optimize(none)
func keep<T>(_ value: T) {}
