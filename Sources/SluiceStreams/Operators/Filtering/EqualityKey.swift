import SluiceExpressions
import SluiceJSON

/// A value that is compared as in the expression language: `1` equals `1.0`.
///
/// That equality is not transitive: a whole number beyond 2^53 and a double are compared as doubles, two whole numbers
/// exactly. Equal values have the same hash, so that a set finds a value that is equal to one of its members.
struct EqualityKey: Hashable, Sendable {
    let value: CELValue

    /// - Throws: `StreamError` for a value that is too large, or too deep, to be compared.
    init(_ value: CELValue, path: String) throws {
        if let excess = value.excess { throw StreamError(path: path, message: excess) }
        self.value = value
    }

    static func == (a: EqualityKey, b: EqualityKey) -> Bool { a.value.isEqual(to: b.value) }

    func hash(into hasher: inout Hasher) { value.hashAsEqual(into: &hasher) }
}

extension EqualityKey: Savable {
    init(saved json: JSON) throws { try self.init(CELValue(saved: json), path: "") }

    var saved: JSON { value.saved }
}

extension CELValue {
    fileprivate func hashAsEqual(into hasher: inout Hasher) {
        switch self {
        case .null: break
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(Double(value))
        case .uint(let value): hasher.combine(Double(value))
        case .double(let value): hasher.combine(value)
        case .string(let value), .type(let value): hasher.combine(value)
        case .bytes(let value): hasher.combine(value)
        case .duration(let value): hasher.combine(value)
        case .timestamp(let value): hasher.combine(value)
        case .address(let value): hasher.combine(value)
        case .network(let value): hasher.combine(value)
        case .optional(let value):
            hasher.combine(value != nil)
            value?.hashAsEqual(into: &hasher)
        case .list(let list):
            hasher.combine(list.count)
            for value in list { value.hashAsEqual(into: &hasher) }
        case .map(let map):
            // In any order.
            var sum = 0
            for (key, value) in map {
                var entry = Hasher()
                key.hashAsEqual(into: &entry)
                value.hashAsEqual(into: &entry)
                sum &+= entry.finalize()
            }
            hasher.combine(map.count)
            hasher.combine(sum)
        }
    }
}
