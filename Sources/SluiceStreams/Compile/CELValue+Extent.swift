import SluiceExpressions
import SluiceJSON

extension CELValue {
    /// The maximum number of values in a value that is created or compared, counting each occurrence.
    static let largestCount = 1_000_000

    /// A description of an excessive size of a value; `nil` for one that can be walked and freed.
    ///
    /// Both operations are recursive, and a value that occurs several times is visited several times: nesting `[x, x]`
    /// forty times takes little memory and more than a lifetime.
    ///
    /// - Complexity: O(*n*) in the values within, at most ``largestCount``; O(1) for a value without others.
    var excess: String? {
        switch self {
        case .list, .map, .optional:
            var rest = Self.largestCount
            if isDeeper(than: JSONLimits.deepestValue, &rest) {
                return Self.tooDeep
            }
            return rest < 0 ? Self.tooMany : nil
        default: return nil
        }
    }

    /// The known extent of a list that grows at its end.
    struct ListExtent {
        /// The number of elements that were counted.
        fileprivate var count = 0
        /// The number of values within, counting each occurrence, and the list itself.
        fileprivate var total = 1
    }

    /// Returns a description of an excessive size of a list, as ``excess`` does, after values were appended to it.
    ///
    /// - Complexity: O(*n*) in the appended values where `extent` is that of the list before.
    func excess(after added: [CELValue], _ extent: inout ListExtent) -> String? {
        guard case .list(let list) = self else { return excess }
        if extent.count != list.count - added.count { extent = ListExtent() }
        var rest = Self.largestCount - extent.total
        for value in list[extent.count...] where value.isDeeper(than: JSONLimits.deepestValue - 1, &rest) {
            return Self.tooDeep
        }
        if rest < 0 { return Self.tooMany }
        extent = ListExtent(count: list.count, total: Self.largestCount - rest)
        return nil
    }

    /// Removes elements from the end of a list.
    mutating func removeLast(_ count: Int) {
        guard case .list(var list) = self else { return }
        self = .null
        list.removeLast(count)
        self = .list(list)
    }

    private static let tooDeep = "the value is nested more than \(JSONLimits.deepestValue) deep"
    private static let tooMany = "the value holds more than \(Self.largestCount) others"

    /// Returns a Boolean value that indicates whether lists, maps, and optionals nest more than `count` deep; gives up
    /// when `rest` is below 0.
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
    /// The greatest known depth of the type of items; deeper ones are checked at run time.
    static let deepestItem = 8

    /// Returns a Boolean value that indicates whether types nest more than `count` deep.
    func isDeeper(than count: Int) -> Bool {
        if count < 0 { return true }
        return switch self {
        case .list(let element), .optional(let element), .type(let element): element.isDeeper(than: count - 1)
        case .map(let key, let value): key.isDeeper(than: count - 1) || value.isDeeper(than: count - 1)
        case .opaque(_, let parameters): parameters.contains { $0.isDeeper(than: count - 1) }
        default: false
        }
    }

    /// Returns a Boolean value that indicates whether a value of this type may be one of another type.
    func mayBe(_ type: CELType) -> Bool {
        if self == type || self == .dyn { return true }
        guard case .shape(let shape) = self else { return false }
        return !shape.kinds.isDisjoint(with: type.shape.kinds)
    }

    /// A Boolean value that indicates whether values of the type may contain others.
    var mayNest: Bool {
        switch self {
        case .null, .bool, .int, .uint, .double, .string, .bytes, .duration, .timestamp: false
        default: true
        }
    }
}
