/// A set of code points: ranges and general categories.
///
/// Case is folded when a code point is looked up, so that the size of a set depends only on the length of its text.
struct ScalarSet: Sendable, Hashable {
    /// The ranges, sorted and without overlaps.
    private(set) var ranges: [ClosedRange<UInt32>] = []
    /// The general categories, one bit for each.
    private(set) var categories: UInt32 = 0
    /// The general categories whose code points are excluded, in any case: `\P{Lu}` where case is ignored.
    private(set) var excluded: [UInt32] = []
    let isFolded: Bool
    private(set) var isNegated = false
    /// The results for the first 128 code points.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    static let digit: [ClosedRange<UInt32>] = [48...57]
    static let blank: [ClosedRange<UInt32>] = [9...10, 12...13, 32...32]
    static let word: [ClosedRange<UInt32>] = [48...57, 65...90, 95...95, 97...122]
    static let all: ClosedRange<UInt32> = 0...0x10FFFF

    init(isFolded: Bool = false) { self.isFolded = isFolded }

    /// Creates a set of ranges, ready to be used.
    init(_ ranges: [ClosedRange<UInt32>], isFolded: Bool = false) {
        self.init(isFolded: isFolded)
        add(ranges)
        finish()
    }

    /// Returns whether a code point is `_`, an ASCII letter, or an ASCII digit.
    static func isWord(_ scalar: UInt32) -> Bool {
        scalar >= 97 && scalar <= 122 || scalar >= 65 && scalar <= 90 || scalar >= 48 && scalar <= 57 || scalar == 95
    }

    /// Returns whether the set contains a code point.
    /// - Complexity: O(log *n*) in the ranges beyond ASCII, O(1) within it.
    func contains(_ scalar: UInt32) -> Bool {
        if scalar < 64 { return low >> UInt64(scalar) & 1 != 0 }
        if scalar < 128 { return high >> UInt64(scalar - 64) & 1 != 0 }
        return holds(scalar) != isNegated
    }

    // MARK: Building

    mutating func add(_ range: ClosedRange<UInt32>) { ranges.append(range) }

    mutating func add(_ ranges: [ClosedRange<UInt32>]) { self.ranges += ranges }

    /// Adds all but some ASCII characters; where case is ignored, all but those that equal one of them in another case.
    mutating func addAll(but ranges: [ClosedRange<UInt32>]) {
        guard isFolded else { return add(ScalarSet.complement(ranges)) }
        var closed = ranges
        for range in ranges {
            for (first, last, distance) in [(65, 90, 32), (97, 122, -32)] as [(UInt32, UInt32, Int32)] {
                let (low, high) = (max(range.lowerBound, first), min(range.upperBound, last))
                guard low <= high else { continue }
                closed.append(UInt32(Int32(low) + distance)...UInt32(Int32(high) + distance))
            }
            if range.contains(75) || range.contains(107) { closed.append(0x212A...0x212A) }
            if range.contains(83) || range.contains(115) { closed.append(0x17F...0x17F) }
        }
        add(ScalarSet.complement(closed))
    }

    /// Adds general categories, or all code points outside of them.
    mutating func add(categories: UInt32, isNegated: Bool) {
        if !isNegated {
            self.categories |= categories
        } else if !isFolded {
            self.categories |= ~categories
        } else if !excluded.contains(categories) {
            excluded.append(categories)
        }
    }

    /// Makes the set ready to be used.
    mutating func finish(isNegated: Bool = false) {
        self.isNegated = isNegated
        ranges = ScalarSet.merged(ranges)
        var bits = ASCII(ranges) | ASCII(categories)
        if isFolded { bits = folded(bits, categories) }
        for categories in excluded { bits = bits | ~folded(ASCII(categories), categories, isCategory: true) }
        if isNegated { bits = ~bits }
        (low, high) = (bits.low, bits.high)
    }

    private func folded(_ bits: ASCII, _ categories: UInt32, isCategory: Bool = false) -> ASCII {
        // Only two rings leave ASCII: s, S, U+017F and k, K, U+212A.
        func has(_ scalar: UInt32) -> Bool {
            ScalarSet.has(categories, scalar) || !isCategory && ScalarSet.has(ranges, scalar)
        }
        return bits.folded(hasLongS: has(0x17F), hasKelvin: has(0x212A))
    }

    /// Returns the code points that are not in the ranges.
    static func complement(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var result: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in merged(ranges) {
            if range.lowerBound > next { result.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        if next <= all.upperBound { result.append(next...all.upperBound) }
        return result
    }

    private static func merged(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        guard ranges.count > 1 else { return ranges }
        var result: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, range.lowerBound <= last.upperBound + 1 {
                result[result.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }

    // MARK: Looking up

    private func holds(_ scalar: UInt32) -> Bool {
        if ScalarSet.has(ranges, scalar) || ScalarSet.has(categories, scalar) { return true }
        guard isFolded else { return false }
        if !excluded.isEmpty {
            var found = ScalarSet.category(scalar)
            _ = CaseFolding.hasOther(of: scalar) { other in
                found |= ScalarSet.category(other)
                return false
            }
            if excluded.contains(where: { $0 & found == 0 }) { return true }
        }
        return CaseFolding.hasOther(of: scalar) { ScalarSet.has(ranges, $0) || ScalarSet.has(categories, $0) }
    }

    private static func has(_ ranges: [ClosedRange<UInt32>], _ scalar: UInt32) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= scalar
    }

    private static func has(_ categories: UInt32, _ scalar: UInt32) -> Bool {
        categories != 0 && categories & category(scalar) != 0
    }
}

/// The first 128 code points, a bit for each.
struct ASCII {
    var low: UInt64
    var high: UInt64

    init(low: UInt64, high: UInt64) { (self.low, self.high) = (low, high) }

    init(_ ranges: [ClosedRange<UInt32>]) {
        (low, high) = (0, 0)
        for range in ranges {
            guard range.lowerBound < 128 else { break }
            for scalar in range.lowerBound...min(127, range.upperBound) { insert(scalar) }
        }
    }

    /// Creates the code points of general categories.
    init(_ categories: UInt32) {
        (low, high) = (0, 0)
        guard categories != 0 else { return }
        for (index, bits) in ASCII.byCategory.enumerated() where categories >> UInt32(index) & 1 != 0 {
            self = self | bits
        }
    }

    private static let byCategory: [ASCII] = {
        var result = [ASCII](repeating: ASCII(low: 0, high: 0), count: 32)
        for scalar in 0..<128 as Range<UInt32> {
            result[ScalarSet.category(scalar).trailingZeroBitCount].insert(scalar)
        }
        return result
    }()

    private mutating func insert(_ scalar: UInt32) {
        if scalar < 64 { low |= 1 << UInt64(scalar) } else { high |= 1 << UInt64(scalar - 64) }
    }

    /// Returns the set with the other case of every letter.
    func folded(hasLongS: Bool, hasKelvin: Bool) -> ASCII {
        let letters: UInt64 = 0x07FF_FFFE
        var lower = (high >> 32 | high) & letters
        if hasLongS { lower |= 1 << (115 - 96) }
        if hasKelvin { lower |= 1 << (107 - 96) }
        return ASCII(low: low, high: high | lower | lower << 32)
    }

    static func | (left: ASCII, right: ASCII) -> ASCII {
        ASCII(low: left.low | right.low, high: left.high | right.high)
    }

    static prefix func ~ (bits: ASCII) -> ASCII { ASCII(low: ~bits.low, high: ~bits.high) }
}
