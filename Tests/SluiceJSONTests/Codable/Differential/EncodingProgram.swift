import Foundation

/// A value that is encoded by calls that a test made up: containers of every kind, in every order, some of which throw
/// after they were partly written, and some of whose errors are caught.
indirect enum EncodingProgram: Encodable {
    case number(Int)
    case text(String)
    /// A double that JSON doesn't have.
    case notANumber
    /// Writes nothing at all.
    case nothing
    /// Throws before anything is written.
    case failure
    case keyed([Step], throwsAtEnd: Bool)
    case unkeyed([Step], throwsAtEnd: Bool)
    /// A value in a single value container.
    case single(EncodingProgram, isTried: Bool)
    case array([EncodingProgram])
    case dictionary(String, EncodingProgram)
    case doubles([Double])

    struct Step {
        enum Way {
            /// `encode(_:)`.
            case value
            /// The program writes to a nested container, or is encoded if it isn't a container.
            case nested
            /// The program writes to the encoder of `superEncoder()`.
            case superclass
        }
        var key: String
        var program: EncodingProgram
        var way: Way
        /// A Boolean value that indicates whether its error is caught.
        var isTried: Bool
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String { "a failure" }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .number(let number):
            var container = encoder.singleValueContainer()
            try container.encode(number)
        case .text(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        case .notANumber:
            var container = encoder.singleValueContainer()
            try container.encode(Double.nan)
        case .nothing: break
        case .failure: throw Failure()
        case .keyed(let steps, let throwsAtEnd):
            var container = encoder.container(keyedBy: TextKey.self)
            try EncodingProgram.run(steps, &container)
            if throwsAtEnd { throw Failure() }
        case .unkeyed(let steps, let throwsAtEnd):
            var container = encoder.unkeyedContainer()
            try EncodingProgram.run(steps, &container)
            if throwsAtEnd { throw Failure() }
        case .single(let program, let isTried):
            var container = encoder.singleValueContainer()
            do { try container.encode(program) } catch  where isTried {}
        case .array(let programs): try programs.encode(to: encoder)
        case .dictionary(let key, let program): try [key: program].encode(to: encoder)
        case .doubles(let doubles):
            var container = encoder.singleValueContainer()
            try container.encode(doubles)
        }
    }

    private static func run(_ steps: [Step], _ container: inout KeyedEncodingContainer<TextKey>) throws {
        for step in steps {
            let key = TextKey(step.key)
            do {
                switch (step.way, step.program) {
                case (.value, .number(let number)): try container.encode(number, forKey: key)
                case (.value, .notANumber): try container.encode(Float.nan, forKey: key)
                case (.value, .doubles(let doubles)): try container.encode(doubles, forKey: key)
                case (.nested, .keyed(let inner, let throwsAtEnd)):
                    var nested = container.nestedContainer(keyedBy: TextKey.self, forKey: key)
                    try run(inner, &nested)
                    if throwsAtEnd { throw Failure() }
                case (.nested, .unkeyed(let inner, let throwsAtEnd)):
                    var nested = container.nestedUnkeyedContainer(forKey: key)
                    try run(inner, &nested)
                    if throwsAtEnd { throw Failure() }
                case (.superclass, let program): try program.encode(to: container.superEncoder(forKey: key))
                case (_, let program): try container.encode(program, forKey: key)
                }
            } catch  where step.isTried {}
        }
    }

    private static func run(_ steps: [Step], _ container: inout any UnkeyedEncodingContainer) throws {
        for step in steps {
            do {
                switch (step.way, step.program) {
                case (.value, .number(let number)): try container.encode(number)
                case (.value, .notANumber): try container.encode(Double.infinity)
                case (.value, .doubles(let doubles)): try container.encode(doubles)
                case (.nested, .keyed(let inner, let throwsAtEnd)):
                    var nested = container.nestedContainer(keyedBy: TextKey.self)
                    try run(inner, &nested)
                    if throwsAtEnd { throw Failure() }
                case (.nested, .unkeyed(let inner, let throwsAtEnd)):
                    var nested = container.nestedUnkeyedContainer()
                    try run(inner, &nested)
                    if throwsAtEnd { throw Failure() }
                case (.superclass, let program): try program.encode(to: container.superEncoder())
                case (_, let program): try container.encode(program)
                }
            } catch  where step.isTried {}
            // The count tells what was taken back.
            if case .text = step.program { try container.encode(container.count) }
        }
    }
}

extension EncodingProgram {
    /// A Boolean value that indicates whether encoding it throws.
    var fails: Bool {
        switch self {
        case .number, .text, .nothing: false
        case .notANumber, .failure: true
        case .keyed(let steps, let throwsAtEnd), .unkeyed(let steps, let throwsAtEnd):
            throwsAtEnd || steps.contains { !$0.isTried && $0.program.fails }
        case .single(let program, let isTried): !isTried && program.fails
        case .array(let programs): programs.contains(where: \.fails)
        case .dictionary(_, let program): program.fails
        case .doubles(let doubles): !doubles.allSatisfy(\.isFinite)
        }
    }

