import Foundation
import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// Outputs that are stored in the middle of what the deliveries do.
@Suite(.timeLimit(.minutes(30))) struct LateOutputTests {
    /// An output that is stored while a sink waits for an answer of the store is delivered, and not only with the next one.
    /// The output comes in the middle of each call in turn.
    @Test func anOutputThatIsStoredDuringACallIsDelivered() async throws {
        var number = 0
        var isOver = false
        while !isOver {
            number += 1
            let reads = SinkReads()
            let calls = Locked(0)
            let world = try await Delivering(DeliveriesTests.ticks(DeliveriesTests.sink), counting: reads)
            try await Self.store(1, in: world)
            reads.onDone.withLock { [number] in
                $0 = {
                    guard
                        calls.withLock({
                            $0 += 1; return $0
                        }) == number
                    else { return }
                    try? await Self.store(2, in: world)
                    await world.deliveries.wake("a")
                }
            }
            var program = try Supervised.program(DeliveriesTests.ticks(DeliveriesTests.sink), revision: 1)
            _ = try program.takeCompiled()
            world.deliveries.use(program.sinks, of: "a", after: .start)
            await world.pass(0)
            isOver = calls.withLock { $0 } < number
            #expect(world.receiver.values == (isOver ? [1] : [1, 2]), "stored during call \(number)")
        }
        #expect(number > 5)
    }

    /// Stores an output as a run does.
    private static func store(_ sequence: Int, in world: Delivering) async throws {
        let output = StoredOutput(
            run: 1,
            sequence: sequence,
            time: StreamTime(nanoseconds: 0),
            kind: .value,
            text: "\(sequence)"
        )
        try await world.supervised.store.commit(
            RunCommit(
                stream: "a",
                run: 1,
                isNewRun: sequence == 1,
                revision: 1,
                state: "running",
                savedAt: Date(timeIntervalSince1970: 0),
                outputs: [output]
            )
        )
        world.deliveries.publish(output.place, size: 1, of: "a")
    }
}
