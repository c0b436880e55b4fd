import Sluice
import SluiceTesting
import Testing

@Suite struct RecordingNodeTests {
    private struct Odd: Error {}

    @Test func keepsInputsResultsAndTheirOrder() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let node = RecordingNode { (input: Int) in
            if input == 1 { for await _ in gate { break } }
            if input == 2 { throw Odd() }
            return input * 10
        }
        async let first = node.process(1)
        while node.count < 1 { await Task.yield() }
        await #expect(throws: Odd.self) { try await node.process(2) }
        #expect(node.invocations[0].result == nil)
        #expect(node.invocations[0].end == nil)
        _ = try await node.process(3)
        open.yield()
        _ = try await first
        #expect(node.inputs == [1, 2, 3])
        #expect(node.outputs == [30, 10])
        #expect(node.invocations.map(\.end) == [2, 0, 1])
        #expect(throws: Odd.self) { try node.invocations[1].result?.get() }
        #expect(try node.invocations[2].result?.get() == 30)
    }

    @Test func anyNumberOfCallsAtOnce() async throws {
        let node = RecordingNode(AnyNode("double") { (input: Int) in input * 2 })
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<1000 { group.addTask { try await node.process(number) } }
            try await group.waitForAll()
        }
        #expect(node.count == 1000)
        #expect(node.inputs.sorted() == Array(0..<1000))
        #expect(node.invocations.compactMap(\.end).sorted() == Array(0..<1000))
        #expect(node.description == "double")
    }

    @Test func cancelReachesTheNode() async throws {
        let clock = TestClock()
        let node = RecordingNode { (_: Int) in try await clock.sleep(until: clock.now + .seconds(1)) }
        let call = Task { try await node.process(1) }
        await clock.sleepers(1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(throws: CancellationError.self) { try node.invocations[0].result?.get() }
    }
}
