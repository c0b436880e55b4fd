#if Command
import Foundation
import SluiceTestSupport
import Testing

/// `sluice test`
@Suite(.timeLimit(.minutes(30))) struct DocumentTestsTests {
    static let document = #"""
        {"name": "Even totals", "source": {"ref": "numbers"},
         "operators": [{"filter": {"expression": "x % 2 == 0"}}, {"scan": {"initialValue": 0, "expression": "acc + x"}}],
         "tests": [
           {"name": "sums evens", "frame": 1, "inputs": {"numbers": "-1-2-4|"}, "expect": "---2-6|"},
           {"name": "wrong on purpose", "frame": 1, "inputs": {"numbers": "-1-2-4|"}, "expect": "---2-7|"}
         ]}
        """#

    @Test func failuresAreShownAsDiagrams() async throws {
        let file = try TemporaryFile(Self.document)
        let outcome = try await Tool.sluice.run(["test", file.path])
        #expect(outcome.status == 1)
        #expect(outcome.errors == "")
        #expect(
            outcome.output == """
                failed: \(file.path): wrong on purpose
                  expected  ---2-7|
                  actual    ---2-6|
                                 ^
                  first difference at 5 s
                      3 s  2
                    - 5 s  7
                    - 6 s  completed
                    + 5 s  6
                    + 6 s  completed
                1 passed, 1 failed

                """
        )
    }

    @Test func deliveriesAreShownAsDiagrams() async throws {
        let file = try TemporaryFile(
            #"""
            {"source": {"poll": {"url": "https://p.example/", "seconds": 1}},
             "sinks": [{"id": "hook", "post": {"url": "https://h.example/", "body": "x * 2"}}],
             "tests": [{"name": "t", "frame": 1, "inputs": {"pol": "-1|"}, "delivers": {"hook": "-2|"}}]}
            """#
        )
        let outcome = try await Tool.sluice.run(["test", file.path])
        #expect(outcome.status == 1)
        #expect(
            outcome.output.hasPrefix("failed: \(file.path): t\n  the sink \"hook\":\n  expected  -2|\n  actual    #\n")
        )
        #expect(
            outcome.output.hasSuffix(
                "  the input \"pol\" replaces nothing (did you mean \"poll\"?)\n0 passed, 1 failed\n"
            ),
            "\(outcome.output)"
        )
    }

    @Test func whatPassesSaysSo() async throws {
        let file = try TemporaryFile(
            #"{"source": {"values": [1]}, "tests": [{"expect": "(1|)"}, {"expect": "(1|)"}]}"#
        )
        let outcome = try await Tool.sluice.run(["test", file.path])
        #expect(outcome.status == 0)
        #expect(outcome.output == "2 passed, 0 failed\n")
    }

    @Test func whatIsNoDiagramIsBadData() async throws {
        let file = try TemporaryFile(#"{"source": {"values": [1]}, "tests": [{"name": "t", "expect": "(1"}]}"#)
        let outcome = try await Tool.sluice.run(["test", file.path])
        #expect(outcome.status == 65)
        #expect(outcome.errors.hasPrefix("\(file.path): error: test \"t\": "))
    }
}
#endif
