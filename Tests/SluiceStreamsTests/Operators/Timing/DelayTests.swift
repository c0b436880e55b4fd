import Testing

@testable import SluiceStreams

struct DelayTests {
    static let delay = #"[{"delay": {"seconds": 2}}]"#

    @Test func completionWaitsForTheLastValue() throws {
        try expect("1-2|", Self.delay, gives: "--1-(2|)")
        try expect("1----|", Self.delay, gives: "--1--|")
    }

    @Test func anErrorIsNotDelayed() throws { try expect("1-2#", Self.delay, gives: "--1#") }

    @Test func emptyAndNever() throws {
        try expect("---|", Self.delay, gives: "---|")
        try expect("1-", Self.delay, gives: "--1")
    }

    @Test func leaving() throws { try expect("1-2|", Self.delay, gives: "--1", leaving: 4) }

    @Test func noDelayIsTheSameInstant() throws {
        try expect("1-(23)|", #"[{"delay": {"seconds": 0}}]"#, gives: "1-(23)|")
    }

    @Test func oneTimerServesAllThatWait() throws {
        let run = Run()
        let sum = Cell(0)
        let sink = Sink<Int>(lifetime: run.lifetime.child(), end: { _ in }, receive: { sum.state += $0 })
        let second = try #require(StreamTime(seconds: 1))
        Flow.values(contentsOf: Array(repeating: 1, count: 100_000)).delay(for: .seconds(1)).subscribe(
            Scope(run: run, outer: nil),
            sink
        )
        #expect(run.queue.count == 1)
        #expect(run.held == 100_000)
        run.advance(to: second)
        #expect(sum.state == 100_000)
        #expect(run.held == 0)
        #expect(run.queue.count == 0)
    }

    @Test func whatWaitsIsLimited() {
        let flow = Flow.values(contentsOf: Array(0..<11)).delay(for: .zero)
        let events = text(flow.virtualEvents(limits: StreamLimits(heldItems: 10)))
        #expect(events == ["0# operators hold back more than 10 items"])
    }
}
