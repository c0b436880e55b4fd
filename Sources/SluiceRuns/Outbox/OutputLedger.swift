import Sluice
import SluiceStreams

/// The outputs of streams that their sinks have not delivered yet: their places and sizes.
///
/// Runs ask it whether there is room, at each output, and outside of the actor that delivers. A stream without sinks has
/// no entry.
final class OutputLedger: Sendable {
    /// The largest number of outputs of a stream that may wait for its sinks.
    static let largestCount = 10_000
    /// The largest size of the outputs of a stream that may wait for its sinks, in bytes.
    static let largestSize = 64 << 20

    private struct Entry {
        /// The outputs in order; those before `first` are delivered.
        var outputs: [(place: OutputPlace, size: Int)] = []
        var first = 0
        var size = 0
        /// The last place up to which all sinks have the outputs; a run that resumes may repeat these.
        var done = OutputPlace.start
        /// A Boolean value that indicates whether the sinks of the stream are stored. Before, the run waits.
        var isReady = false
        /// A Boolean value that indicates whether the deliverer is to look for new outputs, and has not begun to.
        var isAwake = false
        /// The number of the last change of the sinks.
        var generation = 0

        var count: Int { outputs.count - first }
        var isFull: Bool { !isReady || count >= largestCount || size >= largestSize }

        mutating func append(_ place: OutputPlace, _ size: Int) {
            guard place > max(done, outputs.last?.place ?? .start) else { return }
            outputs.append((place, size))
            self.size += size
        }

        mutating func drop(upTo cursor: OutputPlace) {
            done = max(done, cursor)
            while first < outputs.count, outputs[first].place <= cursor {
                size -= outputs[first].size
                first += 1
            }
            if first > 1024, first > outputs.count / 2 {
                outputs.removeFirst(first)
                first = 0
            }
        }
    }

    private let entries = Locked<[String: Entry]>([:])
    private let calls = Locked<[String: @Sendable () -> Void]>([:])
    /// The number of changes of the sinks of all streams.
    private let lastChange = Locked(0)

    /// Has the run of a stream wait until ``open(_:_:_:)``, since its sinks change.
    ///
    /// - Returns: The number of the change; `nil` for a stream without sinks before and after.
    func hold(_ stream: String, hasSinks: Bool) -> Int? {
        entries.withLock { entries in
            if !hasSinks, entries[stream] == nil { return nil }
            // A stream that was removed and created again has no number of before.
            entries[stream, default: Entry()].generation = lastChange.withLock {
                $0 += 1; return $0
            }
            entries[stream]?.isReady = false
            return entries[stream]?.generation
        }
    }

    /// Returns a Boolean value that indicates whether a change is the last one of a stream.
    func isCurrent(_ stream: String, _ generation: Int) -> Bool {
        entries.withLock { $0[stream]?.generation == generation }
    }

    /// Lets the run of a stream go on, with the outputs that wait for its sinks, if a change is still the last one.
    func open(
        _ stream: String,
        _ outputs: [(place: OutputPlace, size: Int)],
        after cursor: OutputPlace,
        at generation: Int
    ) {
        entries.withLock { entries in
            guard var entry = entries[stream], entry.generation == generation else { return }
            let newer = entry.outputs[entry.first...].filter { $0.place > outputs.last?.place ?? cursor }
            (entry.outputs, entry.first, entry.size, entry.isReady) = ([], 0, 0, true)
            entry.done = max(entry.done, cursor)
            for output in outputs + newer where output.place > cursor { entry.append(output.place, output.size) }
            entries[stream] = entry
        }
        callRun(of: stream)
    }

    /// Removes a stream: it has no sinks.
    ///
    /// - Parameter generation: the number of the change that has to be the last one; by default any may be. A run may have
    ///   changed the sinks again.
    /// - Returns: A Boolean value that indicates whether the stream was removed.
    @discardableResult
    func remove(_ stream: String, at generation: Int? = nil) -> Bool {
        let isRemoved = entries.withLock { entries in
            guard generation == nil || entries[stream]?.generation == generation else { return false }
            entries[stream] = nil
            return true
        }
        if isRemoved { callRun(of: stream) }
        return isRemoved
    }

    /// Notes an output of a run.
    func append(_ place: OutputPlace, size: Int, of stream: String) {
        entries.withLock { $0[stream]?.append(place, size) }
    }

    /// Notes that all sinks have what comes up to a place.
    func drop(upTo cursor: OutputPlace, of stream: String) {
        let hasRoom = entries.withLock { entries in
            let wasFull = entries[stream]?.isFull ?? false
            entries[stream]?.drop(upTo: cursor)
            return wasFull && !(entries[stream]?.isFull ?? true)
        }
        if hasRoom { callRun(of: stream) }
    }

    /// Returns a Boolean value that indicates whether a stream has sinks.
    func contains(_ stream: String) -> Bool { entries.withLock { $0[stream] != nil } }

    /// Returns a Boolean value that indicates whether a run may put out more.
    func hasRoom(_ stream: String) -> Bool { entries.withLock { !($0[stream]?.isFull ?? false) } }

    /// Returns the number of outputs after a place.
    func count(of stream: String, after cursor: OutputPlace) -> Int {
        entries.withLock { entries in
            guard let entry = entries[stream] else { return 0 }
            var (low, high) = (entry.first, entry.outputs.count)
            while low < high {
                let middle = (low + high) / 2
                if entry.outputs[middle].place <= cursor { low = middle + 1 } else { high = middle }
            }
            return entry.outputs.count - low
        }
    }

    /// Returns a Boolean value that indicates whether the deliverer has to be called for new outputs.
    func wake(_ stream: String) -> Bool {
        entries.withLock { entries in
            guard let entry = entries[stream], !entry.isAwake else { return false }
            entries[stream]?.isAwake = true
            return true
        }
    }

    /// Notes that the deliverer looks for new outputs now.
    func noteAwake(_ stream: String) { entries.withLock { $0[stream]?.isAwake = false } }

    /// Sets the call that has the run of a stream go on; `nil` removes it.
    func onRoom(of stream: String, _ body: (@Sendable () -> Void)?) { calls.withLock { $0[stream] = body } }

    private func callRun(of stream: String) { calls.withLock { $0[stream] }?() }
}
