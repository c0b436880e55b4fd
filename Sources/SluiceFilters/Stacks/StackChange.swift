/// What an edit of a ``StackDocument`` does to the filters that run.
///
/// Each is named by its id, or by its kind and place among those of its kind: `breaker`, `timeout-2`; a budget is named
/// `budget users`.
public struct StackChange: Sendable, Equatable, CustomStringConvertible {
    /// What goes on with its state.
    public var kept: [String] = []
    /// What is there before and after, and begins anew since its parameters have changed.
    public var reset: [String] = []
    /// What was not there.
    public var added: [String] = []
    /// What is there no more.
    public var dropped: [String] = []

    /// Makes a change.
    public init(kept: [String] = [], reset: [String] = [], added: [String] = [], dropped: [String] = []) {
        self.kept = kept
        self.reset = reset
        self.added = added
        self.dropped = dropped
    }

    /// `added: timeout; kept: breaker`; `nothing` for none.
    public var description: String {
        let parts = [("added", added), ("dropped", dropped), ("reset", reset), ("kept", kept)]
        let texts = parts.filter { !$0.1.isEmpty }.map { "\($0.0): " + $0.1.joined(separator: ", ") }
        return texts.isEmpty ? "nothing" : texts.joined(separator: "; ")
    }
}
