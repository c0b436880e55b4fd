/// The place of an output among all outputs of a stream: the run, and the position in it.
public struct OutputPlace: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    /// The number of the run, from 1; 0 for the place before all outputs.
    public let run: Int
    /// The position in the run, from 1; 0 for the place before its first output.
    public let sequence: Int

    /// The place before all outputs.
    public static let start = OutputPlace(run: 0, sequence: 0)

    /// Creates a place.
    public init(run: Int, sequence: Int) { (self.run, self.sequence) = (run, sequence) }

    /// Reads the description of a place, such as `2-17`; `nil` for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let run = Int(parts[0]), let sequence = Int(parts[1]) else { return nil }
        self.init(run: run, sequence: sequence)
    }

    /// Returns a Boolean value that indicates whether a place is before another.
    public static func < (a: OutputPlace, b: OutputPlace) -> Bool { (a.run, a.sequence) < (b.run, b.sequence) }

    /// The place as text: `2-17` is output 17 of run 2.
    public var description: String { "\(run)-\(sequence)" }
}

extension StoredOutput {
    /// The place of the output.
    public var place: OutputPlace { OutputPlace(run: run, sequence: sequence) }
}
