import Foundation
import SluiceStreams

/// The revisions, run, and outputs of one stream in memory.
struct MemoryStream {
    /// One revision; a removal has no text.
    struct Revision {
        let number: Int
        let time: Date
        let author: String?
        let name: String?
        let text: String?

        var line: StreamRevision {
            StreamRevision(revision: number, time: time, author: author, name: name, isRemoved: text == nil)
        }

        func stored(as id: String) -> StoredStream? {
            text.map { StoredStream(id: id, revision: number, name: name, text: $0, time: time) }
        }
    }

    let id: String
    /// The position of the stream in the order of creation.
    var position = 0
    /// The revisions that are kept, the newest last; never empty after the first write.
    private(set) var revisions: [Revision] = []
    private(set) var run: MemoryRun?
    /// The state of its sinks.
    var sinks = MemorySinks()
    /// The number of the last run that was removed.
    private var lastForgotten = 0
    /// The outputs of its runs in order, each with the time at which it was stored.
    private(set) var outputs: [(output: StoredOutput, savedAt: Date)] = []

    init(id: String) { self.id = id }

    /// The stream as it is now; `nil` when it is removed.
    var current: StoredStream? { revisions.last?.stored(as: id) }

    /// The number of the newest revision, also when that was the removal: none is used again.
    var number: Int { revisions.last?.number ?? 0 }

    func revision(_ number: Int) -> StoredStream? { revisions.first { $0.number == number }?.stored(as: id) }

    mutating func append(_ revision: Revision) { revisions.append(revision) }

    mutating func take(_ commit: RunCommit) throws {
        let (run, new) = try MemoryRun.after(commit, run, lastForgotten)
        self.run = run
        outputs += new.map { ($0, commit.savedAt) }
    }

    /// The number of the last run, removed ones included.
    var lastRun: Int { max(lastForgotten, run?.stored.run ?? 0) }

    mutating func forgetRun() {
        lastForgotten = lastRun
        run = nil
        outputs = []
        sinks.forgetRuns()
    }

    mutating func trim(_ retention: Retention, at now: Date, keeping used: Set<Int>) {
        let oldest = retention.oldest(at: now)
        let first = retention.revisions.flatMap { revisions.suffix($0).first?.number } ?? 0
        let (newest, running) = (number, run?.stored.revision)
        revisions.removeAll { revision in
            guard revision.number != newest, revision.number != running, !used.contains(revision.number) else {
                return false
            }
            return revision.number < first || oldest.map { revision.time < $0 } ?? false
        }
        // Outputs that a sink has not delivered are kept.
        let cursor = sinks.cursor ?? OutputPlace(run: .max, sequence: .max)
        let kept = outputs.suffix(from: outputs.firstIndex { $0.output.place > cursor } ?? outputs.endIndex)
        let most = min(retention.outputs ?? .max, retention.size.map(countOfNewest(upTo:)) ?? .max)
        if outputs.count > most { outputs.removeFirst(min(outputs.count - most, outputs.count - kept.count)) }
        if let oldest { outputs.removeAll { $0.savedAt < oldest && $0.output.place <= cursor } }
    }

    /// Returns the number of the newest outputs that take no more than a size in bytes, at least one.
    private func countOfNewest(upTo size: Int) -> Int {
        var room = size
        let count = outputs.reversed().prefix { entry in
            room -= entry.output.text.utf8.count
            return room >= 0
        }.count
        return max(1, count)
    }

    /// The state of its runs and sinks, without the dead letters.
    var state: StreamState {
        var state = StreamState()
        (state.run, state.journal, state.lastForgotten) = (run?.stored, run?.journal ?? [], lastForgotten)
        state.outputs = outputs.map { StreamState.SavedOutput(output: $0.output, savedAt: $0.savedAt) }
        sinks.write(to: &state)
        return state
    }

    /// Replaces its runs and sinks.
    mutating func restore(_ state: StreamState) {
        run = state.run.map { MemoryRun(stored: $0, journal: state.journal) }
        outputs = state.outputs.map { ($0.output, $0.savedAt) }
        lastForgotten = state.lastForgotten
        sinks = MemorySinks(state)
    }
}
