import Foundation

/// The work that the tests of a document may do together, so that none runs forever or fills the memory.
///
/// It is counted in instants of virtual time and bytes of values, the same on every machine. A hub bounds the processor
/// time too. Each test counts as an instant, since the document is compiled for it.
package final class TestBudget {
    /// The number of instants that are left.
    private var instants: Int
    /// The size of values that is left, in bytes.
    private var bytes: Int
    /// The processor time of the thread at which the tests end, in nanoseconds; `nil` for no bound.
    private let end: UInt64?
    /// A closure that returns the processor time of the thread, in nanoseconds.
    private let clock: () -> UInt64
    /// The reason for which tests ended early; `nil` if none did.
    private(set) var reason: String?

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - instants: The number of instants.
    ///   - megabytes: The size of all values that stages pass on and sinks deliver, in megabytes.
    ///   - seconds: The processor time of the thread that runs the tests; `nil` for no bound.
    package convenience init(instants: Int = 1_000_000, megabytes: Int = 1024, seconds: Double? = nil) {
        self.init(
            instants: instants,
            megabytes: megabytes,
            seconds: seconds,
            clock: { ProcessorTime.ofThread }
        )
    }

    /// Creates a budget whose time is that of a clock, in nanoseconds.
    init(instants: Int = 1_000_000, megabytes: Int = 1024, seconds: Double?, clock: @escaping () -> UInt64) {
        (self.instants, bytes) = (instants, megabytes << 20)
        self.clock = clock
        end = seconds.map { clock() + UInt64($0 * 1e9) }
    }

    /// The limits of the runs.
    static let limits = StreamLimits(eventsPerInstant: 100_000, heldItems: 100_000, valueSize: 16 << 20)

    /// A Boolean value that indicates whether nothing is left.
    var isSpent: Bool { reason != nil }

    /// Counts instants, and the values of their stages; the time is looked at in any case.
    func spend(bytes size: Int, instants count: Int = 0) {
        instants = max(-1, instants - count)
        bytes = max(-1, bytes - min(size, 1 << 50))
        if reason != nil { return }
        if instants < 0 {
            reason = "it has more instants than a test may have: does it end?"
        } else if bytes < 0 {
            reason = "its values take more memory than those of a test may"
        } else if let end, clock() > end {
            reason = "it takes more time than the tests of a document may"
        }
    }
}
