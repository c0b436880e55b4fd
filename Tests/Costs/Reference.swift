/// Work of the kind that an interpreter does, in none of our own code: allocates, counts references, looks keys up, and
/// adds. Its time tells how fast the machine is.
enum Reference {
    /// The milliseconds of the machine whose evaluations take at most ``limit``.
    static let nominal = 40.0

    /// A node of a list.
    private final class Node {
        let key: String
        let next: Node?

        init(_ key: String, _ next: Node?) {
            self.key = key
            self.next = next
        }
    }

    /// Returns the processor time of the work in milliseconds: the least of three.
    static func milliseconds() -> Double {
        var least = Double.infinity
        for _ in 0..<3 {
            let start = threadTime()
            let sum = work()
            least = min(least, threadTime() - start)
            precondition(sum == 6_000_000)
        }
        return least
    }

    private static func work() -> Int {
        let lengths = Dictionary(uniqueKeysWithValues: (0..<64).map { ("the key \($0)", 10) })
        let keys = Array(lengths.keys)
        var sum = 0
        for round in 0..<600_000 {
            let node = Node(keys[round % 64], round % 2 == 0 ? nil : Node(keys[(round + 1) % 64], nil))
            sum += lengths[node.key] ?? 0
        }
        return sum
    }
}
