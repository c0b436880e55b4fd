import Foundation
import SluiceJSON
import SluiceStreams

/// The refusal of another dead letter: the stream has as many as are kept.
package struct DeadLettersFullError: Error, CustomStringConvertible {
    /// The reason, and what to do.
    package var description: String {
        "the stream has \(Outbox.largestLetters) dead letters, and no room for another: drop or resend some"
    }
}

/// The dead letters: their number, and how they are sent again.
extension Deliveries {
    /// The largest number of dead letters of a stream that are sent again at the same time. The others wait in the store.
    static let resentAtOnce = 16

    // MARK: Room

    /// Performs a change of an outbox that may make a dead letter, if there is room.
    func withRoom<Value>(_ work: SinkWork, _ stream: String, _ body: (inout Outbox) -> Value) -> Value {
        let room = max(0, Outbox.largestLetters - (streams[stream]?.letters.count ?? 0))
        work.outbox.letterRoom = room
        defer { streams[stream]?.letters.count += room - work.outbox.letterRoom }
        return body(&work.outbox)
    }

    /// Returns the number of dead letters that a stream has room for.
    func letterRoom(of stream: String) async throws -> Int {
        guard let letters = streams[stream]?.letters else { return 0 }
        if letters.count >= Outbox.largestLetters, letters.isStale { try await recountLetters(of: stream) }
        return max(0, Outbox.largestLetters - (streams[stream]?.letters.count ?? 0))
    }

    /// Counts the dead letters of a stream.
    func recountLetters(of stream: String) async throws {
        streams[stream]?.letters.isStale = false
        let stored = try await store.deadLetterCounts(of: stream).values.reduce(0, +)
        let pending = streams[stream]?.sinks.values.reduce(0) { $0 + $1.outbox.pendingLetters } ?? 0
        streams[stream]?.letters.count = stored + pending
    }

    /// Notes that a dead letter was removed: sinks that wait for room continue.
    private func noteRoom(_ stream: String) {
        streams[stream]?.letters.isStale = true
        for work in streams[stream]?.sinks.values ?? [:].values where work.outbox.isFullOfLetters {
            pumpSoon(work, stream)
        }
    }

    /// Moves the deliveries that wait for room to the dead letters.
    func buryBlocked(_ work: SinkWork, _ stream: String) async throws {
        while work.outbox.isFullOfLetters, !work.isClosed, try await letterRoom(of: stream) > 0 {
            guard try await bury(work, stream) else { return }
        }
    }

    /// Moves a delivery that has failed to the dead letters, if there is room.
    ///
    /// - Returns: A Boolean value that indicates whether there was one.
    func bury(_ work: SinkWork, _ stream: String) async throws -> Bool {
        var loaded: (range: ClosedRange<OutputPlace>, items: [String])?
        while let range = work.outbox.unloaded, range != loaded?.range {
            loaded = (range, try await items(of: range, to: work, of: stream))
        }
        return withRoom(work, stream) { $0.skip(time: wallClock(), items: loaded?.items ?? []) }
    }

    /// Returns the outputs of a stream that a sink delivers.
    private func items(
        of range: ClosedRange<OutputPlace>,
        to work: SinkWork,
        of stream: String
    ) async throws -> [String] {
        var (items, place): ([String], OutputPlace) = ([], range.lowerBound)
        place = OutputPlace(run: place.run, sequence: place.sequence - 1)
        while place < range.upperBound {
            let page = try await store.outputs(of: stream, afterRun: place.run, sequence: place.sequence, limit: 64)
            guard let last = page.last else { break }
            var rest = page.prefix { $0.place <= range.upperBound }
            while !rest.isEmpty {
                let offers = await renderer.offers(of: rest, to: work.sink, of: stream)
                for case .item(let text, _) in offers { items.append(text) }
                rest = rest.dropFirst(offers.count)
            }
            place = last.place
        }
        return items
    }

    // MARK: Commands

    /// Drops a dead letter; does nothing if it does not exist.
    package func drop(_ number: Int, of stream: String) async throws {
        try await store.removeDeadLetter(number, of: stream)
        noteRoom(stream)
    }

