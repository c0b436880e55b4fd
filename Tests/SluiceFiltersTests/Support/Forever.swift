import Sluice

/// A node that waits until it is canceled, and counts how many of its calls have begun and are running.
struct Forever: Node {
    let calls = Calls()

    final class Calls: Sendable {
        private let counts = Locked((begun: 0, running: 0))
        var begun: Int { counts.withLock { $0.begun } }
        var running: Int { counts.withLock { $0.running } }
        fileprivate func begin() { counts.withLock { $0 = ($0.begun + 1, $0.running + 1) } }
        fileprivate func end() { counts.withLock { $0.running -= 1 } }
    }

    func process(_ input: Int) async throws -> Int {
        calls.begin()
        defer { calls.end() }
        return try await Context<Int>().value
    }
}
