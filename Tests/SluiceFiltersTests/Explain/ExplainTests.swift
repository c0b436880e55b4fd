import Foundation
import Sluice
import SluiceTesting
import Testing

@testable import SluiceFilters

private struct Failure: Error, Equatable {}

@Suite struct ExplainTests {
    let clock = TestClock()

    /// A node that tells what it does.
    private func telling(_ text: String) -> AnyNode<Int, Int> {
        AnyNode { [clock] input in
            CallContext.note("Telling", "\(text) \(input)")
            clock.advance(by: .milliseconds(1500))
            CallContext.note("Late", "over")
            return input
        }
    }

    @Test func tellsWhatWhenAndInWhichTry() async throws {
        var context = CallContext.current
        context.attempt = 2
        let call = await withCallContext(context) { await telling("took").explain(4, clock: clock) }
        #expect(try call.value == 4)
        #expect(
            call.trail.steps == [
                .init(time: .zero, attempt: 2, filter: "Telling", event: "took 4"),
                .init(time: .milliseconds(1500), attempt: 2, filter: "Late", event: "over"),
            ]
        )
        #expect(call.trail.description == "0.000 s  try 2  Telling  took 4\n1.500 s  try 2  Late     over")
    }

    @Test func errorsAreResults() async {
        let call = await AnyNode<Int, Int> { _ in throw Failure() }.explain(1)
        #expect(throws: Failure()) { try call.value }
        #expect(call.trail == CallTrail())
    }

    @Test func nobodyAsksNothingIsMade() {
        let made = Tries()
        func text() -> String {
            made.note(1)
            return ""
        }
        CallContext.note("x", text())
        #expect(made.count == 0)
    }

    @Test func aTrailIsBounded() async {
        let call = await AnyNode<Int, Int> { count in
            for step in 0..<count { CallContext.note("Loop", "\(step)") }
            return 0
        }.explain(1003)
        #expect(call.trail.steps.count == 1000)
        #expect(call.trail.omitted == 3)
        #expect(call.trail.description.hasSuffix("Loop  999\n… and 3 more"))
    }

    @Test func trailsAreData() throws {
        let trail = CallTrail(steps: [.init(time: .milliseconds(250), attempt: 1, filter: "F", event: "e")], omitted: 2)
        let data = try JSONEncoder().encode(trail)
        #expect(try JSONDecoder().decode(CallTrail.self, from: data) == trail)
        #expect(String(decoding: data, as: UTF8.self).contains("0.25"))
        let hostile = Data(#"{"steps":[{"time":1e300,"attempt":1,"filter":"","event":""}],"omitted":0}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(CallTrail.self, from: hostile) }
    }

    @Test func itReachesTasksOfTheCall() async throws {
        let node = AnyNode<Int, Int> { [clock] input in
            let call: Observer<Int> = AnyNode<Int, Int> {
                CallContext.note("Inner", "here")
                return $0
            }.start(input)
            _ = clock
            return try await call.value
        }
        #expect(await node.explain(1).trail.steps.map(\.filter) == ["Inner"])
    }
}
