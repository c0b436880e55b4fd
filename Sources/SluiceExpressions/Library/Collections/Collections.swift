extension Library {
    /// Adds the lists and sets extensions.
    mutating func addCollections() {
        let element = CELType.parameter("A")
        let list = CELType.list(element)
        member("slice", [list, .int, .int], list, cost: .linear) { values, _ throws(Fault) in
            let list = try values.list(0)
            let (start, end) = (try values.int(1), try values.int(2))
            guard start >= 0, start <= end, end <= Int64(list.count) else {
                throw Fault(.indexOutOfRange, "a slice of \(list.count) elements from \(start) to \(end)")
            }
            return .list(Array(list[Int(start)..<Int(end)]))
        }
        member("reverse", [list], list, cost: .linear) { values, frame throws(Fault) in
            let list = try values.list(0)
            try frame.charge(list.count / 2)
            var reversed: [CELValue] = []
            reversed.reserveCapacity(list.count)
            for index in list.indices.reversed() { reversed.append(list[index]) }
            return .list(reversed)
        }
        member("first", [list], .optional(element)) { values, _ throws(Fault) in .optional(try values.list(0).first) }
        member("last", [list], .optional(element)) { values, _ throws(Fault) in .optional(try values.list(0).last) }
        function("lists.range", [.int], .list(.int)) { values, frame throws(Fault) in
            let count = max(0, try values.int(0))
            try frame.makeList(Int(clamping: count))
            return .list((0..<count).map(CELValue.int))
        }
        member("flatten", [.list(.list(element))], list, cost: .linear) { values, frame throws(Fault) in
            .list(try Library.flatten(try values.list(0), 1, &frame))
        }
        member("flatten", [.list(.dyn), .int], .list(.dyn), cost: .linear) { values, frame throws(Fault) in
            let depth = try values.int(1)
            guard depth >= 0 else { throw Fault(.invalidArgument, "flatten's depth is negative: \(depth)") }
            return .list(try Library.flatten(try values.list(0), depth, &frame))
        }
        member("distinct", [list], list, cost: .linear) { values, frame throws(Fault) in
            var kept: [CELValue] = []
            var seen = CELMap()
            for value in try values.list(0) {
                if CELMap.isKey(value) || CELType.double.accepts(value), case let key = Library.key(value),
                    CELMap.isKey(key)
                {
                    try frame.charge(12 + key.size / 10)
                    if seen.insert(key, true) { kept.append(value) }
                } else if try !Library.contains(kept, value, &frame) {
                    kept.append(value)
                }
            }
            return .list(kept)
        }
        member("sort", [list], list, cost: .linear) { values, frame throws(Fault) in
            .list(try Library.sorted(try values.list(0).map { ($0, $0) }, &frame).map(\.1))
        }
        addSets()
    }

    /// Returns a whole number as a key that all equal numbers share.
    private static func key(_ value: CELValue) -> CELValue {
        if case .double(let double) = value, let whole = Int64(exactly: double) { return .int(whole) }
        return value
    }

    private static func flatten(
        _ list: [CELValue],
        _ depth: Int64,
        _ frame: inout Frame
    ) throws(Fault) -> [CELValue] {
        var result: [CELValue] = []
        for value in list {
            try frame.charge(2)
            if depth > 0, case .list(let inner) = value {
                result += try flatten(inner, depth - 1, &frame)
            } else {
                result.append(value)
            }
            if result.count > frame.maximumResultSize { try frame.make(result.count) }
        }
        return result
    }

    /// Returns a Boolean value that indicates whether an element is equal to a value.
    static func contains(
        _ list: [CELValue],
        _ value: CELValue,
        _ frame: inout Frame
    ) throws(Fault) -> Bool {
        for item in list {
            try frame.charge(1)
            if try frame.equal(item, value) { return true }
        }
        return false
    }

    /// Sorts by comparable keys; equal ones keep their order.
    static func sorted(
        _ pairs: [(CELValue, CELValue)],
        _ frame: inout Frame
    ) throws(Fault) -> [(CELValue, CELValue)] {
        guard let first = pairs.first else { return [] }
        // Each is compared once for each level of the merge.
        let levels = max(1, Int.bitWidth - pairs.count.leadingZeroBitCount)
        var work = 2 * pairs.count
        for pair in pairs { work += pair.0.size / 10 }
        let (cost, overflow) = work.multipliedReportingOverflow(by: levels)
        try frame.charge(overflow ? .max : cost)
        for pair in pairs {
            guard pair.0.typeName == first.0.typeName, pair.0.order(with: pair.0) != nil else {
                throw Fault(.invalidArgument, "a list that is sorted has elements of one type that has an order")
            }
        }
        return pairs.sorted { $0.0.order(with: $1.0) == .before }
    }

    private mutating func addSets() {
        let list = CELType.list(.parameter("A"))
        function("sets.contains", [list, list], .bool, cost: .product) { values, frame throws(Fault) in
            .bool(try Library.containsAll(try values.list(0), try values.list(1), &frame))
        }
        function("sets.equivalent", [list, list], .bool, cost: .product) { values, frame throws(Fault) in
            let (left, right) = (try values.list(0), try values.list(1))
            guard try Library.containsAll(left, right, &frame) else { return false }
            return .bool(try Library.containsAll(right, left, &frame))
        }
        function("sets.intersects", [list, list], .bool, cost: .product) { values, frame throws(Fault) in
            let right = try values.list(1)
            if right.isEmpty { return false }
            for value in try values.list(0) where try Library.contains(right, value, &frame) { return true }
            return false
        }
    }

    private static func containsAll(
        _ list: [CELValue],
        _ parts: [CELValue],
        _ frame: inout Frame
    ) throws(Fault) -> Bool {
        for part in parts where try !contains(list, part, &frame) { return false }
        return true
    }
}
