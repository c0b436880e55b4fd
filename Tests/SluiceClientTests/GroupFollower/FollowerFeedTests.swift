#if HTTP
import Sluice
import SluiceJSON
import SluiceRuns
import SluiceStreams
import Testing

@testable import SluiceClient

@Suite(.timeLimit(.minutes(30))) struct FollowerFeedTests {
    private func number(_ notice: FollowerNotice?) -> Int? {
        if case .restored(let number)? = notice { number } else { nil }
    }

    private func output(_ stream: String, _ number: Int) -> FollowerNotice {
        let place = FollowerNotice.Place(revision: 1, run: 1, sequence: number)
        return .event(stream: stream, at: place, StreamEvent(time: .zero, kind: .value(.int(Int64(number)))))
    }

    @Test func orderIsThatOfArrival() async throws {
        let feed = FollowerFeed(limit: 4)
        for number in 0..<3_000 { feed.push(.restored(documents: number)) }
        feed.finish(nil)
        feed.push(.restored(documents: -1))
        var seen: [Int] = []
        while let next = number(try await feed.next()) { seen.append(next) }
        #expect(seen == Array(0..<3_000))
    }

    @Test func roomComesWithReading() async throws {
        let feed = FollowerFeed(limit: 4)
        let work = Task {
            for number in 0..<1_000 {
                await feed.room()
                feed.push(.restored(documents: number))
            }
            feed.finish(nil)
        }
        var seen = 0
        while let next = number(try await feed.next()) {
            #expect(next == seen)
            seen += 1
        }
        await work.value
        #expect(seen == 1_000)
    }

    @Test func errorComesAfterTheNoticesThatWait() async throws {
        let feed = FollowerFeed(limit: 4)
        feed.push(.hubIsBack)
        feed.finish(Enough())
        feed.finish(nil)
        #expect(try await feed.next() != nil)
        await #expect(throws: Enough.self) { try await feed.next() }
    }

    @Test func cancelingEndsTheReader() async throws {
        let feed = FollowerFeed(limit: 1)
        let reader = Task { try await feed.next() }
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
    }

    @Test func aRunWithoutRoomHasATurnWhenThereIsRoom() async throws {
        let feed = FollowerFeed(limit: 2)
        let turns = Locked(0)
        feed.onSubscription(of: "a") { turns.withLock { $0 += 1 } }
        #expect(feed.hasRoom(for: "a"))
        feed.push(output("a", 1))
        feed.push(output("a", 2))
        #expect(!feed.hasRoom(for: "a"))
        #expect(turns.withLock { $0 } == 0)
        _ = try await feed.next()
        #expect(turns.withLock { $0 } == 1)
        #expect(feed.hasRoom(for: "a"))
    }

    @Test func aStreamIsDrainedWhenItsOutputsWereRead() async throws {
        let feed = FollowerFeed(limit: 10)
        let turns = Locked(0)
        feed.onSubscription(of: "a") { turns.withLock { $0 += 1 } }
        #expect(feed.isDrained("a"))
        for number in 1...2 { feed.push(output("a", number)) }
        feed.push(output("b", 1))
        #expect(!feed.isDrained("a"))
        for number in 1...2 {
            let notice = try await feed.next()
            // It was read, and its reader may still fail.
            #expect(!feed.isDrained("a") && turns.withLock { $0 } == 0)
            feed.acknowledge(try #require(notice))
            #expect(feed.isDrained("a") == (number == 2))
        }
        #expect(turns.withLock { $0 } == 1)
        // The output of the other was not read, and will not be.
        feed.close()
        #expect(!feed.isDrained("b") && feed.isDrained("a"))
        #expect(!feed.hasRoom(for: "a"))
        await feed.room()
    }
}
#endif
