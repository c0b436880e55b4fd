import SluiceStreams

extension CompileJob {
    /// Runs the tests of documents, and returns those that fail, by the ids of their documents.
    ///
    /// - Parameters:
    ///   - ids: The documents, in the order in which they share the budget.
    ///   - parsed: The documents that were parsed already.
    func failedTests(
        of ids: [String],
        _ parsed: ParsedDocuments,
        _ budget: TestBudget
    ) -> [String: [FailedTest]] {
        var failed: [String: [FailedTest]] = [:]
        for id in ids {
            guard let (document, library) = document(id, parsed) else { continue }
            let tests = document.failedTests(in: library, budget)
            if !tests.isEmpty { failed[id] = tests }
        }
        return failed
    }
}
