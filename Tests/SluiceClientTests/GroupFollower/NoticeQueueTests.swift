import Testing

@testable import SluiceClient

@Suite(.timeLimit(.minutes(30))) struct NoticeQueueTests {
    private func number(_ notice: FollowerNotice?) -> Int? {
        if case .restored(let number)? = notice { number } else { nil }
    }

    @Test func orderIsThatOfArrival() async throws {
        let queue = NoticeQueue(limit: 4)
        for number in 0..<3_000 { queue.push(.restored(documents: number)) }
        queue.finish(nil)
        queue.push(.restored(documents: -1))
        var seen: [Int] = []
        while let next = number(try await queue.next()) { seen.append(next) }
        #expect(seen == Array(0..<3_000))
    }

    @Test func whoAddsWaitsForRoom() async throws {
        let queue = NoticeQueue(limit: 4)
        let work = Task {
            for number in 0..<1_000 {
                try await queue.room()
                queue.push(.restored(documents: number))
            }
            queue.finish(nil)
        }
        var seen = 0
        while let next = number(try await queue.next()) {
            #expect(next == seen)
            seen += 1
        }
        try await work.value
        #expect(seen == 1_000)
    }

    @Test func errorComesAfterWhatWaits() async throws {
        let queue = NoticeQueue(limit: 4)
        queue.push(.hubIsBack)
        queue.finish(Enough())
        queue.finish(nil)
        #expect(try await queue.next() != nil)
        await #expect(throws: Enough.self) { try await queue.next() }
        // Nobody waits for room where nobody reads any more.
        try await queue.room()
    }

    @Test func cancellingEndsBothWaits() async throws {
        let queue = NoticeQueue(limit: 1)
        let reader = Task { try await queue.next() }
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        queue.push(.hubIsBack)
        let writers = (0..<3).map { _ in Task { try await queue.room() } }
        for writer in writers { writer.cancel() }
        for writer in writers { await #expect(throws: CancellationError.self) { try await writer.value } }
    }
}
