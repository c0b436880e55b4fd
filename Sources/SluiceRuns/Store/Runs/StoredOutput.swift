import SluiceJSON
public import SluiceStreams

/// An output of a run.
public struct StoredOutput: Sendable, Hashable {
    /// The kinds of outputs.
    public enum Kind: String, Sendable, Codable {
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

    /// Creates the output of an event.
    init(_ event: StreamEvent<JSON>, run: Int, sequence: Int) {
        let (kind, text): (Kind, String) =
            switch event.kind {
            case .value(let value): (.value, value.description)
            case .reported(let error): (.reported, error.description)
            case .completed: (.completed, "")
            case .failed(let error): (.failed, error.description)
            }
        self.init(run: run, sequence: sequence, time: event.time, kind: kind, text: text)
    }
}

extension StoredOutput: Codable {
    private enum Key: String, CodingKey {
        case run, sequence, nanoseconds, kind, text
    }

    /// Reads an output.
    public init(from decoder: any Decoder) throws {
        let output = try decoder.container(keyedBy: Key.self)
        self.init(
            run: try output.decode(Int.self, forKey: .run),
            sequence: try output.decode(Int.self, forKey: .sequence),
            time: StreamTime(nanoseconds: max(0, try output.decode(Int64.self, forKey: .nanoseconds))),
            kind: try output.decode(Kind.self, forKey: .kind),
            text: try output.decode(String.self, forKey: .text)
        )
    }

    /// Writes the output.
    public func encode(to encoder: any Encoder) throws {
        var output = encoder.container(keyedBy: Key.self)
        try output.encode(run, forKey: .run)
        try output.encode(sequence, forKey: .sequence)
        try output.encode(time.nanoseconds, forKey: .nanoseconds)
        try output.encode(kind, forKey: .kind)
        try output.encode(text, forKey: .text)
    }
}
