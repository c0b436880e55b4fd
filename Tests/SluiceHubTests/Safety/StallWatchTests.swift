#if Hub
import NIOCore
import Testing

@testable import SluiceHub

/// A reader counts as stalled after a time without progress.
@Suite struct StallWatchTests {
    @Test(
        arguments: [
            // What waits, second by second, and whether it is too long at the end, of a patience of three seconds.
            ([100, 100, 100, 100, 100], true),
            ([100, 90, 80, 70, 60], false),
            ([100, 100, 100, 99, 99], false),
            // Something went on to be written while it had no room.
            ([100, 200, 300, 400, 500], true),
            // It had room in between.
            ([100, 100, 0, 100, 100], false),
            ([0, 0, 0, 0, 0], false),
            ([0, 0, 0, 0, 50], false),
        ]
    )
    func whatWaitsAndDoesNotBecomeLess(_ held: [Int], _ isStalled: Bool) {
        let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
        var stall = StallWatch.Stall(since: start)
        var lasts = false
        for (second, bytes) in held.enumerated() {
            lasts = stall.lasts(.seconds(3), holding: bytes, at: start + .seconds(Int64(second)))
        }
        #expect(lasts == isStalled)
    }
}
#endif
