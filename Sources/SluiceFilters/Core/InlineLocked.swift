#if SLUICE_THREAD_SANITIZER
internal import Sluice

typealias InlineLocked<Value> = Locked<Value>
#else
internal import Synchronization

/// As `Locked`, compiled in this module: what is generic and comes from another module of the package is not specialized
/// here, and costs a lookup of its types in each call. For the state that every call of a filter touches.
struct InlineLocked<Value>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>

    init(_ value: consuming sending Value) { mutex = Mutex(value) }

    @inline(__always)
    func withLock<Result>(_ body: (inout sending Value) throws -> sending Result) rethrows -> sending Result {
        try mutex.withLock(body)
    }
}
#endif
