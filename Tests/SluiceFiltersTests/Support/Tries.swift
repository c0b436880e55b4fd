import Sluice

/// Notes numbers, from any thread.
final class Tries: Sendable {
    private let tries = Locked<[Int]>([])
    func note(_ attempt: Int) { tries.withLock { $0.append(attempt) } }
    var count: Int { tries.withLock { $0.count } }
    var all: [Int] { tries.withLock { $0 } }
}