    /// The text of the error with which encoding it fails: that of the first value that throws and whose error is caught
    /// nowhere; `nil` if encoding succeeds.
    var errorText: String? {
        switch self {
        case .number, .text, .nothing: nil
        case .failure: "\(Failure())"
        case .notANumber: "invalidValue"
        case .doubles(let doubles): doubles.allSatisfy(\.isFinite) ? nil : "invalidValue"
        case .keyed(let steps, let throwsAtEnd), .unkeyed(let steps, let throwsAtEnd):
            steps.lazy.compactMap { $0.isTried ? nil : $0.program.errorText }.first
                ?? (throwsAtEnd ? "\(Failure())" : nil)
        case .single(let program, let isTried): isTried ? nil : program.errorText
        case .array(let programs): programs.lazy.compactMap(\.errorText).first
        case .dictionary(_, let program): program.errorText
        }
    }

    /// A Boolean value that indicates whether its encoder has written something when it throws.
    private var leavesSomething: Bool {
        switch self {
        case .number, .text, .nothing, .notANumber, .failure: false
        case .keyed, .unkeyed, .array, .dictionary, .doubles: true
        case .single(let program, _): program.leavesSomething
        }
    }

    /// A Boolean value that indicates whether Foundation's encoder keeps the output of a value that threw, and mixes it
    /// into a later one, since it lends the same encoder to values again.
    var isMixedUpByFoundation: Bool {
        switch self {
        case .number, .text, .nothing, .notANumber, .failure, .doubles: false
        case .keyed(let steps, _), .unkeyed(let steps, _):
            steps.contains {
                $0.program.isMixedUpByFoundation
                    || $0.isTried && $0.way != .superclass && $0.program.fails && $0.program.leavesSomething
            }
        case .single(let program, let isTried): program.isMixedUpByFoundation || isTried && program.failsInside
        case .dictionary(_, let program): program.isMixedUpByFoundation
        case .array(let programs): programs.contains(where: \.isMixedUpByFoundation)
        }
    }

    /// A Boolean value that indicates whether it throws because of a value in it that throws after writing something.
    private var failsInside: Bool {
        switch self {
        case .number, .text, .nothing, .notANumber, .failure, .doubles: false
        case .keyed(let steps, _), .unkeyed(let steps, _):
            steps.contains { !$0.isTried && $0.program.fails && $0.program.leavesSomething }
        case .single(let program, _): program.failsInside
        case .dictionary(_, let program): program.fails && program.leavesSomething
        case .array(let programs): programs.contains { $0.fails && $0.leavesSomething }
        }
    }

    /// The program that writes the same and throws nothing: without the values that throw.
    var withoutFailures: EncodingProgram {
        switch self {
        case .number, .text, .nothing: return self
        case .notANumber, .failure: return .nothing
        case .doubles(let doubles): return .doubles(Array(doubles.prefix(while: \.isFinite)))
        case .keyed(let steps, _): return .keyed(EncodingProgram.withoutFailures(steps), throwsAtEnd: false)
        case .unkeyed(let steps, _): return .unkeyed(EncodingProgram.withoutFailures(steps), throwsAtEnd: false)
        case .single(let program, _):
            // A single value container is its encoder itself: what was written stays.
            return program.fails && !program.leavesSomething
                ? .nothing : .single(program.withoutFailures, isTried: false)
        case .array(let programs):
            let kept = programs.prefix { !$0.fails }
            return .array(kept.map(\.withoutFailures))
        case .dictionary(let key, let program):
            return program.fails ? .keyed([], throwsAtEnd: false) : .dictionary(key, program.withoutFailures)
        }
    }

    private static func withoutFailures(_ steps: [Step]) -> [Step] {
        var kept: [Step] = []
        for step in steps {
            var clean = step
            clean.program = step.program.withoutFailures
            clean.isTried = false
            let isContainer =
                switch step.program {
                case .keyed, .unkeyed: step.way == .nested
                default: false
                }
            // Only a value that is encoded is taken back: not what went to a nested container, or to a superclass.
            if !step.program.fails || isContainer || step.way == .superclass { kept.append(clean) }
            if step.program.fails, !step.isTried { break }
        }
        return kept
    }

    static func sample(_ random: inout SeededGenerator, depth: Int = 0) -> EncodingProgram {
        switch Int.random(in: depth < 4 ? 0...15 : 8...15, using: &random) {
        case 0...2: return .keyed(steps(&random, depth), throwsAtEnd: isUnlikely(&random))
        case 3...4: return .unkeyed(steps(&random, depth), throwsAtEnd: isUnlikely(&random))
        case 5: return .single(.sample(&random, depth: depth + 1), isTried: .random(using: &random))
        case 6: return .array((0..<3).map { _ in .sample(&random, depth: depth + 2) })
        case 7: return .dictionary("d", .sample(&random, depth: depth + 1))
        case 8...10: return .number(.random(in: 0...99, using: &random))
        case 11...12: return .text("t")
        case 13: return .doubles(isUnlikely(&random) ? [1, .nan] : [1.5, 2])
        case 14: return isUnlikely(&random) ? .failure : .nothing
        default: return isUnlikely(&random) ? .notANumber : .number(1)
        }
    }

    private static func isUnlikely(_ random: inout SeededGenerator) -> Bool {
        Int.random(in: 0..<3, using: &random) == 0
    }

    private static func steps(_ random: inout SeededGenerator, _ depth: Int) -> [Step] {
        (0..<Int.random(in: 0...4, using: &random)).map { index in
            let way: Step.Way =
                switch Int.random(in: 0..<8, using: &random) {
                case 0...1: .nested
                case 2: .superclass
                default: .value
                }
            return Step(
                key: "k\(index)",
                program: .sample(&random, depth: depth + 1),
                way: way,
                isTried: Int.random(in: 0..<5, using: &random) > 0
            )
        }
    }
}
