/// The looks of a test that waits for another task, thread, or process: at first one after the other, then once a
/// millisecond, so that many waits at a time leave the processor to the work that they wait for.
///
/// No clock of a test moves other processes, so the clock is the real one unless a test has another. The verdict doesn't depend on the pause: a wait ends when its condition holds.
public struct Looks {
    private var count = 0
    private let clock: any Clock<Duration>

    /// Makes looks that begin.
    public init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

    /// Lets others go on before the next look.
    public mutating func pause(isolation: isolated (any Actor)? = #isolation) async {
        count += 1
        // A task that is canceled doesn't sleep.
        if count > 100, (try? await clock.sleep(for: .milliseconds(1))) != nil { return }
        await Task.yield()
    }
}
