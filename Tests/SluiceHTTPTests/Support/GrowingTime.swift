#if HTTP
/// Runs a test of a timeout with increasing times, until the machine is fast enough to reach the part under test.
///
/// On a loaded machine, a short time may end before the tested part has begun. The last time is long enough for any
/// load.
///
/// - Parameter body: a closure that returns whether its time ended in the tested part.
func withGrowingTime(_ body: (Duration) async throws -> Bool) async rethrows -> Bool {
    for time: Duration in [.milliseconds(80), .milliseconds(500), .seconds(3), .seconds(20)] {
        if try await body(time) { return true }
    }
    return false
}
#endif
