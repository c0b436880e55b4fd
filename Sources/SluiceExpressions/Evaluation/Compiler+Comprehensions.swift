extension Compiler {
    func comprehension(_ comprehension: Comprehension, at offset: Int) -> Code {
        let range = boxed(comprehension.range)
        let step = Step(
            first: locals[comprehension.first],
            second: comprehension.second.map { locals[$0] },
            cost: 1 + cost(comprehension.body) + (comprehension.condition.map(cost) ?? 0),
            offset: offset
        )
        // The condition of a filter is its body, which is compiled once: twice at every level would take exponential time.
        let condition = comprehension.kind == .filter ? nil : comprehension.condition.map(bool)
        let lanes = lanes(comprehension)
        switch comprehension.kind {
        case .all, .exists:
            return .bool(decide(comprehension.kind == .exists, range, bool(comprehension.body), step, lanes))
        case .existsOne:
            let body = bool(comprehension.body)
            return .bool { frame throws(Fault) in
                var count = 0
                try step.run(try range(&frame), &frame) { first, second, frame throws(Fault) in
                    try step.bind(first, second, &frame)
                    if try body(&frame) { count += 1 }
                    return true
                }
                return count == 1
            }
        case .filter:
            let body = bool(comprehension.body)
            return .value { frame throws(Fault) in
                var list: [CELValue] = []
                let range = try range(&frame)
                let start = lanes?.filter(range, cost: step.cost, &frame, into: &list) ?? 0
                try step.run(range, from: start, &frame) { first, second, frame throws(Fault) in
                    try step.bind(first, second, &frame)
                    if try body(&frame) { list.append(first) }
                    return true
                }
                return .list(list)
            }
        case .map:
            // Compiled once, as the body of a filter is.
            let body = code(comprehension.body)
            if condition == nil, case .int(let body) = body { return .value(ints(range, body, step, lanes)) }
            return .value(map(range, condition, body.boxed, step, lanes))
        case .transformMap, .transformMapEntry:
            return .value(
                transform(
                    range,
                    condition,
                    boxed(comprehension.body),
                    step,
                    isEntry: comprehension.kind == .transformMapEntry
                )
            )
        case .sortBy: return .value(sort(range, boxed(comprehension.body), step))
        }
    }

    /// Returns the steps of a macro over ints, if its body consists of nothing that needs more.
    private func lanes(_ comprehension: Comprehension) -> Lanes? {
        guard comprehension.second == nil, comprehension.condition == nil || comprehension.kind == .filter else {
            return nil
        }
        switch locals[comprehension.first].kind {
        case .int, .any: break
        default: return nil
        }
        switch comprehension.kind {
        case .all, .exists, .filter: return lanes(comprehension.body, comprehension.first, answers: true)
        case .map: return lanes(comprehension.body, comprehension.first, answers: false)
        default: return nil
        }
    }

    /// Compiles `all` and `exists`: a deciding element ends the iteration and overrides errors of the others.
    private func decide(
        _ deciding: Bool,
        _ range: @escaping Run<CELValue>,
        _ body: @escaping Run<Bool>,
        _ step: Step,
        _ lanes: Lanes?
    ) -> Run<Bool> {
        { frame throws(Fault) in
            var fault: Fault?
            var isDecided = false
            let range = try range(&frame)
            var start = 0
            if let lanes, case .list(let list) = range {
                (isDecided, start) = lanes.decide(deciding, list, cost: step.cost, &frame)
                if isDecided { return deciding }
            }
            try step.run(range, from: start, &frame) { first, second, frame throws(Fault) in
                do throws(Fault) {
                    try step.bind(first, second, &frame)
                    isDecided = try body(&frame) == deciding
                } catch {
                    try frame.absorb(error)
                    if fault == nil { fault = error }
                }
                return !isDecided
            }
            if isDecided { return deciding }
            if let fault { throw fault }
            return !deciding
        }
    }

    private func map(
        _ range: @escaping Run<CELValue>,
        _ condition: Run<Bool>?,
        _ body: @escaping Run<CELValue>,
        _ step: Step,
        _ lanes: Lanes?
    ) -> Run<CELValue> {
        { frame throws(Fault) in
            var list: [CELValue] = []
            let range = try range(&frame)
            let start: Int
            if let lanes, case .list(let range) = range {
                list = lanes.map(range, cost: step.cost, &frame)
                start = list.count
            } else {
                if condition == nil { list.reserveCapacity(step.count(range, frame)) }
                start = 0
            }
            try step.run(range, from: start, &frame) { first, second, frame throws(Fault) in
                try step.bind(first, second, &frame)
                if let condition, try !condition(&frame) { return true }
                list.append(try body(&frame))
                return true
            }
            return .list(list)
        }
    }

    /// Compiles a ``map`` whose body returns ints.
    private func ints(
        _ range: @escaping Run<CELValue>,
        _ body: @escaping Run<Int64>,
        _ step: Step,
        _ lanes: Lanes?
    ) -> Run<CELValue> {
        { frame throws(Fault) in
            var list: [CELValue] = []
            let range = try range(&frame)
            let start: Int
            if let lanes, case .list(let range) = range {
                list = lanes.map(range, cost: step.cost, &frame)
                start = list.count
            } else {
                list.reserveCapacity(step.count(range, frame))
                start = 0
            }
            try step.run(range, from: start, &frame) { first, second, frame throws(Fault) in
                try step.bind(first, second, &frame)
                list.append(.int(try body(&frame)))
                return true
            }
            return .list(list)
        }
    }

    private func transform(
        _ range: @escaping Run<CELValue>,
        _ condition: Run<Bool>?,
        _ body: @escaping Run<CELValue>,
        _ step: Step,
        isEntry: Bool
    ) -> Run<CELValue> {
        { frame throws(Fault) in
            var map = CELMap()
            try step.run(try range(&frame), &frame) { first, second, frame throws(Fault) in
                try step.bind(first, second, &frame)
                if let condition, try !condition(&frame) { return true }
                let value = try body(&frame)
                guard isEntry else {
                    try Compiler.insert(first, value, into: &map, &frame, at: step.offset)
                    return true
                }
                guard case .map(let entries) = value else { throw wrongType("map", value, at: step.offset) }
                for entry in entries {
                    try Compiler.insert(entry.key, entry.value, into: &map, &frame, at: step.offset)
                }
                return true
            }
            return .map(map)
        }
    }

    private func sort(
        _ range: @escaping Run<CELValue>,
        _ body: @escaping Run<CELValue>,
        _ step: Step
    ) -> Run<CELValue> {
        { frame throws(Fault) in
            var keyed: [(CELValue, CELValue)] = []
            try step.run(try range(&frame), &frame) { first, second, frame throws(Fault) in
                try step.bind(first, second, &frame)
                keyed.append((try body(&frame), first))
                return true
            }
            return .list(try Library.sorted(keyed, &frame).map(\.1))
        }
    }
}

