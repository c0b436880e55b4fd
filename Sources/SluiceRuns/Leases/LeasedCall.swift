/// A call of the store of a stream that runs on a member of a group, as it is sent to the hub: as JSON.
///
/// Both sides have the same type, so that the supervisor and the deliveries of a member work on the hub's store.
package enum LeasedCall: Sendable, Codable {
    case run
    case lastRun
    case journal
    /// The outputs of one run.
    case outputsOfRun(run: Int?, after: Int, limit: Int)
    /// The outputs of all runs after a place.
    case outputs(after: OutputPlace, limit: Int)
    case sinks
    case deliveries(sink: String)
    case lettersToResend(limit: Int)
    case letter(number: Int)
    case letterCounts
    case commit(run: RunCommit)
    case commitSinks(sinks: [SinkCommit])
    case removeSink(sink: String)
    case replaceLetter(letter: StoredDeadLetter)
    case removeLetter(number: Int)
    case name(run: Int)
    /// The removal of the run, which begins again.
    case forgetRun
    /// The answer to a command that the hub has forwarded.
    case answer(order: Int, outcome: LeasedOutcome)

    /// A Boolean value that indicates whether the call changes the store.
    package var isWrite: Bool {
        switch self {
        case .commit, .commitSinks, .removeSink, .replaceLetter, .removeLetter, .name, .forgetRun, .answer: true
        default: false
        }
    }

    /// The ids of the streams that the call writes.
    package var streams: Set<String> {
        switch self {
        case .commit(let commit): [commit.stream]
        case .commitSinks(let commits): Set(commits.map(\.sink.stream) + commits.flatMap(\.letters).map(\.stream))
        case .replaceLetter(let letter): [letter.stream]
        default: []
        }
    }
}

/// A call with the number of the write among those of its lease.
package struct LeasedRequest: Sendable, Codable {
    /// The number of a write, from 1: one that is sent again, since its answer was lost, is done once. `nil` for a read.
    package let write: Int?
    /// The call.
    package let call: LeasedCall

    /// Creates a request.
    package init(write: Int?, call: LeasedCall) { (self.write, self.call) = (write, call) }
}

/// An answer of a member's call of the store.
package struct LeasedAnswer<Value: Codable & Sendable>: Sendable, Codable {
    /// The value; `nil` for an answer without one.
    package let value: Value?

    /// Creates an answer.
    package init(_ value: Value?) { self.value = value }
}

/// The answer of the hub to a member that asks for a lease.
package struct LeaseAnswer: Sendable, Codable, Equatable {
    /// The number of the lease; `nil` where somebody else has it.
    package var number: Int?
    /// The seconds for which the lease is granted, or for which somebody else has it at least.
    package var seconds: Double
    /// The reason for which the member has to wait.
    package var reason: String?
    /// The place of the last output of the stream.
    package var cursor: String?
    /// The commands that the holder is to perform; those that it has not answered come again.
    package var orders: [LeasedOrder]?

    /// Creates an answer.
    package init(
        number: Int? = nil,
        seconds: Double,
        reason: String? = nil,
        cursor: String? = nil,
        orders: [LeasedOrder]? = nil
    ) {
        (self.number, self.seconds, self.reason, self.cursor) = (number, seconds, reason, cursor)
        self.orders = orders
    }
}
