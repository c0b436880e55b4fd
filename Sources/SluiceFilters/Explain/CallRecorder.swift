package import Sluice

// How a filter tells what it did:
//
//     CallContext.note("RetryFilter", "failed: \(error)")     // or context.note(…) where the context is at hand
//
// Nobody who explains a call: one word is read, the text is not made.

/// Writes down what the filters of one call do; carried by its ``Sluice/CallContext``.
package final class CallRecorder: Sendable {
    /// More steps than this are counted only: a call may have any number of tries.
    private static let limit = 1000

    private let timer: CallTimer
    private let start: Int64
    private let storage = Locked(CallTrail())

    package init(clock: any Clock<Duration>) {
        timer = .of(clock)
        start = timer.now
    }

    /// What was written down so far.
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
    /// Writes down what a filter does, if somebody wants to know.
    package func note(_ filter: @autoclosure () -> String, _ event: @autoclosure () -> String) {
        guard let recorder = recorder as? CallRecorder else { return }
        recorder.note(filter(), event(), attempt: attempt)
    }

    /// Whether somebody wants to know what the filters of the running call do: asked before a ``note(_:_:)`` where
    /// every call would make one.
    package static var isExplained: Bool { !isCurrentEmpty && current.recorder != nil }

    /// Writes down in the running call's trail what a filter does, if somebody wants to know.
    package static func note(_ filter: @autoclosure () -> String, _ event: @autoclosure () -> String) {
        current.note(filter(), event())
    }
}
