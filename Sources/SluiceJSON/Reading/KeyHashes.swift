/// The hashes of the keys of one object of at most 64 members, which show at little cost that no two keys are the same.
///
/// The hash has no seed, so a hostile text can make hashes meet: each key is then compared with at most 64 others, and the
/// keys are checked exactly, as those of a larger object always are.
struct KeyHashes {
    /// The largest number of members for which the hashes are of use.
    static let maximumCount = 64

    /// The hashes by their leading bits; 0 represents an empty place.
    private let places: UnsafeMutableBufferPointer<UInt64>
    private let shift: UInt64

    /// Calls `body` with room for the hashes of so many keys.
    static func with<Result>(_ count: Int, _ body: (KeyHashes) -> Result) -> Result {
        let bits = count <= 12 ? 5 : 7
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 1 << bits) { places in
            places.initialize(repeating: 0)
            return body(KeyHashes(places: places, shift: UInt64(64 - bits)))
        }
    }

    /// Returns false if a key that was inserted before has the same hash.
    @inline(__always)
    func insert(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
        let hash = Self.hash(key) | 1
        var place = Int(truncatingIfNeeded: hash &>> shift)
        while places[place] != 0 {
            if places[place] == hash { return false }
            place = (place &+ 1) & (places.count &- 1)
        }
        places[place] = hash
        return true
    }

    /// Returns a hash of all bytes of a key.
    @inline(__always)
    private static func hash(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let key = UnsafeRawBufferPointer(key)
        var hash = UInt64(truncatingIfNeeded: key.count)
        var at = 0
        while at &+ 8 <= key.count {
            hash = mixed(hash ^ key.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            at &+= 8
        }
        var rest: UInt64 = 0
        while at < key.count {
            rest = rest &<< 8 | UInt64(key[at])
            at &+= 1
        }
        return mixed(hash ^ rest)
    }

    /// Returns a number whose bits depend on all bits of another: both halves of a product.
    @inline(__always)
    private static func mixed(_ number: UInt64) -> UInt64 {
        let (high, low) = number.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return high ^ low
    }
}
