/// What a run is doing.
enum RunState: String, Sendable, Equatable {
    /// There is none, or it was ended.
    case idle
    case running
    /// Its time stands still.
    case paused
    /// It has failed and waits for its next try.
    case restarting
    case completed
    case failed
    /// The document has errors, and nothing ran before.
    case blocked

    /// Whether it is to go on when the hub is started again.
    var goesOn: Bool { self == .running || self == .paused || self == .restarting }
    /// Whether it has come to its end.
    var hasEnded: Bool { self == .completed || self == .failed }
}
