import SluiceExpressions

extension CELValue {
    /// The number of values within one that are looked at; the size of the others is estimated by them.
    private static let sampleCount = 1000

    /// The largest estimate: a thousand of them can be added up.
    private static let largest = 1 << 50

    /// An estimate of the memory that the value takes, in bytes: of a value that holds up to a thousand others, within a
    /// factor of two; of a larger one by those that come first.
    ///
    /// - Complexity: O(*n*) in the values within, for at most a thousand of them.
    var estimatedSize: Int {
        var rest = Self.sampleCount
        return size(&rest)
    }

    private func size(_ rest: inout Int) -> Int {
        rest -= 1
        switch self {
        case .string(let text): return 16 + text.utf8.count
        case .bytes(let bytes): return 16 + bytes.count
        case .type(let name): return 16 + name.utf8.count
        case .optional(let value): return 16 + (value?.size(&rest) ?? 0)
        case .list(let list):
            var (sum, count) = (0, 0)
            for value in list {
                if rest <= 0 { break }
                sum += value.size(&rest)
                count += 1
            }
            return 32 + Self.scaled(sum, of: count, to: list.count)
        case .map(let map):
            var (sum, count) = (0, 0)
            for entry in map {
                if rest <= 0 { break }
                sum += 32 + entry.value.size(&rest)
                count += 1
            }
            return 32 + Self.scaled(sum, of: count, to: map.count)
        default: return 16
        }
    }

    private static func scaled(_ sum: Int, of count: Int, to whole: Int) -> Int {
        if count == whole { return min(sum, largest) }
        if count == 0 { return whole * 16 }
        let (product, overflow) = (sum / count + 1).multipliedReportingOverflow(by: whole)
        return overflow ? largest : min(product, largest)
    }
}
