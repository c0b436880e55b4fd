#if Hub
import Foundation

/// The most files and connections that this process may have open at once.
enum FileDescriptors {
    /// The number that is kept free for the store, for what streams connect to, and for the program itself.
    static let reserve = 64

    /// Returns the number of connections for which there is room, at most `wanted`.
    static func connections(wanted: Int, limit: Int = limit) -> Int { max(1, min(wanted, limit - reserve)) }

    /// The current limit of the process.
    static var limit: Int {
        var values = rlimit()
        guard getrlimit(resource, &values) == 0 else { return .max }
        return Int(clamping: values.rlim_cur)
    }

    /// Raises the limit of the process as far as it may, up to `wanted`; leaves it where that fails.
    static func raise(to wanted: Int) {
        var values = rlimit()
        guard getrlimit(resource, &values) == 0 else { return }
        let goal = min(rlim_t(wanted), values.rlim_max)
        guard values.rlim_cur < goal else { return }
        values.rlim_cur = goal
        _ = setrlimit(resource, &values)
    }

    #if canImport(Glibc)
    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #else
    private static var resource: Int32 { RLIMIT_NOFILE }
    #endif
}
#endif
