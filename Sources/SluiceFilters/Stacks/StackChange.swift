/// The effects of an edit of a ``StackDocument`` on the running filters.
///
/// Each filter is named by its id, or by its kind and its position among those of its kind: `breaker`, `timeout-2`; a
/// budget is named `budget users`.
public struct StackChange: Sendable, Equatable, Codable, CustomStringConvertible {
    /// The filters that continue with their state.
    public var kept: [String] = []
    /// The filters that exist before and after, but are reset since their parameters have changed.
    public var reset: [String] = []
    /// The filters that are new.
    public var added: [String] = []
    /// The filters that are removed.
    public var dropped: [String] = []

    /// Creates a change.
    public init(kept: [String] = [], reset: [String] = [], added: [String] = [], dropped: [String] = []) {
        self.kept = kept
        self.reset = reset
        self.added = added
        self.dropped = dropped
    }

    /// The change as text: `added: timeout; kept: breaker`; `nothing` for no changes.
    public var description: String {
        let parts = [("added", added), ("dropped", dropped), ("reset", reset), ("kept", kept)]
        let texts = parts.filter { !$0.1.isEmpty }.map { "\($0.0): " + $0.1.joined(separator: ", ") }
        return texts.isEmpty ? "nothing" : texts.joined(separator: "; ")
    }
}
