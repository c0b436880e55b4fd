extension Library {
    /// `matches` and the regular expressions extension; the cost is the text's length times the program's, half of it
    /// where nothing is captured.
    mutating func addRegularExpressions() {
        let matches: @Sendable ([CELValue], inout Frame) throws(Fault) -> CELValue = { values, frame throws(Fault) in
            var machine = try Library.machine(values, &frame, isCapturing: false)
            return .bool(machine.match(from: 0) != nil)
        }
        member("matches", [.string, .string], .bool, matches)
        function("matches", [.string, .string], .bool, matches)
        function("regex.extract", [.string, .string], .optional(.string)) { values, frame throws(Fault) in
            var machine = try Library.machine(values, &frame, isCapturing: true)
            try Library.requireOneGroup(machine)
            guard let slots = machine.match(from: 0) else { return .optional(nil) }
            let (start, end) = machine.captured(slots)
            guard start >= 0 else { return .optional(nil) }
            return .optional(.string(machine.text(start, end)))
        }
        function("regex.extractAll", [.string, .string], .list(.string)) { values, frame throws(Fault) in
            var machine = try Library.machine(values, &frame, isCapturing: true)
            try Library.requireOneGroup(machine)
            var list: [CELValue] = []
            try Library.each(&machine, &frame, limit: .max) { slots, machine in
                let (start, end) = machine.captured(slots)
                if start >= 0 { list.append(.string(machine.text(start, end))) }
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

    private static func machine(
        _ values: [CELValue],
        _ frame: inout Frame,
        isCapturing: Bool
    ) throws(Fault) -> PikeMachine {
        let expression = try RegularExpression(try values.string(1))
        return try machine(expression, try values.string(0), &frame, isCapturing: isCapturing)
    }

    static func machine(
        _ expression: RegularExpression,
        _ string: String,
        _ frame: inout Frame,
        isCapturing: Bool
    ) throws(Fault) -> PikeMachine {
        let text = Array(string.unicodeScalars)
        let groups = isCapturing ? 1 + expression.groups.count : 1
        let work = (text.count + 1).multipliedReportingOverflow(by: expression.program.count * groups)
        try frame.charge(work.overflow ? .max : 1 + (isCapturing ? work.partialValue : work.partialValue / 2))
        return PikeMachine(expression, text, isCapturing: isCapturing)
    }

    private static func requireOneGroup(_ machine: PikeMachine) throws(Fault) {
        guard machine.slotCount <= 4 else {
            throw Fault(.invalidArgument, "the regular expression has more than one group")
        }
    }

    private static func each(
        _ machine: inout PikeMachine,
        _ frame: inout Frame,
        limit: Int64,
        _ body: ([Int], PikeMachine) throws(Fault) -> Void
    ) throws(Fault) {
        var position = 0
        var count: Int64 = 0
        while position <= machine.text.count, count < limit, let slots = machine.match(from: position) {
            try frame.charge(1 + machine.program.count * (slots[1] - position + 1))
            try body(slots, machine)
            position = slots[1] > slots[0] ? slots[1] : slots[1] + 1
            count += 1
        }
    }

    private static func replaced(
        _ values: [CELValue],
        _ limit: Int64,
        _ frame: inout Frame
    ) throws(Fault) -> String {
        var machine = try machine(values, &frame, isCapturing: true)
        let pattern = try replacement(try values.string(2), groupCount: machine.slotCount / 2)
        var text = ""
        var end = 0
        let maximum = frame.maximumResultSize
        try each(&machine, &frame, limit: limit) { slots, machine throws(Fault) in
            text += machine.text(end, slots[0])
            for part in pattern {
                switch part {
                case .text(let literal): text += literal
                case .group(let group): text += machine.text(slots[2 * group], slots[2 * group + 1])
                }
            }
            end = slots[1]
            if text.utf8.count > maximum { throw Fault(.limitExceeded, "a replaced text beyond \(maximum) bytes") }
        }
        text += machine.text(end, machine.text.count)
        try frame.make(text.utf8.count)
        return text
    }

    private enum Part {
        case text(String)
        case group(Int)
    }

    /// `\1` is a group, `\\` a backslash.
    private static func replacement(_ text: String, groupCount: Int) throws(Fault) -> [Part] {
        var parts: [Part] = []
        var rest = Array(text.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\\" else {
                parts.append(.text(String(scalar)))
                continue
            }
            guard let next = rest.popFirst(), next == "\\" || ("0"..."9").contains(next) else {
                throw Fault(.invalidArgument, "a replacement has a backslash before a digit or a backslash only")
            }
            let group = Int(next.value) - 48
            if next == "\\" {
                parts.append(.text("\\"))
            } else if group < groupCount {
                parts.append(.group(group))
            } else {
                throw Fault(.invalidArgument, "a replacement names group \(group), which is not there")
            }
        }
        return parts
    }
}

extension PikeMachine {
    func text(_ start: Int, _ end: Int) -> String {
        start >= 0 && start <= end ? String(String.UnicodeScalarView(text[start..<end])) : ""
    }

    /// The only group, or the whole match where there is none.
    func captured(_ slots: [Int]) -> (Int, Int) {
        slots.count >= 4 ? (slots[2], slots[3]) : (slots[0], slots[1])
    }
}
