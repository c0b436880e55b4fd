import Sluice

/// The number of documents that were parsed and compiled by a task, for tests of what a write costs.
package final class DocumentWork: Sendable {
    /// The counter of the current task; `nil` where nobody counts.
    @TaskLocal package static var current: DocumentWork?

    /// The work that was done.
    package struct Counts: Sendable, Equatable {
        /// The texts that were parsed.
        package var parses = 0
        /// The documents that were compiled, each with what it refers to.
        package var compiles = 0

        /// Creates counts.
        package init(parses: Int = 0, compiles: Int = 0) { (self.parses, self.compiles) = (parses, compiles) }
    }

    private let state = Locked(Counts())

    /// Creates a counter at zero.
    package init() {}

    /// The work so far.
    package var counts: Counts { state.withLock { $0 } }

    func countParse() { state.withLock { $0.parses += 1 } }

    func countCompile() { state.withLock { $0.compiles += 1 } }
}
