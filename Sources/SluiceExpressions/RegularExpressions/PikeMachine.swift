/// A machine that runs a program over a text, following all alternatives at once, with each instruction at most once
/// for each code point.
///
/// It charges for each instruction that it executes, so that the cost of a match reflects the work.
final class PikeMachine {
    let expression: RegularExpression
    let text: [UInt8]
    /// The number of places in a match: two for the match and two for each group, or 0 if only success matters.
    let slotCount: Int
    /// The last generation in which each instruction was entered.
    private let marks: UnsafeMutablePointer<UInt32>
    private var generation: UInt32 = 0
    private var current: Threads
    private var next: Threads
    private let stack: UnsafeMutablePointer<Entry>
    /// The places of the current thread.
    private let places: UnsafeMutablePointer<Int32>
    /// The number of instructions that were executed and not charged yet.
    private var work = 0

    /// The number of instructions for a unit of cost.
    private static let workPerUnit = 4

    /// The active threads in order of preference, with the places of each.
    private struct Threads {
        let counters: UnsafeMutablePointer<UInt32>
        let places: UnsafeMutablePointer<Int32>
        var count = 0

        init(_ size: Int, _ slotCount: Int) {
            counters = .allocate(capacity: size)
            places = .allocate(capacity: size * slotCount)
        }

        func deallocate() {
            counters.deallocate()
            places.deallocate()
        }
    }

    /// An instruction to enter; or, with a slot below 0, a place to restore once all instructions after it were
    /// entered.
    private struct Entry {
        var counter: UInt32
        var slot: Int32 = -1
        var place: Int32 = 0
    }

    init(
        _ expression: RegularExpression,
        _ string: String,
        _ frame: inout Frame,
        isCapturing: Bool
    ) throws(Fault) {
        let size = expression.program.count
        try frame.charge(4 + string.utf8.count / 100 + size / 10)
        guard string.utf8.count < Int32.max else { throw Fault(.limitExceeded, "a text of more than 2 GB") }
        self.expression = expression
        slotCount = isCapturing ? 2 * expression.groups.count + 2 : 0
        text = Array(string.utf8)
        marks = .allocate(capacity: size)
        marks.initialize(repeating: 0, count: size)
        places = .allocate(capacity: slotCount)
        // Every instruction is entered at most once, and leaves at most two behind.
        stack = .allocate(capacity: 2 * size + 2)
        current = Threads(size, slotCount)
        next = Threads(size, slotCount)
    }

    deinit {
        marks.deallocate()
        places.deallocate()
        stack.deallocate()
        current.deallocate()
        next.deallocate()
    }

    /// Returns the places of the leftmost match and its groups in bytes, with -1 for groups that took no part; nil
    /// without a match. Without capturing, the result is empty.
    func match(from start: Int, _ frame: inout Frame) throws(Fault) -> [Int]? {
        var found: [Int]?
        var position = start
        current.count = 0
        startStep()
        while true {
            if found == nil, !expression.isAnchored || position == 0 {
                if slotCount > 0 {
                    for slot in 0..<slotCount { places[slot] = -1 }
                    work += 2
                }
                enter(0, at: position, into: &current)
            }
            if work >= 1024 { try charge(&frame) }
            startStep()
            next.count = 0
            let (scalar, length) = decode(position)
            walk(scalar, at: position + length, isEnd: length == 0, &found)
            let isOver =
                length == 0 || found != nil && (slotCount == 0 || next.count == 0)
                || expression.isAnchored && next.count == 0
            if isOver {
                try charge(&frame)
                return found
            }
            swap(&current, &next)
            position += length
        }
    }

    private func charge(_ frame: inout Frame) throws(Fault) {
        let units = 1 + work / PikeMachine.workPerUnit
        work = 0
        try frame.charge(units)
    }

    private func startStep() {
        if generation == .max {
            marks.update(repeating: 0, count: expression.program.count)
            generation = 0
        }
        generation += 1
    }

