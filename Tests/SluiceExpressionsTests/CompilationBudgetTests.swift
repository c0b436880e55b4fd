import Foundation
import Testing

@testable import SluiceExpressions

struct CompilationBudgetTests {
    private static func repeated(_ part: String, _ count: Int, _ separator: String = " || ") -> String {
        Array(repeating: part, count: count).joined(separator: separator)
    }

    private static func numbered(_ count: Int, _ separator: String = " || ", _ part: (Int) -> String) -> String {
        (0..<count).map(part).joined(separator: separator)
    }

    private static let variables: [String: CELType] = {
        var variables: [String: CELType] = ["s": .string]
        for number in 0..<200 { variables["a_variable_of_some_length_\(number)"] = .int }
        return variables
    }()

    private func error(_ text: String, isChecked: Bool = true, budget: CompilationBudget? = nil) -> CELError? {
        do {
            _ = try CELExpression(text, variables: Self.variables, isChecked: isChecked, budget: budget)
            return nil
        } catch {
            return error
        }
    }

    /// The expressions that took gigabytes and minutes, and their relatives: each is compiled or refused within five
    /// seconds of processor time in debug mode, and within bounds that are counted.
    @Test(arguments: [
        repeated("s.matches('(.{99}){99}')", 2400, "||"), repeated("s.matches('(.{31}){31}')", 2400, "||"),
        numbered(1200, "||") { "s.matches('.{99}\($0)(a{30}){30}')" },
        numbered(600, "||") { "s.matches('(((((a|b\($0)){9}){9})+)*){9}')" },
        repeated("s.matches(r'" + String(repeating: "[\\p{L}\\pN\\P{Lu}]", count: 250) + "')", 14),
        repeated("s.matches('(?i)" + String(repeating: "[a-zµß]k", count: 400) + "')", 14),
        repeated("s.matches('" + String(repeating: "ab|", count: 1600) + "')", 13),
        repeated("s.matches('" + String(repeating: "(?:)", count: 1000) + "{1000}')", 14),
        repeated("s.matches('(?:(?:(?:){1000}|){1000}|x){1000}')", 1000),
        "[" + repeated("[]", 9000, ",") + "]", "[" + repeated("{}", 9000, ",") + "]",
        repeated("optional.none() == optional.none()", 1800),
        numbered(4000) { "undeclared_name_number_\($0) == 1" }, numbered(3000) { "f\($0)(1)" },
        String(repeating: "cel.bind(a, {1: [], 'x': []}, ", count: 40) + "a" + String(repeating: ")", count: 40),
        "cel.bind(v0, {1: []}, " + numbered(40, "") { "cel.bind(v\($0 + 1), {v\($0): v\($0)}, " } + "v40 == v40"
            + String(repeating: ")", count: 41),
        String(repeating: "[1].map(x, ", count: 44) + "[" + repeated("x", 4000, ",") + "]"
            + String(repeating: ")", count: 44),
        repeated(String(repeating: "a.", count: 90) + "b", 300), String(repeating: "x", count: 65_000),
    ])
    func compilingIsBounded(_ text: String) {
        for isChecked in [true, false] {
            let start = ThreadTime.now
            _ = error(text, isChecked: isChecked)
            #expect(ThreadTime.now - start < ThreadTime.limit, "\(text.prefix(80))")
        }
    }

    @Test func theSizeOfThePatternsIsLimitedAndTheErrorHasAPlace() throws {
        let text = Self.repeated("s.matches('(.{31}){31}')", 120, "\n|| ")
        for isChecked in [true, false] {
            let issue = try #require(error(text, isChecked: isChecked)?.issues.first)
            #expect(issue.code == .limitExceeded)
            #expect(issue.message == "the regular expressions of the expression have more than 100000 steps in all")
            #expect(issue.line > 90 && issue.line < 110)
            #expect(issue.column == 14)
            #expect(issue.hint != nil)
        }
        #expect(error(Self.repeated("s.matches('(.{31}){31}')", 80)) == nil)
    }

    @Test func aPatternThatIsWrongIsRefusedAtItsPlace() throws {
        let issue = try #require(error("s == 'a' || s.matches('(.{99}){99}')")?.issues.first)
        #expect(issue.message.hasPrefix("the regular expression has a repetition beyond 1000"))
        #expect((issue.line, issue.column) == (1, 23))
        // Without checks it fails when it is reached.
        let program = try CELExpression("s == 'a' || s.matches('(')", variables: ["s": .string], isChecked: false)
        #expect(try program.evaluate(["s": "a"]) == true)
        #expect(throws: CELError.self) { try program.evaluate(["s": "b"]) }
    }

    @Test func aBudgetIsSharedByAllExpressions() {
        let budget = CompilationBudget(maximumTextLength: 1000, maximumNodeCount: 10, maximumPatternSize: 100)
        #expect(error("1 + 2", budget: budget) == nil)
        #expect(budget.remainingNodeCount == 7)
        #expect(error("s.matches('a{40}')", budget: budget) == nil)
        #expect(error("s.matches('a{40}')", budget: budget) == nil)
        #expect(
            error("1 + 2", budget: budget)?.issues.first?.message == "the expressions have more than 10 nodes in all"
        )
        #expect(budget.isExhausted)
        #expect(error("1", budget: budget) != nil)
        let patterns = CompilationBudget(maximumPatternSize: 100)
        #expect(error("s.matches('a{40}')", budget: patterns) == nil)
        #expect(error("s.matches('a{40}')", budget: patterns) == nil)
        #expect(
            error("true ||\ns.matches('a{40}')", budget: patterns)?.description == """
                2:11: error: the regular expressions have more than 100 steps in all
                s.matches('a{40}')
                          ^
                hint: use fewer of them, or smaller repetitions
                """
        )
        let texts = CompilationBudget(maximumTextLength: 5)
        #expect(error("12345", budget: texts) == nil)
        #expect(error("1", budget: texts)?.issues.first?.message == "the expressions have more than 5 bytes in all")
    }

    /// Each distinct pattern is one object, however often it is used.
    @Test func aPatternIsCompiledOnce() throws {
        let budget = CompilationBudget()
        func pattern(_ text: String) throws -> RegularExpression {
            let program = try CELExpression(text, variables: ["s": .string], budget: budget).program
            return try #require(try? program.patterns[ScalarText(text: "a+b")]?.get())
        }
        let first = try pattern("s.matches('a+b') || regex.extract(s, 'a+b').hasValue()")
        #expect(try pattern("matches(s, r'a+b')") === first)
    }
}

/// The processor time of the calling thread.
enum ThreadTime {
    /// The longest time to compile an expression, in milliseconds. A sanitizer takes many times as long.
    #if SLUICE_SANITIZER
    static let limit = 20_000.0
    #else
    static let limit = 5_000.0
    #endif

    /// In milliseconds.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }
}
