import SluiceStreams
import Testing

@Suite struct StreamTimeTests {
    @Test(arguments: [
        (0, "0"), (1, "1"), (1.5, "1.5"), (0.25, "0.25"), (1e-9, "0.000000001"), (1e9, "1000000000"), (0.1, "0.1"),
        (12.000_000_01, "12.00000001"),
    ])
    func textIsExact(_ seconds: Double, _ text: String) throws {
        let time = try #require(StreamTime(seconds: seconds))
        #expect(time.description == text)
        #expect(time.seconds == seconds)
    }

    @Test(arguments: [-0.1, .nan, .infinity, -.infinity, 1e9.nextUp, -.leastNonzeroMagnitude])
    func outOfRangeIsNoTime(_ seconds: Double) {
        #expect(StreamTime(seconds: seconds) == nil)
    }
}
