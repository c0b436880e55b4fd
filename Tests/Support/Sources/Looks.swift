/// The looks of a test that waits for another task, thread, or process: at first one after the other, then once a
/// millisecond, so that many waits at a time leave the processor to the work that they wait for.
///
/// No clock of a test moves other processes. The verdict doesn't depend on the pause: a wait ends when its condition holds.
public struct Looks {
    private var count = 0

    /// Makes looks that begin.
    public init() {}

    /// Lets others go on before the next look.
    public mutating func pause(isolation: isolated (any Actor)? = #isolation) async {
        count += 1
        // A task that is canceled doesn't sleep.
        if count > 100, (try? await Task.sleep(for: .milliseconds(1))) != nil { return }
        await Task.yield()
    }
}
