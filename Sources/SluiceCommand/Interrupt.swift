#if Command
import ArgumentParser
import Dispatch
import Foundation
import Sluice

/// Calls a closure when the process is interrupted or asked to end; ends it at the second time, or when the closure has
/// not ended it within 5 seconds.
final class Interrupt {
    private let sources: [any DispatchSourceSignal]

    init(_ body: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "sluice.interrupt")
        let heard = Heard()
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)  // else it would end the process at once
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if heard.isSecond { exit(ExitCode.interrupted.rawValue) }
                body()
                queue.asyncAfter(deadline: .now() + 5) { exit(ExitCode.interrupted.rawValue) }
            }
            source.resume()
            return source
        }
    }

    /// Hears no more.
    func end() {
        for source in sources { source.cancel() }
    }

    /// A flag that indicates whether there was an earlier interrupt.
    private final class Heard: Sendable {
        private let wasHeard = Locked(false)

        var isSecond: Bool {
            wasHeard.withLock { heard in
                defer { heard = true }
                return heard
            }
        }
    }
}
#endif
