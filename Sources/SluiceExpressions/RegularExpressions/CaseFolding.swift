/// The code points that differ only in case, as RE2 folds them (Unicode's simple case folding).
///
/// They form rings: each of `k`, `K`, and U+212A (the Kelvin sign) leads to the next, and the last to the first.
enum CaseFolding {
    /// The next code point of a ring.
    private static let next: [UInt32: UInt32] = {
        var next: [UInt32: UInt32] = [:]
        for start in stride(from: 0, to: runs.count, by: 4) {
            for value in stride(from: runs[start], through: runs[start + 1], by: Int(runs[start + 2])) {
                next[UInt32(value)] = UInt32(value + runs[start + 3])
            }
        }
        return next
    }()

    /// Calls `body` with every other code point of the ring until it returns true, and returns whether it did.
    static func hasOther(of scalar: UInt32, where body: (UInt32) -> Bool) -> Bool {
        guard var other = next[scalar] else { return false }
        while other != scalar {
            if body(other) { return true }
            guard let following = next[other] else { return false }
            other = following
        }
        return false
    }

    /// Returns the ring of a code point, which may have no other members.
    static func ring(_ scalar: UInt32) -> [UInt32] {
        var ring = [scalar]
        _ = hasOther(of: scalar) { other in
            ring.append(other)
            return false
        }
        return ring
    }
}
