#if Hub
@preconcurrency import Dispatch  // sources are used from any thread, which Linux's Dispatch does not declare
import Foundation
import ServiceLifecycle
import Sluice

/// Ends the hub when the process is asked to end (SIGINT, SIGTERM), and remembers which signal asked.
///
/// The first signal begins an orderly shutdown; a second one, or the end of the time limit, ends the process at once. Both
/// are watched by a queue of their own, so that nothing that the hub does can hold them up.
final class SignalWatch: Service {
    private let asking = Asking()
    private let numbers: [Int32]
    private let sources: [any DispatchSourceSignal]
    private let asked: AsyncStream<Void>

    /// The signal that asked first; `isOver` once the hub has ended.
    private final class Asking: Sendable {
        let first = Locked<Int32?>(nil)
        let isOver = Locked(false)
    }

    /// The exit code of a process that was ended before its shutdown was complete.
    static let exitCode: Int32 = 130

    /// Watches from now on, until ``end()``.
    ///
    /// - Parameters:
    ///   - limit: the longest time that an orderly shutdown may take.
    ///   - onHangup: the work to do on SIGHUP; without it, that signal ends the process as usual.
    ///   - exit: ends the process.
    init(
        limit: Duration,
        onHangup: (@Sendable () async -> Void)? = nil,
        exit: @escaping @Sendable (Int32) -> Void = { code in _exit(code) }
    ) {
        let queue = DispatchQueue(label: "sluice.signals", qos: .userInteractive)
        let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
        self.asked = asked
        let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) / 1e18
        numbers = [SIGINT, SIGTERM] + (onHangup == nil ? [] : [SIGHUP])
        sources = numbers.map { number in
            signal(number, SIG_IGN)  // or it would end the process before the source is asked
            return DispatchSource.makeSignalSource(signal: number, queue: queue)
        }
        if let onHangup, let hangup = sources.last {
            hangup.setEventHandler { Task { await onHangup() } }
            hangup.resume()
        }
        for (source, number) in zip(sources, [SIGINT, SIGTERM]) {
            source.setEventHandler { [asking] in
                let isFirst = asking.first.withLock { first in
                    defer { first = first ?? number }
                    return first == nil
                }
                guard isFirst else { return exit(Self.exitCode) }
                continuation.yield()
                queue.asyncAfter(deadline: .now() + seconds) {
                    if asking.isOver.withLock({ $0 }) { return }
                    let text = "sluice: the hub has not ended within \(seconds) seconds: its last output may be lost\n"
                    FileHandle.standardError.write(Data(text.utf8))
                    exit(Self.exitCode)
                }
            }
            source.resume()
        }
    }

    /// A Boolean value that indicates whether an interrupt (SIGINT, Ctrl-C) ended the hub.
    var isInterrupted: Bool { asking.first.withLock { $0 == SIGINT } }

    /// Returns when the process is asked to end.
    func run() async throws {
        await cancelWhenGracefulShutdown { [asked] in
            for await _ in asked { return }
        }
    }

    /// Stops watching: the process does with signals what it does by default.
    func end() {
        for source in sources { source.cancel() }
        for number in numbers { signal(number, SIG_DFL) }
        asking.isOver.withLock { $0 = true }
    }
}
#endif
