import Sluice
import SluiceJSON
import SluiceStreams

extension Deliveries {
    /// The largest number of requests that are fixed in one transaction.
    private static let fixedAhead = 256
    /// The time for which acknowledgments wait for the next transaction, in nanoseconds.
    private static let interval: Int64 = 50_000_000

    // MARK: Pumping

    func pumpSoon(_ work: SinkWork, _ stream: String) {
        guard !isClosed, !work.isClosed else { return }
        if work.isPumping {
            work.isCalled = true
            return
        }
        work.isPumping = true
        perform { await self.pump(work, stream) }
    }

    /// Takes outputs, fixes and stores their requests, and begins attempts, until nothing more can be done now.
    private func pump(_ work: SinkWork, _ stream: String) async {
        repeat {
            work.isCalled = false
            do {
                try await read(work, stream)
                // A batch that waits for outputs of a run that waits for the batch would never end.
                if !ledger.hasRoom(stream) { work.outbox.endBatch() }
                try await buryBlocked(work, stream)
                try await fix(work, stream)
            } catch let error as StoreError where error.isMissing {
                work.close()
            } catch {
                log("\(stream): the sink \(work.sink.id) waits for the store: \(error)")
                work.setAlarm(at: timer.now.advanced(byClamping: Self.patience), timer) { [weak self] in
                    self?.call(work, stream)
                }
                work.isPumping = false
                return
            }
            guard !isClosed, !work.isClosed else { break }
            for attempt in attempts(of: work) { beginLane(with: attempt, work, stream) }
        } while work.isCalled
        work.isPumping = false
        if !isClosed, !work.isClosed { settle(work, stream) }
    }

    /// Returns a Boolean value that indicates whether a pump would read, render, or store something.
    private func needsPump(_ work: SinkWork, _ stream: String) -> Bool {
        if work.outbox.hasFixes || work.outbox.isFullOfLetters { return true }
        if work.mayHaveMore, work.outbox.hasRoom, work.outbox.wantsMore { return true }
        if work.sink.rules.batchCount > 1, !ledger.hasRoom(stream) { return true }
        return work.outbox.hasDrafts
    }

    /// Publishes how far a sink is, and schedules what follows later.
    private func settle(_ work: SinkWork, _ stream: String) {
        noteProgress(stream)
        if work.outbox.isBlocked != work.isKnownBlocked { tellBlocked(stream) }
        if work.outbox.hasChanges { flushLater(work, stream) }
        let due = work.sink.isDisabled ? nil : work.outbox.nextDue(after: timer.now)
        work.setAlarm(at: due, timer) { [weak self] in self?.call(work, stream) }
    }

    private nonisolated func call(_ work: SinkWork, _ stream: String) {
        perform { await self.pumpSoon(work, stream) }
    }

    /// Offers outputs of the store to a sink.
    private func read(_ work: SinkWork, _ stream: String) async throws {
        guard work.outbox.hasRoom else { return }
        while work.mayHaveMore, work.outbox.wantsMore, !work.isClosed {
            let (after, edits) = (work.outbox.read, work.edits)
            // Before the store answers: what is stored meanwhile sets it again.
            work.mayHaveMore = false
            let outputs: [StoredOutput]
            do {
                outputs = try await store.outputs(of: stream, afterRun: after.run, sequence: after.sequence, limit: 256)
            } catch {
                work.mayHaveMore = true
                throw error
            }
            let isCurrent = edits == work.edits && after == work.outbox.read
            if !outputs.isEmpty || !isCurrent { work.mayHaveMore = true }
            // An edit, or a reset, begins again at the cursor.
            if isCurrent { await offer(outputs, to: work, of: stream) }
        }
    }

    /// Offers outputs to a sink as far as it takes them, and ends early after an edit or a reset.
    private func offer(_ outputs: [StoredOutput], to work: SinkWork, of stream: String) async {
        var rest = outputs[...]
        while let first = rest.first, work.outbox.wantsMore {
            let (after, edits) = (work.outbox.read, work.edits)
            let offers: [Outbox.Offer]
            if let offer = Outbox.Offer(first, to: work.sink) {
                offers = [offer]
            } else {
                offers = await renderer.offers(of: rest, to: work.sink, of: stream)
                guard edits == work.edits, after == work.outbox.read else { return }
            }
            for (output, offer) in zip(rest, offers) where work.outbox.wantsMore {
                work.outbox.offer(output.place, offer, at: timer.now)
            }
            rest = rest.dropFirst(offers.count)
        }
    }