    /// Sends a dead letter again: another request is made, under a key of its own. Of one stream, 16 letters are sent at
    /// the same time, and the others wait.
    ///
    /// - Returns: The letter; `nil` where it or its sink does not exist.
    /// - Throws: ``StreamError`` when the request can't be made; `StoreError`.
    package func resend(_ number: Int, of stream: String) async throws -> StoredDeadLetter? {
        // Before the letter is read: of two calls, one makes the request.
        guard let isFirst = streams[stream]?.letters.rendered.insert(number).inserted else { return nil }
        guard isFirst else {
            var letter = try await store.deadLetter(number, of: stream)
            letter?.isResending = true
            return letter
        }
        defer { streams[stream]?.letters.rendered.remove(number) }
        guard var letter = try await store.deadLetter(number, of: stream),
            let sink = streams[stream]?.sinks[letter.sink]?.sink
        else { return nil }
        if letter.isResending { return letter }
        let items = try JSON(parsing: letter.items).array ?? []
        letter.request = try await renderer.request(for: items, to: sink, of: stream)
        if !letter.key.isEmpty { letter.round += 1 }
        letter.key = DeliveryKey.make(
            stream: stream,
            run: try await name(ofRun: letter.place.run, of: stream),
            sink: letter.sink,
            sequence: letter.place.sequence,
            round: letter.round
        )
        letter.isResending = true
        try await store.replaceDeadLetter(letter)
        sendLetters(of: stream)
        return letter
    }

    // MARK: Sending

    /// Sends the letters of the store that are to be sent again, as far as there is room for them.
    func sendLetters(of stream: String) {
        guard let letters = streams[stream]?.letters, !isClosed else { return }
        streams[stream]?.letters.isCalled = true
        guard !letters.isSearching else { return }
        streams[stream]?.letters.isSearching = true
        perform { await self.search(stream) }
    }

    private func search(_ stream: String) async {
        while !isClosed, streams[stream]?.letters.isCalled ?? false {
            streams[stream]?.letters.isCalled = false
            do {
                let numbers = try await store.deadLettersToResend(of: stream, limit: 2 * Self.resentAtOnce)
                for number in numbers { try await send(number, of: stream) }
            } catch {
                log("\(stream): the dead letters can't be sent again: \(error)")
                _ = timer.schedule(at: timer.now.advanced(byClamping: Self.patience)) { [weak self] in
                    guard let self else { return }
                    perform { await self.sendLetters(of: stream) }
                }
                break
            }
        }
        streams[stream]?.letters.isSearching = false
    }

    private func send(_ number: Int, of stream: String) async throws {
        guard let sent = streams[stream]?.letters.sent, !isClosed else { return }
        guard sent.count < Self.resentAtOnce, streams[stream]?.letters.sent.insert(number).inserted ?? false else {
            return
        }
        var isSent = false
        defer { if !isSent { streams[stream]?.letters.sent.remove(number) } }
        // It may have been dropped, or delivered, since its number was read.
        guard var letter = try await store.deadLetter(number, of: stream), letter.isResending, !isClosed else { return }
        guard let work = streams[stream]?.sinks[letter.sink], let request = letter.request else {
            letter.isResending = false
            return try await store.replaceDeadLetter(letter)
        }
        isSent = true
        deliver(letter.key, request, work, stream) { [letter] in
            await $0.end(letter, $1)
        }
    }

    private func end(_ letter: StoredDeadLetter, _ outcome: Outbox.Outcome) async {
        guard !isClosed else { return }
        do {
            switch outcome {
            case .delivered: try await store.removeDeadLetter(letter.number, of: letter.stream)
            case .failed(let error, _), .held(let error, _), .refused(let error):
                var letter = letter
                (letter.error, letter.isResending) = (error, false)
                try await store.replaceDeadLetter(letter)
            }
        } catch {
            log("\(letter.stream): the dead letter \(letter.number) can't be stored: \(error)")
            _ = timer.schedule(at: timer.now.advanced(byClamping: Self.patience)) { [weak self] in
                guard let self else { return }
                perform { await self.end(letter, outcome) }
            }
            return
        }
        streams[letter.stream]?.letters.sent.remove(letter.number)
        if case .delivered = outcome { noteRoom(letter.stream) }
        sendLetters(of: letter.stream)
    }
}
