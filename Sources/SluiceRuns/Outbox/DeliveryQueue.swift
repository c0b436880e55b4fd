/// The deliveries of a sink in the order of their outputs, with the sums over them that each look at the sink needs.
///
/// A `Deque` has optional elements, which can't be read in place: each look at a delivery would copy it.
///
/// - Complexity: O(1) for each operation that is declared here, amortized.
struct DeliveryQueue: Sendable, RandomAccessCollection, MutableCollection {
    /// The deliveries. Those before `head` have left the queue, and are empty.
    private var entries: [Outbox.Entry] = []
    private var head = 0
    /// The number of deliveries at which the sink is blocked.
    private(set) var blockedCount = 0
    /// The number of deliveries that need a request.
    private(set) var draftCount = 0
    /// The size of the requests, in bytes.
    private(set) var requestSize = 0

    var startIndex: Int { 0 }
    var endIndex: Int { entries.count - head }

    subscript(index: Int) -> Outbox.Entry {
        _read { yield entries[head + index] }
        _modify {
            add(at: head + index, times: -1)
            defer { add(at: head + index, times: 1) }
            yield &entries[head + index]
        }
    }

    mutating func append(_ entry: Outbox.Entry) {
        entries.append(entry)
        add(at: entries.count - 1, times: 1)
    }

    /// Removes the oldest delivery.
    ///
    /// - Returns: The delivery; `nil` if there was none.
    mutating func popFirst() -> Outbox.Entry? {
        guard head < entries.count else { return nil }
        add(at: head, times: -1)
        let entry = entries[head]
        entries[head] = Outbox.Entry(first: entry.first, last: entry.last)
        head += 1
        if head >= 64, 2 * head >= entries.count {
            entries.removeFirst(head)
            head = 0
        }
        return entry
    }

    private mutating func add(at index: Int, times factor: Int) {
        if entries[index].isBlocked { blockedCount += factor }
        if entries[index].needsRequest { draftCount += factor }
        if let request = entries[index].request { requestSize += factor * request.text.utf8.count }
    }
}

extension Outbox.Entry {
    /// A Boolean value that indicates whether its request can be made, and was not.
    var needsRequest: Bool { !isDone && request == nil && isLoaded }
}
