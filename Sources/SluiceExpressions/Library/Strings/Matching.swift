extension Library {
    /// Adds `matches` and the regular expressions extension; the cost is the number of instructions that the machine
    /// executes.
    mutating func addRegularExpressions() {
        let matches: @Sendable ([CELValue], inout Frame) throws(Fault) -> CELValue = { values, frame throws(Fault) in
            let machine = try Library.machine(values, &frame, isCapturing: false)
            return .bool(try machine.match(from: 0, &frame) != nil)
        }
        member("matches", [.string, .string], .bool, matches)
        function("matches", [.string, .string], .bool, matches)
        function("regex.extract", [.string, .string], .optional(.string)) { values, frame throws(Fault) in
            let machine = try Library.machine(values, &frame, isCapturing: true)
            try Library.requireOneGroup(machine)
            guard let slots = try machine.match(from: 0, &frame) else { return .optional(nil) }
            let (start, end) = machine.captured(slots)
            guard start >= 0 else { return .optional(nil) }
            try frame.charge((end - start) / 10)
            return .optional(.string(machine.text(start, end)))
        }
        function("regex.extractAll", [.string, .string], .list(.string)) { values, frame throws(Fault) in
            let machine = try Library.machine(values, &frame, isCapturing: true)
            try Library.requireOneGroup(machine)
            var list: [CELValue] = []
            try Library.each(machine, &frame, limit: .max) { slots, machine, frame throws(Fault) in
                let (start, end) = machine.captured(slots)
                guard start >= 0 else { return }
                try frame.charge((end - start) / 10)
                list.append(.string(machine.text(start, end)))
            }
            return .list(list)
        }
        for parameters in [[CELType.string, .string, .string], [.string, .string, .string, .int]] {
            function("regex.replace", parameters, .string) { values, frame throws(Fault) in
                let limit = values.count == 4 ? try values.int(3) : -1
                return .string(try Library.replaced(values, limit < 0 ? .max : limit, &frame))
            }
        }
    }

    /// Returns the highest charge for parsing and compiling a regular expression of a length.
    static func compilationCost(_ length: Int) -> Int { 20 * (length + 1) }

    private static func machine(
        _ values: [CELValue],
        _ frame: inout Frame,
        isCapturing: Bool
    ) throws(Fault) -> PikeMachine {
        let pattern = try values.string(1)
        let expression: RegularExpression
        let length = min(pattern.utf8.count, RegularExpression.maximumLength + 1)
        try frame.charge(length / 10)
        if length <= RegularExpression.maximumLength, let known = frame.patterns[ScalarText(text: pattern)] {
            expression = try known.get()
        } else {
            try frame.charge(compilationCost(length))
            expression = try RegularExpression(pattern)
            try frame.charge(expression.size)
        }
        return try PikeMachine(expression, try values.string(0), &frame, isCapturing: isCapturing)
    }

    private static func requireOneGroup(_ machine: PikeMachine) throws(Fault) {
        guard machine.slotCount <= 4 else {
            throw Fault(.invalidArgument, "the regular expression has more than one group")
        }
    }

    private static func each(
        _ machine: PikeMachine,
        _ frame: inout Frame,
        limit: Int64,
        _ body: ([Int], PikeMachine, inout Frame) throws(Fault) -> Void
    ) throws(Fault) {
        var position = 0
        var count: Int64 = 0
        while position <= machine.text.count, count < limit, let slots = try machine.match(from: position, &frame) {
            try frame.charge(6)
            try body(slots, machine, &frame)
            position = slots[1] > slots[0] ? slots[1] : machine.next(after: slots[1])
            count += 1
        }
    }

    private static func replaced(
        _ values: [CELValue],
        _ limit: Int64,
        _ frame: inout Frame
    ) throws(Fault) -> String {
        let machine = try machine(values, &frame, isCapturing: true)
        let replacement = try values.string(2)
        try frame.charge(10 + 2 * replacement.utf8.count)
        let pattern = try Library.replacement(replacement, groupCount: machine.groupCount)
        var text = ""
        var end = 0
        let maximum = frame.maximumResultSize
        try each(machine, &frame, limit: limit) { slots, machine, frame throws(Fault) in
            try frame.charge(2 * pattern.count)
            text += machine.text(end, slots[0])
            for part in pattern {
                switch part {
                case .text(let literal): text += literal
                case .group(let group): text += machine.text(slots[2 * group], slots[2 * group + 1])
                }
                if text.utf8.count > maximum { throw .tooLarge(text.utf8.count, maximum) }
            }
            end = slots[1]
        }
        text += machine.text(end, machine.text.count)
        try frame.make(text.utf8.count)
        return text
    }

    private enum Segment {
        case text(String)
        case group(Int)
    }

    /// Parses a replacement, in which `\1` is a group and `\\` a backslash.
    private static func replacement(_ text: String, groupCount: Int) throws(Fault) -> [Segment] {
        var parts: [Segment] = []
        var literal = ""
        var rest = text[...]
        while let backslash = rest.utf8.firstIndex(of: UInt8(ascii: "\\")) {
            literal += rest[..<backslash]
            var scalars = rest.unicodeScalars[backslash...].dropFirst()
            guard let next = scalars.popFirst(), next == "\\" || ("0"..."9").contains(next) else {
                throw Fault(.invalidArgument, "a replacement has a backslash before a digit or a backslash only")
            }
            rest = Substring(scalars)
            let group = Int(next.value) - 48
            if next == "\\" {
                literal += "\\"
            } else if group < groupCount {
                if !literal.isEmpty { parts.append(.text(literal)) }
                literal = ""
                parts.append(.group(group))
            } else {
                throw Fault(.invalidArgument, "a replacement names group \(group), which doesn't exist")
            }
        }
        literal += rest
        if !literal.isEmpty { parts.append(.text(literal)) }
        return parts
    }
}

extension PikeMachine {
    /// The number of groups, including the whole match.
    fileprivate var groupCount: Int { slotCount / 2 }
}
