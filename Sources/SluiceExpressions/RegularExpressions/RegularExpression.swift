/// A regular expression as a program for a machine that walks the text once (Pike's), whatever the expression says.
struct RegularExpression: Sendable {
    enum Instruction: Sendable {
        case set(ScalarSet)
        case one(UInt32)
        /// Two ways, the first preferred.
        case split(Int, Int)
        case jump(Int)
        case save(Int)
        case assertion(RegularExpressionNode.Assertion)
        case match
    }

    private(set) var program: [Instruction] = []
    let groups: [String?]

    static let maximumProgramSize = 10_000

    /// - Throws: a fault that says what is wrong or not offered, or that the program is too large.
    init(_ text: String) throws(Fault) {
        guard text.utf8.count <= 5000 else {
            throw Fault(.limitExceeded, "a regular expression of more than 5000 bytes")
        }
        let (node, groups) = try RegularExpressionParser.parse(text)
        self.groups = groups
        program.append(.save(0))
        try emit(node)
        program.append(.save(1))
        program.append(.match)
    }

    private mutating func add(_ instruction: Instruction) throws(Fault) {
        guard program.count < RegularExpression.maximumProgramSize else {
            throw Fault(.limitExceeded, "a regular expression of more than 10000 steps")
        }
        program.append(instruction)
    }

    private mutating func emit(_ node: RegularExpressionNode) throws(Fault) {
        switch node {
        case .empty: break
        case .set(let set):
            if let range = set.ranges.first, set.ranges.count == 1, range.count == 1, !set.isNegated,
                set.categories.isEmpty, set.negatedCategories.isEmpty
            {
                try add(.one(range.lowerBound))
            } else {
                try add(.set(set))
            }
        case .assertion(let assertion): try add(.assertion(assertion))
        case .sequence(let parts): for part in parts { try emit(part) }
        case .choice(let branches): try emitChoice(branches)
        case .group(let inner, let index):
            try add(.save(2 * index + 2))
            try emit(inner)
            try add(.save(2 * index + 3))
        case .repetition(let inner, let least, let most, let isGreedy):
            for _ in 0..<least { try emit(inner) }
            if let most {
                try emitOptional(inner, most - least, isGreedy)
            } else {
                let start = program.count
                try add(.jump(0))
                try emit(inner)
                try add(.jump(start))
                program[start] = split(start + 1, program.count, isGreedy)
            }
        }
    }

    private func split(_ into: Int, _ past: Int, _ isGreedy: Bool) -> Instruction {
        isGreedy ? .split(into, past) : .split(past, into)
    }

    private mutating func emitOptional(
        _ inner: RegularExpressionNode,
        _ count: Int,
        _ isGreedy: Bool
    ) throws(Fault) {
        var splits: [Int] = []
        for _ in 0..<count {
            splits.append(program.count)
            try add(.jump(0))
            try emit(inner)
        }
        for index in splits { program[index] = split(index + 1, program.count, isGreedy) }
    }

    private mutating func emitChoice(_ branches: [RegularExpressionNode]) throws(Fault) {
        var jumps: [Int] = []
        for (index, branch) in branches.enumerated() {
            guard index < branches.count - 1 else {
                try emit(branch)
                break
            }
            let start = program.count
            try add(.jump(0))
            try emit(branch)
            jumps.append(program.count)
            try add(.jump(0))
            program[start] = .split(start + 1, program.count)
        }
        for jump in jumps { program[jump] = .jump(program.count) }
    }
}