    /// Renders deliveries, and stores their requests with what was acknowledged.
    private func fix(_ work: SinkWork, _ stream: String) async throws {
        guard !work.sink.isDisabled, !work.isClosed else { return }
        var drafts = work.outbox.drafts(upTo: Self.fixedAhead, at: timer.now)[...]
        while !drafts.isEmpty {
            let edits = work.edits
            let requests = await renderer.requests(
                for: drafts,
                to: work.sink,
                of: stream,
                room: work.outbox.requestRoom
            )
            for (draft, request) in zip(drafts, requests) {
                let run = try await name(ofRun: draft.place.run, of: stream)
                guard edits == work.edits else { return work.isCalled = true }
                do { fix(draft, try request.get(), run, work, stream) } catch {
                    await refuse(draft, "\(error)", work, stream)
                    drafts = []
                }
            }
            drafts = drafts.dropFirst(requests.count)
            if work.outbox.requestRoom == 0 { break }
        }
        if work.outbox.hasFixes { try await commit(work, stream) }
    }

    private func fix(_ draft: Outbox.Draft, _ request: String, _ run: String, _ work: SinkWork, _ stream: String) {
        let key = DeliveryKey.make(
            stream: stream,
            run: run,
            sink: work.sink.id,
            sequence: draft.place.sequence,
            round: draft.round
        )
        work.outbox.fix(draft.place, key: key, request: request)
    }

    /// Gives up a delivery whose request can't be made.
    private func refuse(_ draft: Outbox.Draft, _ error: String, _ work: SinkWork, _ stream: String) async {
        let failure = withRoom(work, stream) { $0.refuse(draft.place, error, time: wallClock()) }
        if let failure { await fail(stream, work.sink.id, failure) }
        // The deliveries after one that was skipped have no requests yet.
        if !work.outbox.isBlocked { work.isCalled = true }
    }

    func name(ofRun run: Int, of stream: String) async throws -> String {
        if let name = streams[stream]?.names[run] { return name }
        let name = try await store.name(ofRun: run, of: stream)
        streams[stream]?.names[run] = name
        return name
    }

    // MARK: Attempts

    /// Returns the attempts that begin now.
    private func attempts(of work: SinkWork) -> [Outbox.Attempt] {
        work.sink.isDisabled || !work.canStore ? [] : work.outbox.start(at: timer.now)
    }

    /// Begins a task that makes an attempt, and after it each other attempt that may begin when the last one has ended. So
    /// one task serves many outputs, and the next attempt does not wait while further outputs are read and stored.
    private func beginLane(with attempt: Outbox.Attempt, _ work: SinkWork, _ stream: String) {
        lastFlight += 1
        let (number, host, first, task) = (lastFlight, host, prepare(attempt, of: work), AttemptTask())
        let flight = perform {
            var next: (place: OutputPlace, attempt: PreparedAttempt)? = first
            while let (place, attempt) = next {
                let outcome = await task.attempt { await host.outcome(of: attempt, stream, cancel: $0) }
                next = await self.finish(place, outcome, work, stream, lane: number)
            }
        }
        task.set(flight)
        (flights[number], work.flights[number]) = (flight, flight)
    }

    private func prepare(_ attempt: Outbox.Attempt, of work: SinkWork) -> (OutputPlace, PreparedAttempt) {
        (attempt.place, PreparedAttempt(attempt.key, attempt.request, to: work.sink, through: work.filters))
    }

    /// Ends an attempt.
    ///
    /// - Returns: The next attempt of the lane; `nil` where the lane ends.
    private func finish(
        _ place: OutputPlace,
        _ outcome: Outbox.Outcome,
        _ work: SinkWork,
        _ stream: String,
        lane: Int
    ) async -> (place: OutputPlace, attempt: PreparedAttempt)? {
        if let next = await next(after: place, outcome, work, stream) { return prepare(next, of: work) }
        flights[lane] = nil
        work.flights[lane] = nil
        return nil
    }

