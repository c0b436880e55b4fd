package import Foundation

/// The limits of a store's history.
///
/// The current revision of a stream, the revision that its run uses, and everything that the run needs to resume are
/// never removed.
public struct Retention: Sendable, Hashable {
    /// The largest number of revisions of a stream; `nil` for no limit.
    public var revisions: Int?
    /// The largest number of outputs of a stream, over all its runs; `nil` for no limit.
    public var outputs: Int?
    /// The largest size of the outputs of a stream, over all its runs, in bytes; `nil` for no limit. The newest output is kept,
    /// however large it is.
    public var size: Int?
    /// The time for which revisions and outputs are kept after they were stored; `nil` for no limit.
    public var age: Duration?

    /// Makes limits. Counts and sizes below 1 count as 1.
    public init(revisions: Int? = 100, outputs: Int? = 10_000, size: Int? = 64 << 20, age: Duration? = nil) {
        self.revisions = revisions.map { max(1, $0) }
        self.outputs = outputs.map { max(1, $0) }
        self.size = size.map { max(1, $0) }
        self.age = age
    }

    /// Returns the time before which entries are too old to be kept; `nil` where age does not matter.
    package func oldest(at now: Date) -> Date? {
        age.map { now - (Double($0.components.seconds) + Double($0.components.attoseconds) / 1e18) }
    }
}
