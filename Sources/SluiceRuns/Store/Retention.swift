package import Foundation

/// How much a store keeps.
///
/// Never removed are a stream as it is now, the revision that its run has, and what a run needs to go on.
public struct Retention: Sendable, Hashable {
    /// The most revisions of a stream; all where it is `nil`.
    public var revisions: Int?
    /// The most outputs of a stream, over all its runs; all where it is `nil`.
    public var outputs: Int?
    /// How long revisions and outputs stay after they were stored; for ever where it is `nil`.
    public var age: Duration?

    /// Makes a setting; counts below 1 are 1.
    public init(revisions: Int? = 100, outputs: Int? = 10_000, age: Duration? = nil) {
        self.revisions = revisions.map { max(1, $0) }
        self.outputs = outputs.map { max(1, $0) }
        self.age = age
    }

    /// Returns the time before which entries are too old to be kept; `nil` where age does not matter.
    package func oldest(at now: Date) -> Date? {
        age.map { now - (Double($0.components.seconds) + Double($0.components.attoseconds) / 1e18) }
    }
}
