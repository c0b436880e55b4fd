/// The state of an evaluation: the variables, the names bound so far, and the remaining cost.
@usableFromInline
struct Frame: Sendable {
    /// The variables declared as int, uint, double, or bool, and names of these types that macros bind, as bits.
    @usableFromInline var numbers: [UInt64] = []
    /// All other variables; nil for unbound ones.
    @usableFromInline var values: [CELValue?] = []
    /// All other names that macros bind.
    var locals: [CELValue] = []
    /// The entries of `cel.block` that were evaluated so far.
    var entries: [CELValue?] = []
    /// The regular expressions in the text, compiled once.
    var patterns: [ScalarText: PatternResult] = [:]
    var remainingCost = 0
    var maximumCost = 0
    var maximumResultSize = 0

    /// Sets a name that a macro binds; returns `false` if the value doesn't have the name's type.
    mutating func bind(_ value: CELValue, _ location: CELSlots.Location) -> Bool {
        switch (location.kind, value) {
        case (.int, .int(let value)): numbers[location.slot] = UInt64(bitPattern: value)
        case (.uint, .uint(let value)): numbers[location.slot] = value
        case (.double, .double(let value)): numbers[location.slot] = value.bitPattern
        case (.bool, .bool(let value)): numbers[location.slot] = value ? 1 : 0
        case (.value, _), (.any, _): locals[location.slot] = value
        default: return false
        }
        return true
    }

    mutating func charge(_ cost: Int) throws(Fault) {
        let (rest, overflow) = remainingCost.subtractingReportingOverflow(cost)
        remainingCost = overflow ? -1 : rest
        if remainingCost < 0 { throw .tooDear(maximumCost) }
    }

    /// Charges for the work at a location of the text.
    @inline(__always)
    mutating func charge(_ cost: Int, at offset: Int) throws(Fault) {
        do throws(Fault) { try charge(cost) } catch { throw error.located(offset) }
    }

    /// Charges for making and dropping an error that `&&`, `||`, `all`, or `exists` absorbs.
    @inline(never)
    mutating func absorb(_ fault: Fault) throws(Fault) {
        if fault.isFinal { throw fault }
        try charge(Frame.absorptionCost, at: fault.offset)
    }

    static let absorptionCost = 60

    /// Charges for looking up a key of a map.
    mutating func chargeLookup(_ key: CELValue) throws(Fault) {
        if case .string(let name) = key { try charge(5 + name.utf8.count / 20) } else { try charge(3) }
    }

    /// Throws if a value would exceed the limit of bytes or elements, and charges for creating it.
    mutating func make(_ size: Int) throws(Fault) {
        if size > maximumResultSize {
            throw .tooLarge(size, maximumResultSize)
        }
        try charge(size / 10)
    }

    /// Charges like ``make(_:)`` for the elements of a list, each of which costs a unit.
    mutating func makeList(_ count: Int) throws(Fault) {
        try make(count)
        try charge(count)
    }

    /// Returns whether two values are equal in the language, and charges for the elements that it compares.
    mutating func equal(_ left: CELValue, _ right: CELValue) throws(Fault) -> Bool {
        switch (left, right) {
        case (.list(let left), .list(let right)):
            guard left.count == right.count else { return false }
            for index in left.indices {
                try charge(1)
                if try !equal(left[index], right[index]) { return false }
            }
            return true
        case (.map(let left), .map(let right)):
            guard left.count == right.count else { return false }
            for entry in left {
                try charge(2)
                try chargeLookup(entry.key)
                guard let other = right[entry.key], try equal(entry.value, other) else { return false }
            }
            return true
        case (.optional(.some(let left)), .optional(.some(let right))): return try equal(left, right)
        case (.string(let left), .string(let right)):
            guard left.utf8.count == right.utf8.count else { return false }
            try charge(left.utf8.count / 20)
            return left.hasSameScalars(as: right)
        case (.bytes(let left), .bytes(let right)):
            guard left.count == right.count else { return false }
            try charge(left.count / 20)
            return left == right
        default: return left.isEqual(to: right)
        }
    }
}

/// A regular expression, or its error.
typealias PatternResult = Result<RegularExpression, Fault>
