#if Hub
@preconcurrency import Dispatch  // sources are used from any thread, which Linux's Dispatch does not declare
import Foundation
import ServiceLifecycle
import Sluice

/// Ends the hub when the process is asked to end (SIGINT, SIGTERM), by the rules of ``ShutdownWatch``.
///
/// The signals and the time limit are watched by a queue of their own, so that nothing that the hub does can hold them up.
final class SignalWatch: Service {
    private let shutdown: ShutdownWatch
    private let numbers: [Int32]
    private let sources: [any DispatchSourceSignal]
    private let asked: AsyncStream<Void>

    /// Watches from now on, until ``end()``.
    ///
    /// - Parameters:
    ///   - limit: the longest time that an orderly shutdown may take.
    ///   - onHangup: the work to do on SIGHUP; without it, that signal ends the process as usual.
    init(limit: Duration, onHangup: (@Sendable () async -> Void)? = nil) {
        let queue = DispatchQueue(label: "sluice.signals", qos: .userInteractive)
        let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
        self.asked = asked
        let shutdown = ShutdownWatch(
            limit: limit,
            after: { duration, body in queue.asyncAfter(deadline: .now() + duration / .seconds(1)) { body() } },
            exit: { code, reason in
                if let reason { FileHandle.standardError.write(Data("sluice: \(reason)\n".utf8)) }
                _exit(code)
            }
        )
        self.shutdown = shutdown
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
            source.setEventHandler { if shutdown.take(number) { continuation.yield() } }
            source.resume()
        }
    }

    /// A Boolean value that indicates whether an interrupt (SIGINT, Ctrl-C) ended the hub.
    var isInterrupted: Bool { shutdown.signal == SIGINT }

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
        shutdown.end()
    }
}
#endif
