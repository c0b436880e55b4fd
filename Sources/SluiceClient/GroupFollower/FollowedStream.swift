import Sluice
import SluiceFilters
import SluiceJSON
import SluiceStreams

/// A stream of the group and its only run, which is edited, and restarted after a failure.
final class FollowedStream<C: Clock>: Sendable where C.Duration == Duration {
    /// The definition that should run.
    private struct Wanted {
        /// The definition; `nil` if none is valid yet.
        var definition: CheckedDefinition?
        /// The number of the definition, from 1.
        var number = 1
        /// A Boolean value that indicates whether the stream was removed from the group.
        var isRemoved = false
    }
    /// The status for reports.
    private struct Status {
        var state = HubClient.State.idle
        var revision = 0
        var start: C.Instant?
        var end: StreamTime?
        /// The error with which the run failed.
        var failure: String?
        /// The error because of which a newer revision was refused.
        var refusal: String?

        mutating func begin(_ revision: Int, at instant: C.Instant) {
            self = Self(state: .running, revision: revision, start: instant, refusal: refusal)
        }

        mutating func finish(_ state: HubClient.State, at time: StreamTime, _ revision: Int, failure: String? = nil) {
            (self.state, self.revision, end, self.failure) = (state, revision, time, failure)
        }
    }
    /// The end of a run.
    private enum End {
        case completed(StreamTime)
        case failed(StreamTime, StreamError)
        case cancelled
    }

    let id: String
    /// Notified when the stream has ended.
    let ended = Signal()
    /// The end of an earlier stream with the same id, if it is still ending.
    private let previous: Signal?
    private let wanted: Locked<Wanted>
    private let status = Locked(Status())
    private let changes = Signal()
    private let mark = TakenMark()
    private let follower: GroupFollower<C>
    private let queue: NoticeQueue
    /// Notified when the status for reports has changed.
    private let reports: Signal

    /// Creates a stream that does not run yet.
    ///
    /// - Parameters:
    ///   - definition: the first definition; `nil` if none is valid yet.
    ///   - previous: notified when it may begin; `nil` to begin at once.
    init(
        _ id: String,
        _ definition: CheckedDefinition?,
        after previous: Signal?,
        _ follower: GroupFollower<C>,
        _ queue: NoticeQueue,
        reports: Signal
    ) {
        self.id = id
        wanted = Locked(Wanted(definition: definition))
        status.withLock {
            $0.revision = definition?.revision ?? 0
            if definition == nil { $0.state = .blocked }
        }
        (self.previous, self.follower, self.queue, self.reports) = (previous, follower, queue, reports)
    }

    /// Ends the stream.
    func remove() {
        wanted.withLock { $0.isRemoved = true }
        changes.notify()
    }

    /// Requests that the run apply another definition at its next turn.
    func take(_ definition: CheckedDefinition) {
        wanted.withLock {
            $0.definition = definition
            $0.number += 1
        }
        note { $0.refusal = nil }
        changes.notify()
    }

    /// Records that a revision was refused. The run continues unchanged.
    func refuse(_ revision: Int, _ errors: JSONErrors) {
        queue.push(.refused(stream: id, revision: revision, errors: errors))
        note {
            $0.refusal = "revision \(revision): \(errors.errors.first.map { "\($0)" } ?? "")"
            if $0.state == .blocked { $0.revision = revision }
        }
    }

    /// The state for a report.
    var report: HubClient.MemberReport.Stream {
        let status = status.withLock { $0 }
        var time = status.end?.seconds
        if time == nil, let start = status.start {
            let elapsed = start.duration(to: follower.clock.now).components
            time = Double(elapsed.seconds) + Double(elapsed.attoseconds / 1_000_000) / 1e12
        }
        let state = status.state
        // The revision that a run applied most recently is in its mark.
        let revision = state == .running ? mark.revision : status.revision
        return .init(id: id, revision: revision, state: state, time: time, error: status.failure ?? status.refusal)
    }

    /// A Boolean value that indicates whether the stream has nothing left to do.
    private var isOver: Bool { Task.isCancelled || wanted.withLock { $0.isRemoved } }

    /// Runs the stream until it is removed or the task is canceled.
    func run() async {
        await previous?.wait()
        await runAgain()
        if wanted.withLock({ $0.isRemoved }) { queue.push(.removed(stream: id)) }
        ended.notify()
    }

