/// What is to happen, ordered by time, then by the order of scheduling: a binary heap.
///
/// - Complexity: O(log *n*) to schedule and to take, O(1) to look.
struct EventQueue<Event: Sendable>: Sendable {
    private struct Entry: Sendable {
        let time: StreamTime
        let sequence: UInt64
        let event: Event

        func precedes(_ other: Entry) -> Bool { (time, sequence) < (other.time, other.sequence) }
    }

    private var heap: [Entry] = []
    private var sequence: UInt64 = 0

    var isEmpty: Bool { heap.isEmpty }

    /// When the next event is due.
    var nextDue: StreamTime? { heap.first?.time }

    /// Adds an event.
    mutating func schedule(_ event: Event, at time: StreamTime) {
        heap.append(Entry(time: time, sequence: sequence, event: event))
        sequence += 1
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].precedes(heap[parent]) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes the next event, if it is due by `limit`.
    mutating func take(by limit: StreamTime) -> (time: StreamTime, event: Event)? {
        guard let first = heap.first, first.time <= limit else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return (first.time, first.event)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].precedes(heap[least]) { least = child }
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
