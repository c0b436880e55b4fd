/// Runs a test of a timeout with longer and longer times, until the machine was fast enough for what comes before it.
///
/// On a loaded machine a short time may end before the part that the test is about has begun. The last time is long
/// enough for any load.
///
/// - Parameter body: returns whether its time ended in the right part.
func withGrowingTime(_ body: (Duration) async throws -> Bool) async rethrows -> Bool {
    for time: Duration in [.milliseconds(80), .milliseconds(500), .seconds(3), .seconds(20)] {
        if try await body(time) { return true }
    }
    return false
}
