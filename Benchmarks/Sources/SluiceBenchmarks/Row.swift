/// One thing that several peers do; the first peer is what the others are compared with.
struct Row {
    var group: String
    var name: String
    /// The bytes that one operation handles, for MB/s; 0 for none.
    var bytes: Int
    var peers: [Peer]
    /// How many operations one run of a peer makes.
    var operations = 1
    /// A Boolean value that indicates whether the first peer is a limit, which all others have to keep, and no rival.
    var isLimit = false
}

/// One way to do it.
struct Peer {
    var name: String
    var run: () -> Void
    /// Whether it has to keep a bound; others are there to be compared with.
    var isOurs = true
}

/// What was measured of a peer: the median over the rounds, or the least where ``Runner/isShared`` says so.
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