    private func next(
        after place: OutputPlace,
        _ outcome: Outbox.Outcome,
        _ work: SinkWork,
        _ stream: String
    ) async -> Outbox.Attempt? {
        guard !isClosed, !work.isClosed else { return nil }
        let failure = withRoom(work, stream) {
            $0.finish(place, outcome, at: timer.now, time: wallClock(), random: random)
        }
        // A canceled task can't use the store: its receiver was too slow, or the sink is closed.
        if failure != nil || Task.isCancelled {
            pumpSoon(work, stream)
            if let failure { await fail(stream, work.sink.id, failure) }
            return nil
        }
        var attempts = attempts(of: work)[...]
        let next = attempts.popFirst()
        for attempt in attempts { beginLane(with: attempt, work, stream) }
        if needsPump(work, stream) { pumpSoon(work, stream) } else { settle(work, stream) }
        return next
    }

    /// Makes one attempt of a request that the outbox does not have.
    ///
    /// - Parameter body: A closure that takes the outcome.
    func deliver(
        _ key: String,
        _ request: String,
        _ work: SinkWork,
        _ stream: String,
        _ body: @escaping @Sendable (isolated Deliveries, Outbox.Outcome) async -> Void
    ) {
        lastFlight += 1
        let (number, host) = (lastFlight, host)
        let attempt = PreparedAttempt(key, request, to: work.sink, through: nil)
        flights[number] = perform {
            let outcome = await AttemptTask.run { await host.outcome(of: attempt, stream, cancel: $0) }
            await self.land(number, outcome, body)
        }
    }

    private func land(
        _ flight: Int,
        _ outcome: Outbox.Outcome,
        _ body: @Sendable (isolated Deliveries, Outbox.Outcome) async -> Void
    ) async {
        flights[flight] = nil
        await body(self, outcome)
    }

    private func fail(_ stream: String, _ sink: String, _ error: String) async {
        await onFailure?(stream, "the sink \(sink) has failed: \(error)")
    }

    /// Tells the ledger how far all sinks of a stream are.
    private func noteProgress(_ stream: String) {
        guard let cursor = streams[stream]?.sinks.values.lazy.map(\.outbox.cursor).min() else { return }
        ledger.drop(upTo: cursor, of: stream)
    }

    // MARK: Storing

    /// Stores what has changed, and returns when it is stored. No other change is stored meanwhile.
    func commit(_ work: SinkWork, _ stream: String) async throws {
        await work.storing.lock()
        defer { work.storing.unlock() }
        // The store has removed a sink that was closed.
        guard !work.isClosed, let commit = work.outbox.takeCommit() else { return }
        do { try await store.commit([commit]) } catch {
            work.outbox.restore(commit)
            work.canStore = false
            throw error
        }
        work.outbox.noteStored(commit)
        // The attempts that have waited for what another task has stored, or for the store.
        if !commit.fixed.isEmpty || !commit.letters.isEmpty || !work.canStore { pumpSoon(work, stream) }
        work.canStore = true
    }

    /// Stores acknowledgments soon: a kill before that has the receiver see the same key again.
    private func flushLater(_ work: SinkWork, _ stream: String, after wait: Int64 = Deliveries.interval) {
        guard !work.isFlushing else { return }
        work.isFlushing = true
        _ = timer.schedule(at: timer.now.advanced(byClamping: wait)) { [weak self] in
            guard let self else { return }
            perform { await self.flush(work, stream) }
        }
    }

    func flush(_ work: SinkWork, _ stream: String) async {
        work.isFlushing = false
        guard !work.isClosed else { return }
        do { try await commit(work, stream) } catch let error as StoreError where error.isMissing {
            work.close()
        } catch {
            log("\(stream): the sink \(work.sink.id) can't be stored: \(error)")
            if !isClosed { flushLater(work, stream, after: Self.patience) }
        }
    }
}
