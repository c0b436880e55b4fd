import SluiceJSON
import SluiceTestSupport
import Testing

@testable import SluiceRuns
@testable import SluiceStreams

@Suite struct RunStatusTests {
    /// The encoded text equals the JSON of any status at any time.
    @Test func theTextIsThatOfTheJSON() throws {
        var random = Seeded(seed: 1)
        for _ in 0..<500 {
            let speed: Double = [1, 0.01, 2.5, 100][Int.random(in: 0..<4, using: &random)]
            let pace = Pace(at: 5, speed: speed, isPaused: Bool.random(using: &random))
            var status = RunStatus(stream: #"a "b" \ é"#, pace: pace)
            status.state = [.idle, .running, .failed][Int.random(in: 0..<3, using: &random)]
            status.run = Int.random(in: 0...3, using: &random)
            if Bool.random(using: &random) {
                status.lag = StreamTime(seconds: Double.random(in: 0...2, using: &random))
            }
            if Bool.random(using: &random) { status.skipped = 7 }
            if Bool.random(using: &random) { (status.error, status.waiting) = ("\n", "") }
            if Bool.random(using: &random) { status.warning = #", "time": "# }
            if Bool.random(using: &random) {
                let id = Bool.random(using: &random) ? "m" : nil
                status.stages = [.init(name: "map", id: id, path: "operators[0]", expression: "x", inputs: [0, 1])]
            }
            let now = Int64.random(in: 0...10_000_000_000, using: &random)
            #expect(StatusText(status).text(at: status.time(at: now)) == status.json(at: now).description)
        }
    }
}