    private func runAgain() async {
        var failures = 0
        while !isOver {
            let (definition, number) = wanted.withLock { ($0.definition, $0.number) }
            guard let definition else {
                await changes.wait()
                continue
            }
            let began = follower.clock.now
            guard let run = begin(definition, number, again: failures > 0) else {
                await waitForEdit()
                continue
            }
            let end = await follow(run)
            await run.close()
            if isOver { return }
            let isEdited = wanted.withLock { $0.number } != mark.number
            switch end {
            case .cancelled: return
            case .completed(let time):
                failures = 0
                note { $0.finish(.completed, at: time, mark.revision) }
                if !isEdited { await waitForEdit() }
            case .failed(let time, let error):
                let wasSteady = began.duration(to: follower.clock.now) >= follower.settings.restart.steadyAfter
                failures = isEdited ? 0 : (wasSteady ? 1 : failures + 1)
                let restarts = failures <= follower.settings.restart.attempts
                note { $0.finish(restarts ? .restarting : .failed, at: time, mark.revision, failure: "\(error)") }
                if isEdited { continue }
                if await !waitForEdit(restarts ? failures : nil) { continue }
                failures = 0
            }
        }
    }

    /// Begins a run and adds a notice of it; returns `nil` if it can't begin.
    private func begin(_ definition: CheckedDefinition, _ number: Int, again: Bool) -> LiveRun<C>? {
        mark.begin(number, definition.revision)
        do {
            let run = try LiveRun(
                definition.document,
                in: definition.library,
                host: follower.settings.host,
                limits: follower.settings.limits,
                clock: follower.clock
            )
            let how: FollowerNotice.Taking = again ? .restarted : .started
            queue.push(.taken(stream: id, revision: definition.revision, name: definition.name, how: how))
            note { $0.begin(definition.revision, at: follower.clock.now) }
            return run
        } catch {
            note { $0.state = .blocked }
            refuse(definition.revision, JSONErrors(thrown: error))
            return nil
        }
    }

    /// Reads the run to its end, and applies the definitions that arrive meanwhile.
    private func follow(_ run: LiveRun<C>) async -> End {
        await withTaskGroup(of: End.self) { tasks in
            tasks.addTask { [id, queue, mark] in
                do {
                    guard let event = try await run.feed(queue, as: id, mark) else { return .cancelled }
                    if case .failed(let error) = event.kind { return .failed(event.time, error) }
                    return .completed(event.time)
                } catch {
                    return .cancelled
                }
            }
            tasks.addTask {
                await self.edit(run)
                return .cancelled
            }
            defer { tasks.cancelAll() }
            return await tasks.next() ?? .cancelled
        }
    }

    /// Applies each new definition to the run until nothing is left to do.
    private func edit(_ run: LiveRun<C>) async {
        var refused = 0
        while !isOver {
            let (definition, number) = wanted.withLock { ($0.definition, $0.number) }
            if let definition, number != mark.number, number != refused {
                do {
                    if try await run.take(definition, number: number, queue, as: id, mark) { reports.notify() }
                } catch {
                    refuse(definition.revision, JSONErrors(thrown: error))
                }
                refused = number
            }
            await changes.wait()
        }
    }

    /// Waits for another definition, or for the next attempt after a failure.
    ///
    /// - Returns: whether there is another definition.
    @discardableResult
    private func waitForEdit(_ failures: Int? = nil) async -> Bool {
        let backoff = follower.settings.restart.backoff
        let end = failures.map { follower.clock.now.advanced(by: backoff.delay(after: $0, random: follower.random)) }
        while !isOver {
            if wanted.withLock({ $0.number }) != mark.number { return true }
            if let end {
                let left = follower.clock.now.duration(to: end)
                if left <= .zero { return false }
                await changes.wait(for: left, follower.clock)
            } else {
                await changes.wait()
            }
        }
        return false
    }

    private func note(_ change: (inout Status) -> Void) {
        status.withLock { change(&$0) }
        reports.notify()
    }
}

extension JSONErrors {
    /// Makes the errors from what a run threw when it was created or edited.
    init(thrown error: any Error) {
        let start = JSONPosition(line: 1, column: 1, offset: 0)
        self = error as? JSONErrors ?? JSONErrors([JSONError(.invalidValue, "\(error)", at: start)])
    }
}
