/// A command for a stream that runs on a member of a group, which the hub forwards to the holder of the lease.
package enum LeasedCommand: Sendable, Codable, Hashable {
    case start, resume, pause, step, reset
    case speed(factor: Double)
    case retry(sink: String)
    case skip(sink: String)
    case resend(letter: Int)
    case drop(letter: Int)
}

/// A command with its number among those of the hub.
package struct LeasedOrder: Sendable, Codable, Hashable {
    /// The number: one that was taken is not taken again.
    package let number: Int
    /// The command.
    package let command: LeasedCommand

    /// Creates an order.
    package init(_ number: Int, _ command: LeasedCommand) { (self.number, self.command) = (number, command) }
}

/// The outcome of a command, as the holder of the lease answers it.
package enum LeasedOutcome: Sendable, Codable, Hashable {
    /// The kind of a refusal.
    package enum Refusal: String, Sendable, Codable {
        /// The state of the run, or of the sink, doesn't allow it.
        case conflict
        /// The document, or an expression of it, has an error.
        case invalid
        /// It can't be done now.
        case unavailable
    }

    /// The run afterward, as JSON.
    case run(json: String)
    /// The sinks afterward, as JSON, with a Boolean value that indicates whether there was something to do; `nil` where
    /// there is no such sink.
    case sinks(json: String, isDone: Bool?)
    /// A Boolean value that indicates whether there is such a dead letter, and its sink.
    case letter(isFound: Bool)
    /// The reason why it was not done.
    case refused(Refusal, reason: String)
}
