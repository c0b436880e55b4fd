#if Hub
import SluiceJSON
import SluiceRuns
import SluiceStore
import SluiceStreams

/// The effects of replacing the stored document with another.
struct DocumentPlan: Sendable {
    /// The effects on a document that refers to the edited one, directly or through others.
    struct Dependent: Sendable {
        let id: String
        let name: String?
        /// The errors that keep it from running; such a document continues with what it was compiled from.
        let errors: [JSONError]
        /// The steps of its stages; `nil` if it has errors.
        let plan: StreamPlan?
        /// The tests that fail, if it has a gate.
        let tests: [JSON]
    }

    let revision: Int
    let plan: StreamPlan
    let errors: [JSONError]
    /// The tests that fail, if the document has a gate.
    let tests: [JSON]
    let dependents: [Dependent]

    var json: JSON {
        guard case .object(var object) = plan.json else { return plan.json }
        object["revision"] = .int(Int64(revision))
        object["errors"] = .array(errors.map(\.json))
        object["tests"] = .array(tests)
        object["dependents"] = .array(dependents.map(\.json))
        return .object(object)
    }
}

extension DocumentPlan.Dependent {
    fileprivate var json: JSON {
        var object = JSON.Object()
        if case .object(let plan)? = plan?.json { object = plan }
        object["id"] = .string(id)
        object["name"] = name.map(JSON.string)
        object["errors"] = .array(errors.map(\.json))
        if !tests.isEmpty { object["tests"] = .array(tests) }
        return .object(object)
    }
}

extension StreamHub {
    /// The number of dependents whose stages a plan lists.
    private static let plannedDependents = 100

    /// Returns what putting a document in place of the stored one would do to its run and to all that depend on it, or
    /// to new runs of those without one.
    func plan(_ id: String, _ bytes: [UInt8]) async throws -> DocumentPlan {
        let old = try document(id)
        let draft = try await compiler.perform(size: bytes.count) { [limits] in
            try DocumentDraft(bytes, id: id, limits)
        }
        let change = try await checked([draft.change])
        let size = bytes.count + old.stored.text.utf8.count
        let before = set.job(checking: change.job.targets)
        let plan = try await plan(id, before, change, size: size)
        // The errors are at their places in the text that its author wrote.
        let errors = draft.document.text == draft.original.text ? change.checks[id]?.all ?? [] : try await check(bytes)
        let tests = try await testErrors(draft.original, id, change)
        var dependents: [DocumentPlan.Dependent] = []
        for other in change.job.targets where other != id {
            let check = change.checks[other]
            let isPlanned = dependents.count < Self.plannedDependents && check?.isBlocked == false
            dependents.append(
                DocumentPlan.Dependent(
                    id: other,
                    name: set[other]?.stored.name,
                    errors: check?.all ?? [],
                    plan: isPlanned ? try await self.plan(other, before, change, size: size) : nil,
                    tests: tests[other] ?? []
                )
            )
        }
        return DocumentPlan(
            revision: old.stored.revision,
            plan: plan,
            errors: errors,
            tests: tests[id] ?? [],
            dependents: dependents
        )
    }

    /// Returns the effects of a change on the run of a document, or on a new run.
    private func plan(
        _ id: String,
        _ before: CompileJob,
        _ change: CheckedChange,
        size: Int
    ) async throws -> StreamPlan {
        if let run = runs[id], let check = change.checks[id], let compiled = check.compiled,
            let program = program(id, compiled, check.references),
            let plan = try? await run.command({ try await run.plan(to: program) })
        {
            return plan
        }
        return try await plan(id, before, change.job, size: size)
    }

    /// Returns the difference of two texts of a document.
    func plan(_ id: String, from old: [UInt8], to new: [UInt8]) async throws -> StreamPlan {
        let size = old.count + new.count
        let (before, after) = try await compiler.perform(size: size) { [limits] in
            (try DocumentDraft(old, id: id, limits).change, try DocumentDraft(new, id: id, limits).change)
        }
        return try await plan(
            id,
            set.job([before], includesDependents: false),
            set.job([after], includesDependents: false),
            size: size
        )
    }

    /// Returns the difference of a document in two states of the hub.
    func plan(_ id: String, _ before: CompileJob, _ after: CompileJob, size: Int) async throws -> StreamPlan {
        try await compiler.perform(size: size) { [parsed = compiler.parsed] in
            guard let old = before.document(id, parsed), let new = after.document(id, parsed) else {
                throw Problem.noStream(id)
            }
            return StreamPlan(from: old.document, in: old.library, to: new.document, in: new.library)
        }
    }

    /// Returns the run of a document in virtual time, without its first `skipped` marks.
    func picture(_ document: [UInt8], until limit: StreamTime?, skipping skipped: Int = 0) async throws -> PictureRun {
        let document = try await compiler.perform(size: document.count) { try StreamDocument(reading: document) }
        let id = document.id ?? "\u{0}"
        let job = set.job([.put(id, document)], includesDependents: false)
        return try await compiler.perform(size: .max) { [parsed = compiler.parsed] in
            guard let (document, library) = job.document(id, parsed) else { throw Problem.noStream(id) }
            return try PictureRun(document, in: library, until: limit, skipping: skipped)
        }
    }
}
#endif
