#if Hub
import Logging
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStore
import SluiceStreams

extension StreamHub {
    /// Returns the run of a stream, made when it is first asked for.
    ///
    /// - Throws: ``Problem`` where there is no such stream.
    func run(_ id: String) async throws -> RunSupervisor {
        _ = try document(id)
        // One that is being opened is in place already, so that edits reach it; it isn't ready yet.
        if let task = opened(for: id) { return try await task.value }
        try await claim(id)
        if let task = opened(for: id) { return try await task.value }
        if let run = runs[id] { return run }
        guard !isEnding else { throw Problem.ending }
        // Each run that resumes in the background is work of its own, so that a request hastens no other.
        let work = DocumentCompiler.background.map { _ in BackgroundWork() }
        let task = DocumentCompiler.$background.withValue(work) { Task { try await self.opened(id) } }
        opening[id] = (task, work)
        defer { opening[id] = nil }
        return try await task.value
    }

    /// Returns the task that opens a run, hastened if a request waits for it now; `nil` if none does.
    private func opened(for id: String) -> Task<RunSupervisor, any Error>? {
        guard let (task, work) = opening[id] else { return nil }
        if DocumentCompiler.background == nil { work?.hasten() }
        return task
    }

    private func opened(_ id: String) async throws -> RunSupervisor {
        let stored = waiting[id] == nil ? nil : try await store.run(of: id)
        if let stored, stored.goesOn {
            do {
                if let run = try await resume(stored) {
                    waiting[id] = nil
                    return run
                }
            } catch {
                around.settings.logger.error("\(id): the run can't be resumed: \(error)")
                throw error
            }
        }
        let lastRun = around.settings.isDurable ? try await store.lastRun(of: id) : 0
        let change = try await checked([], [id], keeping: [id])
        let program: RunProgram
        if let compiled = change.checks[id]?.compiled {
            guard let made = self.program(id, compiled, change.checks[id]?.references ?? []) else {
                throw Problem.noStream(id)
            }
            program = made
        } else {
            let document = try document(id)
            let size = document.stored.text.utf8.count
            let whole = try await compiler.perform(size: size) { [parsed = compiler.parsed] in
                try parsed.document(document.stored)
            }
            program = RunProgram(
                document: whole,
                revision: document.stored.revision,
                library: StreamLibrary([whole])
            )
        }
        // One that has ended resumes from its checkpoint by the texts that it has run, which may have been edited since.
        var ran: RunProgram?
        if let stored, !stored.goesOn {
            do {
                ran = try await compiler.program(resuming: stored, set.job(checking: [id]), in: store)
            } catch is JSONErrors {}
        }
        _ = try document(id)
        if let run = runs[id] { return run }
        guard !isEnding else { throw Problem.ending }
        let run = RunSupervisor(id, program, around.runs, after: lastRun)
        runs[id] = run
        waiting[id] = nil
        // One that had ended is remembered as it was; its next start begins what is stored now.
        if let stored, !stored.goesOn { await run.recall(stored, ran) }
        return run
    }

    /// Returns the run of a stream for a command that makes it run.
    ///
    /// - Parameter states: the states of a run that the command continues, with the texts that it was started with; from
    ///   any other state it needs a document that can run.
    /// - Throws: ``Problem`` with the errors of a document that can't run.
    func runnable(_ id: String, continuing states: Set<RunState>) async throws -> RunSupervisor {
        if try !document(id).isChecked { await recheck([id]) }
        let document = try document(id)
        guard document.isBlocked else { return try await run(id) }
        if waiting[id] != nil { _ = try? await run(id) }
        if let run = runs[id], let state = around.bus.status(of: id)?.state, states.contains(state) { return run }
        throw Problem(JSONErrors(document.errors + document.referenceErrors))
    }

    /// Returns the status of the run of a stream.
    func status(_ id: String) async throws -> JSON {
        var document = try document(id)
        // One that runs, and was not resumed yet since the start of the hub, is resumed before others.
        if !around.settings.isPaused, waiting[id]?.goesOn ?? false { _ = try? await run(id) }
        if let status = around.bus.status(of: id), waiting[id] == nil, status.state != .idle || !document.isBlocked {
            return status.json(at: around.timer.now)
        }
        let change = try await checked([], [id], keeping: [id])
        document = try self.document(id)
        var status =
            around.bus.status(of: id) ?? RunStatus(stream: id, pace: Pace(at: around.timer.now, isPaused: true))
        if status.run == 0 { status.revision = document.stored.revision }
        if change.checks[id]?.isBlocked ?? false, status.state == .idle {
            status.state = .blocked
        } else if status.stages.isEmpty {
            status.stages = change.checks[id]?.compiled?.stages ?? []
        }
        return status.json(at: around.timer.now)
    }

    /// Returns the program of a document that was compiled; `nil` where the document is gone.
    func program(_ id: String, _ compiled: CompiledDocument, _ references: [String]) -> RunProgram? {
        set.program(id, compiled, references)
    }

    /// Puts what was stored in place of what runs; where it can't run the old revision runs on.
    func edit(_ id: String, to program: RunProgram) async {
        guard let run = runs[id] else { return }
        do { _ = try await run.command { try await run.edit(to: program) } } catch is CancellationError {
            // The caller is gone, and the run still has the old document.
            if !isEnding { recheckSoon([id]) }
        } catch {
            around.settings.logger.error("\(id): revision \(program.revision) does not run: \(error)")
        }
    }
}
#endif
