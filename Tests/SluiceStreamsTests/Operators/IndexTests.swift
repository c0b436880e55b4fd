import SluiceJSON
import Testing

@testable import SluiceStreams

/// In every expression that sees one, `i` is the index of the item.
struct IndexTests {
    /// An expression that fails unless `i` is equal to the item, of a type that the operator accepts.
    static let expressions = [
        "i == x ? x : [0][9]", "i == x ? acc + x : [0][9]", "i == x ? true : [true][9]", "i == x ? false : [true][9]",
    ]

    /// The operators whose expressions see no item of the input as `x`, or no index.
    static let without: Set<String> = [
        "zip", "combineLatest", "withLatestFrom", "mapError", "flatMap", "concatMap", "switchMap", "exhaustMap",
        "expand",
    ]

    static let keys = OperatorKind.all.flatMap { kind in
        kind.parameters.filter { $0.form == .expression }.map { Key(kind: kind.name, parameter: $0.name) }
    }

    struct Key: Sendable, CustomStringConvertible {
        let kind: String
        let parameter: String
        var description: String { "\(kind).\(parameter)" }
    }

    @Test(arguments: keys.filter { !without.contains($0.kind) }) func isThatOfTheItem(_ key: Key) throws {
        var compiled = 0
        for expression in Self.expressions {
            let operators = key.kind == "groupBy" ? #", "operators": []"# : ""
            let text = #"""
                {"source": {"values": [0, 1, 2, 3, 4]}, "operators": [
                    {"\#(key.kind)": {"\#(key.parameter)": "\#(expression)"\#(operators)}}
                ]}
                """#
            guard let events = try? StreamDocument(parsing: text).virtualEvents() else { continue }
            compiled += 1
            guard case .failed(let error) = Array(events).last?.kind else { continue }
            // A search that finds nothing fails as well.
            #expect(!error.message.contains("index"), "\(expression): \(error)")
        }
        #expect(compiled > 0, "no expression fits \(key)")
    }

    /// The same expressions fail where the index is another: the test above can fail.
    @Test func anotherIndexFails() throws {
        for operators in [#"{"map": {"expression": "i == x ? x : [0][9]"}}"#] {
            let text = #"{"source": {"values": [1, 2]}, "operators": [\#(operators)]}"#
            guard case .failed(let error) = Array(try StreamDocument(parsing: text).virtualEvents()).last?.kind else {
                Issue.record("\(operators) does not fail")
                continue
            }
            #expect(error.message.contains("index"), "\(error)")
        }
    }

    @Test func ofAScanWithoutAnInitialValue() throws {
        try expect("(12345)|", #"[{"scan": {"expression": "acc + i"}}]"#, gives: "(1247'11')|")
        try expect("(12345)|", #"[{"reduce": {"expression": "acc + i"}}]"#, gives: "-------('11'|)")
        try expect("-5-6-7|", #"[{"scan": {"expression": "i"}}]"#, gives: "-5-1-2|")
    }
}
