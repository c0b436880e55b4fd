#if Hub
import Foundation
import Sluice

/// The signals that ask a process to end: the first one begins an orderly shutdown; a second one, or the end of the time limit,
/// ends the process at once.
final class ShutdownWatch: Sendable {
    /// The state of the process.
    private enum State {
        case running
        case ending(by: Int32)
        /// The hub has ended in time.
        case over(by: Int32?)

        var signal: Int32? {
            switch self {
            case .running: nil
            case .ending(let signal): signal
            case .over(let signal): signal
            }
        }
    }

    private let state = Locked(State.running)
    private let limit: Duration
    private let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    private let exit: @Sendable (Int32, _ reason: String?) -> Void

    /// The exit code of a process that was ended before its shutdown was complete.
    static let exitCode: Int32 = 130

    /// Creates the watch of a process that runs.
    ///
    /// - Parameters:
    ///   - limit: The longest time that an orderly shutdown may take.
    ///   - schedule: A closure that calls another one after a time.
    ///   - exit: A closure that ends the process with a code, after it has said why.
    init(
        limit: Duration,
        after schedule: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void,
        exit: @escaping @Sendable (Int32, _ reason: String?) -> Void
    ) {
        (self.limit, self.schedule, self.exit) = (limit, schedule, exit)
    }

    /// Takes a signal.
    ///
    /// - Returns: A Boolean value that indicates whether it begins the shutdown.
    func take(_ signal: Int32) -> Bool {
        let isFirst = state.withLock { state in
            guard case .running = state else { return false }
            state = .ending(by: signal)
            return true
        }
        guard isFirst else {
            exit(Self.exitCode, nil)
            return false
        }
        schedule(limit) { [self] in
            guard state.withLock({ if case .ending = $0 { true } else { false } }) else { return }
            let seconds = limit / .seconds(1)
            exit(Self.exitCode, "the hub has not ended within \(seconds) seconds: its last output may be lost")
        }
        return true
    }

    /// Notes that the hub has ended.
    func end() { state.withLock { $0 = .over(by: $0.signal) } }

    /// The signal that began the shutdown; `nil` without one.
    var signal: Int32? { state.withLock { $0.signal } }
}
#endif