    /// Advances every thread over one code point, until one of them has found a match: later ones are not preferred.
    private func walk(_ scalar: UInt32, at position: Int, isEnd: Bool, _ found: inout [Int]?) {
        let program = expression.program
        let sets = expression.sets
        var next = next
        for index in 0..<current.count {
            let counter = current.counters[index]
            let isTaken: Bool
            switch program[Int(counter)] {
            case .match:
                found = (0..<slotCount).map { Int(current.places[index * slotCount + $0]) }
                work += index
                self.next = next
                return
            case .one(let value): isTaken = scalar == value && !isEnd
            case .set(let set):
                // Beyond ASCII, ranges and categories are searched.
                if scalar >= 128 { work += 8 }
                isTaken = !isEnd && sets[Int(set)].contains(scalar)
            default: isTaken = false
            }
            guard isTaken else { continue }
            for slot in 0..<slotCount { places[slot] = current.places[index * slotCount + slot] }
            enter(counter + 1, at: position, into: &next)
        }
        work += current.count
        self.next = next
    }

    /// Enters an instruction and all instructions that follow it without reading, in order of preference.
    private func enter(_ start: UInt32, at position: Int, into threads: inout Threads) {
        let program = expression.program
        stack[0] = Entry(counter: start)
        var depth = 1
        var entered = 0
        while depth > 0 {
            depth -= 1
            let entry = stack[depth]
            if entry.slot >= 0 {
                places[Int(entry.slot)] = entry.place
                continue
            }
            var counter = Int(entry.counter)
            follow: while marks[counter] != generation {
                marks[counter] = generation
                entered += 1
                switch program[counter] {
                case .jump(let target): counter = Int(target)
                case .split(let first, let second):
                    stack[depth] = Entry(counter: second)
                    depth += 1
                    counter = Int(first)
                case .save(let slot):
                    if slot < slotCount {
                        stack[depth] = Entry(counter: 0, slot: Int32(slot), place: places[Int(slot)])
                        depth += 1
                        places[Int(slot)] = Int32(truncatingIfNeeded: position)
                    }
                    counter += 1
                case .assertion(let assertion):
                    guard holds(assertion, at: position) else { break follow }
                    counter += 1
                case .set, .one, .match:
                    threads.counters[threads.count] = UInt32(counter)
                    for slot in 0..<slotCount { threads.places[threads.count * slotCount + slot] = places[slot] }
                    threads.count += 1
                    entered += slotCount / 8
                    break follow
                }
            }
        }
        work += entered
    }

    // MARK: The text

    /// Returns the code point at a byte and its length, which is 0 at the end.
    private func decode(_ position: Int) -> (UInt32, Int) {
        guard position < text.count else { return (0, 0) }
        let first = UInt32(text[position])
        if first < 0x80 { return (first, 1) }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        var scalar = first & (0xFF >> UInt32(length + 1))
        // The text of a string is valid UTF-8.
        for index in (position + 1)..<min(text.count, position + length) {
            scalar = scalar << 6 | UInt32(text[index] & 0x3F)
        }
        return (scalar, length)
    }

    private func holds(_ assertion: RegularExpressionNode.Assertion, at position: Int) -> Bool {
        switch assertion {
        case .textStart: position == 0
        case .textEnd: position == text.count
        case .lineStart: position == 0 || text[position - 1] == 10
        case .lineEnd: position == text.count || text[position] == 10
        case .wordBoundary: isBoundary(position)
        case .noWordBoundary: !isBoundary(position)
        }
    }

    private func isBoundary(_ position: Int) -> Bool {
        let isBefore = position > 0 && ScalarSet.isWord(UInt32(text[position - 1]))
        let isAfter = position < text.count && ScalarSet.isWord(UInt32(text[position]))
        return isBefore != isAfter
    }

    /// Returns the place after the code point at a place.
    func next(after position: Int) -> Int { position + max(1, decode(position).1) }

    func text(_ start: Int, _ end: Int) -> String {
        start >= 0 && start <= end ? String(decoding: text[start..<end], as: UTF8.self) : ""
    }

    /// Returns the only group, or the whole match if the expression has no group.
    func captured(_ slots: [Int]) -> (Int, Int) {
        slots.count >= 4 ? (slots[2], slots[3]) : (slots[0], slots[1])
    }
}
