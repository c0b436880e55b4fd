import Foundation

/// The count of allocations so far, from the library that `bin/bench` preloads; nil without it.
enum Allocations {
    private static let function: (@convention(c) () -> UInt)? = {
        // The value nil represents RTLD_DEFAULT on Linux: every library that is loaded.
        guard let symbol = dlsym(nil, "sluice_allocation_count") else { return nil }
        return unsafeBitCast(symbol, to: (@convention(c) () -> UInt).self)
    }()

    static var count: UInt? { function?() }

    /// The allocations of one run of `body`.
    static func during(_ body: () -> Void) -> Int? {
        guard let before = count else { return nil }
        body()
        return count.map { Int($0 - before) }
    }
}
