package import SluiceJSON

/// A test of a document that failed.
package struct FailedTest: Sendable {
    /// The name of the test.
    package let name: String
    /// The path of what differs, such as `tests[0].expect`.
    package let path: JSONPath
    /// A description of the failure in one line, with the name of the test.
    package let message: String
    /// The diagrams one below the other, and the events in words; or the message.
    package let report: String
    /// A Boolean value that indicates whether the test was not run to its end, since all tests had too much to do.
    package let isExhausted: Bool
}

extension StreamDocument {
    /// Runs the tests of the document, and returns those that fail, each with its first differences.
    ///
    /// After a hundred differences, no more tests are run.
    ///
    /// - Parameters:
    ///   - library: The documents that references lead to, unless an input of a test replaces them.
    ///   - budget: The work that all tests may do together.
    package func failedTests(in library: StreamLibrary, _ budget: TestBudget) -> [FailedTest] {
        var failed: [FailedTest] = []
        for (index, test) in writtenTests.enumerated() {
            guard failed.count < StreamCompiler.Limits.issues else { break }
            let path = JSONPath().appending("tests").appending(index)
            failed += failures(of: test, at: path, in: library, budget)
        }
        return failed
    }

    private func failures(
        of test: StreamTest,
        at path: JSONPath,
        in library: StreamLibrary,
        _ budget: TestBudget
    ) -> [FailedTest] {
        let name = "the test \(JSON.string(ShownText.cut(test.name, columns: 100)))"
        func failure(_ text: String, _ report: String? = nil, _ key: [String] = []) -> FailedTest {
            let message = "\(name) fails: \(text)"
            let place = key.reduce(path) { $0.appending($1) }
            return FailedTest(
                name: test.name,
                path: place,
                message: message,
                report: report ?? message,
                isExhausted: budget.isSpent
            )
        }
        if test.unread != nil { return [failure("it has parts that are unknown here")] }
        if budget.isSpent { return [failure("the tests before it take all that the tests of a document may")] }
        do {
            let outcome = try outcome(of: test, in: library, budget)
            if outcome.isPassed { return [] }
            // Made once: a test may differ in many sinks.
            let report = outcome.report
            return outcome.differences.prefix(StreamCompiler.Limits.issues).map { failure($0.text, report, $0.key) }
        } catch let error as JSONErrors {
            return [failure("the document can't run: \(error.errors.first?.message ?? "\(error)")")]
        } catch {
            return [failure("\(error)")]
        }
    }

    /// Returns the failures of tests as errors of the document, each at its place in the text.
    package func errors(of failed: [FailedTest]) -> [JSONError] {
        guard !failed.isEmpty, let root = try? JSONDocument(parsing: text).root else { return [] }
        return failed.map { test in
            JSONError(.invalidValue, test.message, at: root.nearest(to: test.path).node)
        }
    }
}
