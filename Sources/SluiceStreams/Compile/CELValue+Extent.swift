import SluiceExpressions
import SluiceJSON

extension CELValue {
    /// How many values, each as often as it occurs, may stand in one that is made or compared.
    static let largestCount = 1_000_000

    /// What is wrong with the extent of a value; `nil` for one that can be walked and freed.
    ///
    /// Both go down by calls, and a value that occurs several times is walked several times: nested by `[x, x]` forty
    /// times it takes little memory and more than a lifetime.
    ///
    /// - Complexity: O(*n*) in the values within, at most ``largestCount``; O(1) for one without.
    var excess: String? {
        switch self {
        case .list, .map, .optional:
            var rest = Self.largestCount
            if isDeeper(than: JSONLimits.deepestValue, &rest) {
                return "the value is nested more than \(JSONLimits.deepestValue) deep"
            }
            return rest < 0 ? "the value holds more than \(Self.largestCount) others" : nil
        default: return nil
        }
    }

    /// Whether lists, maps and optionals stand in each other more than `count` deep; gives up below 0.
    private func isDeeper(than count: Int, _ rest: inout Int) -> Bool {
        rest -= 1
        if rest < 0 { return false }
        switch self {
        case .list(let list):
            if count == 0 { return true }
            for value in list where value.isDeeper(than: count - 1, &rest) { return true }
            return false
        case .map(let map):
            if count == 0 { return true }
            for entry in map where entry.value.isDeeper(than: count - 1, &rest) { return true }
            return false
        case .optional(let value):
            if count == 0 { return true }
            return value?.isDeeper(than: count - 1, &rest) ?? false
        default: return false
        }
    }
}

extension CELType {
    /// How deep the type of items is known; deeper ones are checked when they come.
    static let deepestItem = 8

    /// Whether types stand in each other more than `count` deep.
    func isDeeper(than count: Int) -> Bool {
        if count < 0 { return true }
        return switch self {
        case .list(let element), .optional(let element), .type(let element): element.isDeeper(than: count - 1)
        case .map(let key, let value): key.isDeeper(than: count - 1) || value.isDeeper(than: count - 1)
        case .opaque(_, let parameters): parameters.contains { $0.isDeeper(than: count - 1) }
        default: false
        }
    }

    /// Whether values of the type may hold others.
    var mayNest: Bool {
        switch self {
        case .null, .bool, .int, .uint, .double, .string, .bytes, .duration, .timestamp: false
        default: true
        }
    }
}
