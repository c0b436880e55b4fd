/// Runs a program over a text: all ways at once, each instruction at most once for each code point.
struct PikeMachine {
    let program: [RegularExpression.Instruction]
    let text: [Unicode.Scalar]
    let slotCount: Int
    /// For each instruction, the last generation in which it was entered.
    private var marks: [Int]
    private var generation = 0
    private var stack: [(Int, [Int])] = []

    init(_ expression: RegularExpression, _ text: [Unicode.Scalar], isCapturing: Bool) {
        program = expression.program
        self.text = text
        slotCount = isCapturing ? 2 * expression.groups.count + 2 : 0
        marks = [Int](repeating: -1, count: expression.program.count)
    }

    /// The places of the leftmost match and its groups, -1 where a group took no part; nil if there is none.
    /// Without capturing the answer is empty.
    mutating func match(from start: Int) -> [Int]? {
        var current: [(Int, [Int])] = []
        var next: [(Int, [Int])] = []
        var found: [Int]?
        var position = start
        let fresh = [Int](repeating: -1, count: slotCount)
        generation += 1
        while true {
            if found == nil { follow(0, fresh, at: position, into: &current) }
            generation += 1
            next.removeAll(keepingCapacity: true)
            for (counter, slots) in current {
                switch program[counter] {
                case .match:
                    found = slots
                case .one(let value):
                    if position < text.count, text[position].value == value {
                        follow(counter + 1, slots, at: position + 1, into: &next)
                    }
                    continue
                case .set(let set):
                    if position < text.count, set.contains(text[position]) {
                        follow(counter + 1, slots, at: position + 1, into: &next)
                    }
                    continue
                default: continue
                }
                break
            }
            if found != nil, slotCount == 0 || next.isEmpty { return found }
            guard position < text.count else { return found }
            swap(&current, &next)
            position += 1
        }
    }

    /// Enters an instruction and all that follow it without reading, in the order of preference.
    private mutating func follow(_ start: Int, _ slots: [Int], at position: Int, into list: inout [(Int, [Int])]) {
        stack.removeAll(keepingCapacity: true)
        stack.append((start, slots))
        while let (counter, slots) = stack.popLast() {
            guard marks[counter] != generation else { continue }
            marks[counter] = generation
            switch program[counter] {
            case .jump(let target): stack.append((target, slots))
            case .split(let first, let second):
                stack.append((second, slots))
                stack.append((first, slots))
            case .save(let slot):
                if slot < slotCount {
                    var saved = slots
                    saved[slot] = position
                    stack.append((counter + 1, saved))
                } else {
                    stack.append((counter + 1, slots))
                }
            case .assertion(let assertion):
                if holds(assertion, at: position) { stack.append((counter + 1, slots)) }
            case .set, .one, .match: list.append((counter, slots))
            }
        }
    }

    private func holds(_ assertion: RegularExpressionNode.Assertion, at position: Int) -> Bool {
        let before = position > 0 ? text[position - 1] : nil
        let after = position < text.count ? text[position] : nil
        let isBoundary = before.map(ScalarSet.word.contains) ?? false != after.map(ScalarSet.word.contains) ?? false
        return switch assertion {
        case .textStart: before == nil
        case .textEnd: after == nil
        case .lineStart: before == nil || before == "\n"
        case .lineEnd: after == nil || after == "\n"
        case .wordBoundary: isBoundary
        case .noWordBoundary: !isBoundary
        }
    }
}
