public import SluiceStreams

/// An output of a run.
public struct StoredOutput: Sendable, Hashable {
    /// The kinds of outputs.
    public enum Kind: String, Sendable {
        /// A value; the text is JSON.
        case value
        /// An item that was dropped with an error; the text is the error's.
        case reported
        /// The completion; the text is empty.
        case completed
        /// The end with an error; the text is the error's.
        case failed
    }

    /// The number of the run, from 1.
    public let run: Int
    /// The position in the run, from 1.
    public let sequence: Int
    /// The time of the run.
    public let time: StreamTime
    /// The kind of the output.
    public let kind: Kind
    /// The value or the error.
    public let text: String

    /// Makes an output.
    public init(run: Int, sequence: Int, time: StreamTime, kind: Kind, text: String) {
        self.run = run
        self.sequence = sequence
        self.time = time
        self.kind = kind
        self.text = text
    }
}
