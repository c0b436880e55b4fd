package import Sluice

// Filters report their actions as follows:
//
//     CallContext.note("RetryFilter", "failed: \(error)")     // or context.note(…) where the context is at hand
//
// If no one explains the call, this reads one word and doesn't make the text.

/// A recorder of the actions of filters in one call; its ``Sluice/CallContext`` carries it.
package final class CallRecorder: Sendable {
    /// The maximum number of steps; further ones are only counted, since a call may have any number of attempts.
    private static let limit = 1000

    private let timer: CallTimer
    private let start: Int64
    private let storage = Locked(CallTrail())

    package init(clock: any Clock<Duration>) {
        timer = .of(clock)
        start = timer.now
    }

    /// The record so far.
    package var trail: CallTrail { storage.withLock { $0 } }

    func note(_ filter: String, _ event: String, attempt: Int) {
        let time = Duration.nanoseconds(timer.now - start)
        let step = CallTrail.Step(time: time, attempt: attempt, filter: filter, event: event)
        storage.withLock { trail in
            if trail.steps.count < Self.limit { trail.steps.append(step) } else { trail.omitted += 1 }
        }
    }
}

extension CallContext {
    /// Records the action of a filter, if the call is being explained.
    package func note(_ filter: @autoclosure () -> String, _ event: @autoclosure () -> String) {
        guard let recorder = recorder as? CallRecorder else { return }
        recorder.note(filter(), event(), attempt: attempt)
    }

    /// A Boolean value that indicates whether the running call is being explained: check it before a ``note(_:_:)``
    /// that every call would make.
    package static var isExplained: Bool { !isCurrentEmpty && current.recorder != nil }

    /// Records the action of a filter in the running call's trail, if the call is being explained.
    package static func note(_ filter: @autoclosure () -> String, _ event: @autoclosure () -> String) {
        current.note(filter(), event())
    }
}
