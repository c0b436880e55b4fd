/// A regular expression as a program for a machine that reads the text once (Pike's), whatever the expression.
final class RegularExpression: Sendable {
    enum Instruction: Sendable {
        case one(UInt32)
        case set(UInt32)
        /// Two alternatives, the first preferred.
        case split(UInt32, UInt32)
        case jump(UInt32)
        case save(UInt32)
        case assertion(RegularExpressionNode.Assertion)
        case match
    }

    let program: [Instruction]
    let sets: [ScalarSet]
    let groups: [String?]
    /// A Boolean value that indicates whether a match can begin only at the start of the text.
    let isAnchored: Bool
    /// The compiled size: the steps, and the ranges of the sets.
    let size: Int

    static let maximumProgramSize = 10_000
    static let maximumLength = 5000

    /// Parses and compiles a regular expression.
    ///
    /// - Throws: A fault for an invalid or unsupported expression, or for a program that is too large.
    /// - Complexity: O(*n*) in the text and in the steps of the program.
    init(_ text: String) throws(Fault) {
        guard text.utf8.count <= RegularExpression.maximumLength else {
            throw Fault(.limitExceeded, "a regular expression of more than \(RegularExpression.maximumLength) bytes")
        }
        let parsed = try RegularExpressionParser.parse(text)
        var builder = Builder()
        try builder.add(.save(0))
        try builder.emit(parsed.node)
        try builder.add(.save(1))
        try builder.add(.match)
        program = builder.program
        sets = parsed.sets
        groups = parsed.groups
        if program.count > 1, case .assertion(.textStart) = program[1] { isAnchored = true } else { isAnchored = false }
        size = program.count + sets.reduce(0) { $0 + 4 + $1.ranges.count }
    }

    /// A builder of programs.
    private struct Builder {
        var program: [Instruction] = []

        private var next: UInt32 { UInt32(program.count) }

        mutating func add(_ instruction: Instruction) throws(Fault) {
            guard program.count < maximumProgramSize else {
                throw Fault(.limitExceeded, "a regular expression of more than \(maximumProgramSize) steps")
            }
            program.append(instruction)
        }

        mutating func emit(_ node: RegularExpressionNode) throws(Fault) {
            switch node.kind {
            case .empty: break
            case .one(let scalar): try add(.one(scalar))
            case .set(let set): try add(.set(UInt32(set)))
            case .assertion(let assertion): try add(.assertion(assertion))
            case .sequence(let parts): for part in parts { try emit(part) }
            case .choice(let branches): try emitChoice(branches)
            case .group(let inner, let index):
                try add(.save(UInt32(2 * index + 2)))
                try emit(inner)
                try add(.save(UInt32(2 * index + 3)))
            case .repetition(let inner, let least, let most, let isGreedy):
                try emitRepetition(inner, least, most, isGreedy)
            }
        }

        private mutating func emitRepetition(
            _ inner: RegularExpressionNode,
            _ least: Int,
            _ most: Int?,
            _ isGreedy: Bool
        ) throws(Fault) {
            if let most {
                for _ in 0..<least { try emit(inner) }
                try emitOptional(inner, most - least, isGreedy)
            } else if least > 0 {
                for _ in 1..<least { try emit(inner) }
                try emitLoop(inner, isGreedy)
            } else if inner.isNullable {
                // A single split would not keep the order of preference: as in RE2, compile an optional loop.
                let start = program.count
                try add(.jump(0))
                try emitLoop(inner, isGreedy)
                program[start] = split(UInt32(start + 1), next, isGreedy)
            } else {
                let start = program.count
                try add(.jump(0))
                try emit(inner)
                try add(.jump(UInt32(start)))
                program[start] = split(UInt32(start + 1), next, isGreedy)
            }
        }

        /// Emits a part once, then as often as it matches.
        private mutating func emitLoop(_ inner: RegularExpressionNode, _ isGreedy: Bool) throws(Fault) {
            let start = next
            try emit(inner)
            try add(split(start, next + 1, isGreedy))
        }

        private func split(_ into: UInt32, _ past: UInt32, _ isGreedy: Bool) -> Instruction {
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
            for index in splits { program[index] = split(UInt32(index + 1), next, isGreedy) }
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
                program[start] = .split(UInt32(start + 1), next)
            }
            for jump in jumps { program[jump] = .jump(next) }
        }
    }
}
