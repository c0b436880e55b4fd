import Foundation
import SluiceJSON
import Testing

@testable import SluiceExpressions

/// Regular expressions with RE2's answers: `re2.jsonl` beside this file, and every `re2*.jsonl` in the folder of answers
/// from outside. `re2_cases.py` makes more.
struct RE2OracleTests {
    @Test func everyCaseIsAnsweredAsByRE2() throws {
        let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "re2.jsonl")
        let others = OracleFiles.named("re2")
        for file in [sample] + others {
            var (passed, failed) = (0, 0)
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let item = try JSON(parsing: String(line))
                if let problem = try problem(item) {
                    failed += 1
                    Issue.record("\(file.lastPathComponent): \(item["pattern"]?.string ?? ""): \(problem)")
                } else {
                    passed += 1
                }
            }
            print("\(file.lastPathComponent): \(passed) passed, \(failed) failed")
            #expect(passed + failed > 0)
            if file == sample { #expect(passed + failed == 600) }
        }
    }

    private func problem(_ item: JSON) throws -> String? {
        let pattern = try #require(item["pattern"]?.string)
        let isRefused = item["refused"]?.bool == true
        let expression: RegularExpression
        do throws(Fault) { expression = try RegularExpression(pattern) } catch {
            return isRefused ? nil : error.message
        }
        if isRefused { return "is taken, and RE2 refuses it" }
        for (text, answer) in zip(item["texts"]?.array ?? [], item["answers"]?.array ?? []) {
            let text = try #require(text.string)
            var frame = Frame()
            frame.remainingCost = .max
            let machine = try PikeMachine(expression, text, &frame, isCapturing: true)
            let found = try machine.match(from: 0, &frame)?.map { $0 < 0 ? -1 : Int(text.scalarCount(before: $0)) }
            let wanted = answer.array?.flatMap { ($0.array ?? []).compactMap(\.int) }.map { Int($0) }
            if found != wanted { return "\(text.debugDescription) gives \(found as Any), RE2 \(wanted as Any)" }
            let answers = try PikeMachine(expression, text, &frame, isCapturing: false)
            if try (answers.match(from: 0, &frame) != nil) != (wanted != nil) {
                return "\(text) differs without groups"
            }
        }
        return nil
    }
}