/// An iteration over the elements of a list or the keys of a map.
struct Step: Sendable {
    var first: CELSlots.Location
    var second: CELSlots.Location?
    var cost: Int
    var offset: Int

    /// Returns the most elements that an iteration can visit before the remaining cost ends it.
    func count(_ range: CELValue, _ frame: borrowing Frame) -> Int {
        switch range {
        case .list(let list): min(list.count, frame.remainingCost / max(1, cost))
        case .map(let map): min(map.count, frame.remainingCost / max(1, cost))
        default: 0
        }
    }

    /// Charges for each element and calls the body, which sets the variables, until it returns false.
    ///
    /// An error without a location, such as an exceeded cost, gets the location of the macro.
    ///
    /// - Parameter start: The number of elements of a list that are left out.
    @inline(__always)
    func run(
        _ range: CELValue,
        from start: Int = 0,
        _ frame: inout Frame,
        _ body: (CELValue, CELValue, inout Frame) throws(Fault) -> Bool
    ) throws(Fault) {
        do throws(Fault) { try walk(range, start, &frame, body) } catch { throw error.located(offset) }
    }

    @inline(__always)
    private func walk(
        _ range: CELValue,
        _ start: Int,
        _ frame: inout Frame,
        _ body: (CELValue, CELValue, inout Frame) throws(Fault) -> Bool
    ) throws(Fault) {
        switch range {
        case .list(let list):
            if second == nil {
                for element in list[start...] {
                    try frame.charge(cost)
                    if try !body(element, element, &frame) { return }
                }
                return
            }
            for (index, element) in list.enumerated() {
                try frame.charge(cost)
                if try !body(.int(Int64(index)), element, &frame) { return }
            }
        case .map(let map):
            for entry in map {
                try frame.charge(cost)
                if try !body(entry.key, entry.value, &frame) { return }
            }
        default: throw Fault(.noSuchOverload, "\(range.typeName) cannot be gone over", at: offset)
        }
    }

    /// Sets the variables; a list element that doesn't have the list's declared element type is left without a value.
    @inline(__always)
    func bind(_ first: CELValue, _ second: CELValue, _ frame: inout Frame) throws(Fault) {
        if !frame.bind(first, self.first) { throw wrongType("\(self.first.kind)", first, at: offset) }
        guard let location = self.second else { return }
        if !frame.bind(second, location) { throw wrongType("\(location.kind)", second, at: offset) }
    }
}
