#if Command
import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCommand

@Suite(.timeLimit(.minutes(30))) struct OperandsTests {
    @Testing.Test(arguments: [
        (["check", "a", "b", "c"], ["check", "a"], ["b", "c"]), (["check"], ["check"], []),
        (["check", "a", "-", "--", "-b"], ["check", "a", "--"], ["-", "-b"]),
        (["check", "--", "-a", "--", "b"], ["check", "--", "-a"], ["--", "b"]),
        (["test", "a", "--help", "b"], ["test", "a", "--help"], ["b"]),
        (["check", "a", "--wrong", "b"], ["check", "a", "--wrong"], ["b"]),
        (
            ["push", "--token", "t", "http://h", "a", "b", "--force", "c"],
            ["push", "--token", "t", "http://h", "a", "--force"], ["b", "c"]
        ),
        (
            ["pull", "http://h", "a", "-o", "f", "b", "--output", "g"],
            ["pull", "http://h", "a", "-o", "f", "--output", "g"], ["b"]
        ),
        (["push", "--token=t", "http://h", "a", "b"], ["push", "--token=t", "http://h", "a"], ["b"]),
        (["run", "a", "b"], ["run", "a", "b"], []), (["eval", "1", "2"], ["eval", "1", "2"], []), ([], [], []),
    ])
    func onlyTheFirstOfAListIsParsed(_ arguments: [String], _ parsed: [String], _ rest: [String]) {
        let separated = Operands.separated(arguments)
        #expect(separated.arguments == parsed)
        #expect(separated.rest == rest)
    }

    /// Every document of a list is read, and in its order.
    @Testing.Test(arguments: ["check", "test"])
    func everyOperandIsUsed(_ command: String) async throws {
        let files = try (0..<5).map { try TemporaryFile("{", name: "\($0).json") }
        let outcome = try await Tool.sluice.run([command] + files.map(\.path))
        #expect(outcome.status == 65)
        let lines = outcome.errors.split(separator: "\n").filter { $0.contains(": error: ") }
        let expected = command == "check" ? files : Array(files.prefix(1))
        #expect(lines.count == expected.count)
        for (line, file) in zip(lines, expected) { #expect(line.hasPrefix(file.path + ":")) }
        let wrong = try await Tool.sluice.run([command, files[0].path, "--wrong"] + files.map(\.path))
        #expect(wrong.status == 64)
        #expect(wrong.errors.hasPrefix("Error: Unknown option '--wrong'"))
    }

    /// The processor time of a command doesn't grow with the square of the number of its files: eight times the files
    /// take less than sixteen times the time, of which a constant part is the start. With the square it was 50 times.
    @Testing.Test(arguments: ["check", "test"])
    func timeGrowsWithTheNumberOfFiles(_ command: String) async throws {
        let file = try TemporaryFile(#"{"stream": [{"value": 1}]}"#, name: "a.json")
        let folder = URL(fileURLWithPath: file.path).deletingLastPathComponent().path
        let script = #"""
            cd "$1" && files=() && for ((index = 0; index < $2; index++)); do files+=(a.json); done
            "$0" "$3" "${files[@]}" >&2 && times
            """#
        let shell = Tool(URL(fileURLWithPath: "/bin/bash"))
        func seconds(_ count: Int) async throws -> Double {
            let outcome = try await shell.run(
                ["-c", script, Tool.products.path + "/sluice", folder, "\(count)", command]
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
            // The second line has the user and the system time of the children: 0m1.234s 0m0.056s.
            let times = try #require(outcome.lines.last).split(separator: " ").map { time in
                time.split { "ms".contains($0) }.compactMap { Double($0) }
            }
            return try times.map { try #require($0.count == 2 ? 60 * $0[0] + $0[1] : nil) }.reduce(0, +)
        }
        var ratios: [Double] = []
        for _ in 0..<3 {
            let few = try await seconds(2_500)
            ratios.append(try await seconds(20_000) / few)
            if ratios.contains(where: { $0 < 16 }) { return }
        }
        Issue.record("eight times the files take \(ratios) times the processor time")
    }
}
#endif
