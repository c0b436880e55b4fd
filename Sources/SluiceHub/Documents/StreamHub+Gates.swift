#if Hub
import HTTPTypes
import SluiceJSON
import SluiceRuns
import SluiceStreams

extension StreamHub {
    /// The processor time that the tests of an edit may take together, in seconds.
    private static let testSeconds = 2.0
    /// The number of plans whose tests may run or wait at a time.
    private static let mostTestedPlans = 16
    /// The number of times that tests are repeated since what they refer to was edited meanwhile.
    private static let gateRounds = 3

    /// Refuses documents with a gate whose tests fail, and changes by which tests of dependents with a gate fail that
    /// pass now.
    ///
    /// - Parameter drafts: the documents that the author writes; all others are dependents, also those whose references
    ///   are rewritten.
    /// - Returns: the change, compiled again if what it refers to was edited while the tests ran.
    /// - Throws: ``Problem`` that lists the tests.
    func passGates(
        _ drafts: [DocumentDraft],
        _ change: CheckedChange,
        _ options: WriteOptions
    ) async throws -> CheckedChange {
        var change = change
        let authored = Set(drafts.map(\.id))
        for _ in 0..<Self.gateRounds {
            let gated = change.gated
            let dependents = options.keepsDependents ? [] : gated.filter { !authored.contains($0) }
            let own = gated.filter { authored.contains($0) }
            if own.isEmpty, dependents.isEmpty { return change }
            try await testOwn(own, drafts, change)
            try await testDependents(dependents, change)
            if set.changes == change.job.changes { return change }
            let now = set.job(change.changes)
            if now.matches(change.job), Set(now.targets) == Set(change.job.targets) { return change }
            change = try await checked(change.changes)
            for draft in drafts { try draft.check(change.checks[draft.id]) }
            if !options.keepsDependents { try await refuseBroken(by: change, besides: authored) }
        }
        throw Problem(
            .conflict,
            "streams that it refers to are being edited, so that its tests can't be run: try again"
        )
    }

    private func testOwn(_ ids: [String], _ drafts: [DocumentDraft], _ change: CheckedChange) async throws {
        if ids.isEmpty { return }
        let failed = try await compiler.failedTests(in: change.job, of: ids, seconds: Self.testSeconds)
        if failed.isEmpty { return }
        let size = drafts.reduce(0) { $0 + $1.original.text.utf8.count }
        throw try await compiler.perform(size: size) {
            Problem.gate(drafts.compactMap { draft in failed[draft.id].map { (draft.original, draft.id, $0) } })
        }
    }

    private func testDependents(_ ids: [String], _ change: CheckedChange) async throws {
        if ids.isEmpty { return }
        let failed = try await compiler.failedTests(in: change.job, of: ids, seconds: Self.testSeconds)
        if failed.isEmpty { return }
        // A test that fails as it is doesn't fail because of the change.
        let suspects = ids.filter { failed[$0] != nil }
        let old = try await compiler.failedTests(
            in: set.job(checking: suspects),
            of: suspects,
            seconds: Self.testSeconds
        )
        let broken = suspects.filter { id in
            let known = Set((old[id] ?? []).filter { !$0.isExhausted }.map(\.name))
            return failed[id]?.contains { !known.contains($0.name) } ?? false
        }
        if broken.isEmpty { return }
        throw Problem.dependentGates(broken.map { ($0, set[$0]?.stored.name, set[$0]?.stored.text, failed[$0] ?? []) })
    }

    /// Returns the tests that fail of a document with a gate and of its dependents with one, as errors, for a plan.
    ///
    /// - Throws: ``Problem`` if too many plans are being tested.
    func testErrors(_ original: StreamDocument, _ id: String, _ change: CheckedChange) async throws -> [String: [JSON]]
    {
        let gated = change.gated
        if gated.isEmpty { return [:] }
        guard testedPlans < Self.mostTestedPlans else { throw Problem.tooManyPlans }
        testedPlans += 1
        defer { testedPlans -= 1 }
        let failed = try await compiler.failedTests(
            in: change.job,
            of: gated,
            seconds: Self.testSeconds,
            isPlan: true
        )
        let texts = Dictionary(gated.map { ($0, set[$0]?.stored.text ?? "") }) { first, _ in first }
        return try await compiler.perform(size: .max) {
            var errors: [String: [JSON]] = [:]
            for (other, tests) in failed {
                errors[other] = other == id ? original.json(of: tests) : texts[other]?.json(of: tests)
            }
            return errors
        }
    }
}

extension CheckedChange {
    /// The ids of the documents that have a gate, those of the change first.
    fileprivate var gated: [String] {
        let authored = Set(changes.map(\.id))
        let all = job.targets.filter { checks[$0]?.isGated ?? false }
        return all.filter { authored.contains($0) } + all.filter { !authored.contains($0) }
    }
}

extension StreamDocument {
    /// Returns the failures of tests as the hub's answers have them.
    fileprivate func json(of failed: [FailedTest]) -> [JSON] {
        zip(errors(of: failed), failed).map { error, test in
            guard case .object(var object) = error.json else { return error.json }
            object["test"] = .string(test.name)
            object["report"] = .string(test.report)
            return .object(object)
        }
    }
}

extension String {
    /// Returns the failures of the tests of a document with this text.
    fileprivate func json(of failed: [FailedTest]) -> [JSON] {
        (try? StreamDocument(reading: Array(utf8)))?.json(of: failed) ?? []
    }
}

extension Problem {
    /// The refusal of documents whose tests fail.
    fileprivate static func gate(_ documents: [(original: StreamDocument, id: String, tests: [FailedTest])]) -> Problem
    {
        let names = names(of: documents.map { ($0.original.name, $0.id) })
        let first = documents.first?.tests.first?.message ?? ""
        var problem = Problem(
            .unprocessableContent,
            "the gate is closed: tests of \(names) fail, and nothing is stored: \(first)"
        )
        var errors: [JSON] = []
        for (original, id, tests) in documents where errors.count < 100 {
            for case .object(var object) in original.json(of: tests) {
                if documents.count > 1 { object["stream"] = .string(id) }
                errors.append(.object(object))
            }
        }
        problem["errors"] = .array(Array(errors.prefix(100)))
        return problem
    }

    /// The refusal of a plan while the tests of many others run.
    fileprivate static let tooManyPlans = Problem(
        .tooManyRequests,
        "the tests of too many plans are being run: repeat this later",
        headers: [.retryAfter: "5"]
    )

    /// The refusal of a change by which tests of dependents fail.
    fileprivate static func dependentGates(
        _ dependents: [(id: String, name: String?, text: String?, tests: [FailedTest])]
    ) -> Problem {
        let names = names(of: dependents.map { ($0.name, $0.id) })
        return refusal(
            "tests of streams with a gate that refer to it would fail: \(names); edit them first, or repeat this with "
                + "?dependents=keep: they take over the edit though their tests fail",
            of: dependents.prefix(100).map { ($0.id, $0.name, $0.text?.json(of: $0.tests) ?? []) }
        )
    }
}
#endif
