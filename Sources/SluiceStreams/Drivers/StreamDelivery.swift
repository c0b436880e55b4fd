import Sluice

/// The error for an item that takes more memory than a value of the stream may.
package struct StreamItemSizeError: Error, Hashable, CustomStringConvertible {
    /// The estimated size, in bytes.
    let size: Int
    /// The largest size, in bytes.
    let limit: Int

    package var description: String {
        "the item takes \(size.inMegabytes) in memory, and may take \(limit.inMegabytes)"
    }
}

/// An item on its way into a run, for a sender that waits until the run has taken it.
///
/// It ends once: the run has taken it, or it was withdrawn and will never be taken. One with a closure ends when the store has it.
package final class StreamDelivery: Sendable {
    private enum State {
        case waiting
        /// The run has it; whether it keeps it is decided at the end of its turn.
        case held
        case ended(Bool)
    }

    private struct Content {
        var state = State.waiting
        var continuation: CheckedContinuation<Bool, Never>?
    }

    private let content = Locked(Content())
    /// A closure that is called when the store has the item; `nil` where the run only has to take it.
    let onStored: (@Sendable () -> Void)?

    package init() { onStored = nil }

    /// Creates an item with a call for the time when the store has it, and with it everything that the source sent before.
    ///
    /// - Parameter onStored: A closure that is called at most once, on any thread. It must return soon.
    package init(onStored: @escaping @Sendable () -> Void) { self.onStored = onStored }

    /// Returns a Boolean value that indicates whether the run has taken the item, once that is known.
    ///
    /// It is called once.
    package func isTaken() async -> Bool {
        await withCheckedContinuation { continuation in
            let taken = content.withLock { content -> Bool? in
                if case .ended(let isTaken) = content.state { return isTaken }
                content.continuation = continuation
                return nil
            }
            if let taken { continuation.resume(returning: taken) }
        }
    }

    /// Withdraws the item, unless the run has it.
    package func withdraw() {
        let continuation = content.withLock { content -> CheckedContinuation<Bool, Never>? in
            guard case .waiting = content.state else { return nil }
            content.state = .ended(false)
            return content.continuation.take()
        }
        continuation?.resume(returning: false)
    }

    /// Hands the item to the run; returns `false` if it was withdrawn.
    func hold() -> Bool {
        content.withLock { content in
            guard case .waiting = content.state else { return false }
            content.state = .held
            return true
        }
    }

    /// Ends the delivery of an item that the run has.
    func end(isTaken: Bool) {
        let continuation = content.withLock { content -> CheckedContinuation<Bool, Never>? in
            if case .ended = content.state { return nil }
            content.state = .ended(isTaken)
            return content.continuation.take()
        }
        continuation?.resume(returning: isTaken)
    }
}
