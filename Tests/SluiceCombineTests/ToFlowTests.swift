#if canImport(Combine) || OpenCombine
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceCombine

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

/// Publishers and subjects as streams.
@Suite struct ToFlowTests {
    let clock = TestClock()

    private func values<Value: Sendable>(_ flow: Flow<Value>) async throws -> [Value] {
        var values: [Value] = []
        for try await value in flow.values(clock: clock) { values.append(value) }
        return values
    }

    @Test(arguments: [1, 2, 256]) func everyValueComesOnceAndInOrder(buffering count: Int) async throws {
        let numbers = Array(0..<1_000)
        #expect(try await values(numbers.publisher.toFlow(buffering: count)) == numbers)
    }

    /// Each run subscribes again, and operators apply to the stream.
    @Test func runsAreIndependent() async throws {
        let flow = [1, 2, 3].publisher.toFlow().filter { $0 != 2 }
        for _ in 0..<2 { #expect(try await values(flow) == [1, 3]) }
    }

    @Test func theErrorOfThePublisherIsTheErrorOfTheStream() async {
        let flow = Fail<Int, StreamError>(error: StreamError(message: "broken")).toFlow()
        await #expect(throws: StreamError(message: "broken")) { try await values(flow) }
    }

    /// A subject's values wait for a slow reader, as many as the buffer has room for.
    @Test(arguments: [(1, ["a"]), (3, ["a", "b", "c"]), (256, ["a", "b", "c", "d"])])
    func valuesOfASubjectWait(buffering count: Int, _ expected: [String]) async throws {
        let subject = PassthroughSubject<String, Never>()
        let reader = PublisherValues(
            subject.setFailureType(to: (any Error).self).eraseToAnyPublisher(),
            ahead: count
        ).makeAsyncIterator()
        for name in ["a", "b", "c", "d"] { subject.send(name) }
        subject.send(completion: .finished)
        var seen: [String] = []
        while let name = try await reader.next() { seen.append(name) }
        #expect(seen == expected)
    }

    @Test func aCurrentValueIsTheFirst() async throws {
        let subject = CurrentValueSubject<Int, Never>(7)
        var iterator = subject.toFlow().values(clock: clock).makeAsyncIterator()
        #expect(try await iterator.next() == 7)
        subject.send(8)
        #expect(try await iterator.next() == 8)
        subject.send(completion: .finished)
        #expect(try await iterator.next() == nil)
    }

    /// Ending the run cancels the subscription.
    @Test func theEndOfTheRunCancels() async throws {
        let (canceled, cancel) = AsyncStream.makeStream(of: Void.self)
        let publisher = PassthroughSubject<Int, Never>().prepend(1).handleEvents(receiveCancel: { cancel.finish() })
        #expect(try await values(publisher.toFlow().prefix(1)) == [1])
        for await _ in canceled {}
    }
}
#endif
