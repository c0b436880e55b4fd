import SluiceJSON
import SluiceStreams
import Testing

@Suite struct TunnelLayoutTests {
    private func event<Value>(_ seconds: Double, _ value: Value) -> StreamEvent<Value> {
        StreamEvent(time: StreamTime(seconds: seconds) ?? .zero, kind: .value(value))
    }

    private func end(_ seconds: Double, _ kind: StreamEvent<Int>.Kind = .completed) -> StreamEvent<Int> {
        StreamEvent(time: StreamTime(seconds: seconds) ?? .zero, kind: kind)
    }

    @Test func valuesTravelFromOneEndToTheOther() {
        let events = [event(1, 7), end(2)]
        #expect(TunnelLayout(events, at: .seconds(0)).balls == [])
        let positions = [1, 3.5, 6, 11].map { TunnelLayout(events, at: .seconds($0)).balls.map(\.position) }
        #expect(positions == [[0], [0.25], [0.5], [1]])
        #expect(TunnelLayout(events, at: .seconds(12)).balls == [])
        let layout = TunnelLayout(events, at: .seconds(7))
        #expect(layout.balls.map(\.text) == ["7"])
        #expect(layout.marks.map(\.kind) == [.completed])
        #expect(layout.marks.map(\.position) == [0.5])
    }

    @Test func anErrorIsAMarkWithItsText() {
        let error = StreamError(message: "broken")
        let layout = TunnelLayout([end(0, .reported(error)), end(1, .failed(error))], at: .seconds(1))
        #expect(layout.marks.map(\.kind) == [.reported, .failed])
        #expect(layout.marks.map(\.text) == [error.description, error.description])
        #expect(layout.marks.map(\.id) == [0, 1])
    }

    /// No two balls of a lane overlap, and a ball stays in its lane as time passes.
    @Test func overlappingValuesHaveLanes() {
        let events = (0..<40).map { event(Double($0) * 0.3, $0) }
        var lanes: [Int: Int] = [:]
        for tenth in 0...200 {
            let layout = TunnelLayout(events, at: .milliseconds(100 * tenth), ballWidth: 0.1)
            #expect(layout.balls.allSatisfy { $0.lane < layout.laneCount })
            for ball in layout.balls {
                #expect(lanes[ball.id, default: ball.lane] == ball.lane)
                lanes[ball.id] = ball.lane
            }
            for lane in 0..<layout.laneCount {
                let positions = layout.balls.filter { $0.lane == lane }.map(\.position)
                #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 - $1 >= 0.1 - 1e-9 })
            }
        }
        #expect(lanes.count == 40)
    }

    @Test func valuesWithoutALaneAreCounted() {
        let layout = TunnelLayout((0..<10).map { event(0, $0) }, at: .zero)
        #expect(layout.balls.map(\.lane) == [0, 1, 2, 3])
        #expect(layout.laneCount == TunnelLayout.maximumLaneCount)
        #expect(layout.omittedCount == 6)
        #expect(TunnelLayout((0..<10).map { event(0, $0) }, at: .seconds(60)).omittedCount == 0)
    }

    @Test func ticksAreAtRoundTimes() {
        let ticks = TunnelLayout([StreamEvent<Int>](), at: .seconds(13)).ticks
        #expect(ticks.map(\.text) == ["4 s", "6 s", "8 s", "10 s", "12 s"])
        #expect(ticks.map(\.position) == [0.9, 0.7, 0.5, 0.3, 0.1])
        let start = TunnelLayout([StreamEvent<Int>](), at: .milliseconds(500), window: .seconds(1)).ticks
        #expect(start.map(\.text) == ["0", "0.2 s", "0.4 s"])
        #expect(start.map(\.time) == [.zero, .milliseconds(200), .milliseconds(400)])
    }

    /// Values of one origin have one color in all stages.
    @Test func aStageOfAPictureHasOrigins() {
        let second = StreamTime(seconds: 1) ?? .zero
        let marks = [
            MarblePicture.Mark(time: second, kind: .value(["a": 1]), origins: [3]),
            MarblePicture.Mark(time: second, kind: .completed),
        ]
        let layout = TunnelLayout(MarblePicture.Row(name: "map", marks: marks), at: .seconds(2))
        #expect(layout.balls.map(\.origins) == [[3]])
        #expect(layout.balls.map(\.text) == [#"{"a":1}"#])
        #expect(layout.marks.count == 1)
    }

    @Test(arguments: [Duration.zero, .seconds(-5), .nanoseconds(1)])
    func anInvalidWindowIsOfAMillisecond(_ window: Duration) {
        let layout = TunnelLayout(
            [event(0, "a long text that does not fit")],
            at: .zero,
            window: window,
            ballWidth: .nan
        )
        #expect(layout.balls.map(\.position) == [0])
        #expect(layout.balls.allSatisfy { $0.text.count <= 12 })
        #expect(layout.ticks.map(\.text) == ["0"])
        #expect(TunnelLayout([event(0, 1)], at: .seconds(-1)).balls.count == 1)
    }
}
