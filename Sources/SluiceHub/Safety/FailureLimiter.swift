#if Hub
/// Bounds how often one address may fail to log in. It is pure.
///
/// It is the generic cell rate algorithm (ITU-T I.371): of each address it keeps one instant, by which its failures are
/// forgotten.
struct FailureLimiter {
    /// The time after which one failure is forgotten, in nanoseconds.
    let interval: Int64
    /// The largest number of failures at once.
    let burst: Int64
    /// The largest number of addresses that are remembered.
    static let addresses = 1024

    private var clear: [String: Int64] = [:]

    init(interval: Int64, burst: Int64) {
        self.interval = interval
        self.burst = burst
    }

    /// Returns the time that an address has to wait before its next attempt, in nanoseconds; zero if it may try now.
    func wait(_ address: String, at now: Int64) -> Int64 {
        guard let clear = clear[address] else { return 0 }
        return max(0, clear - now - interval * (burst - 1))
    }

    /// Records a failure of an address.
    mutating func fail(_ address: String, at now: Int64) {
        if clear.count >= Self.addresses, clear[address] == nil {
            clear = clear.filter { $0.value > now }
            // The address with the fewest failures is forgotten.
            if clear.count >= Self.addresses, let least = clear.min(by: { $0.value < $1.value })?.key {
                clear[least] = nil
            }
        }
        clear[address] = max(clear[address] ?? now, now) + interval
    }
}
#endif
