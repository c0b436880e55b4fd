import Foundation
package import SluiceStreams

/// Everything that a store keeps of a stream's runs and sinks, as it moves from one process to another.
package struct StreamState: Sendable, Codable {
    /// An output with the time at which it was stored.
    package struct SavedOutput: Sendable, Codable {
        let output: StoredOutput
        let savedAt: Date
    }

    /// The last run; `nil` where the stream has none.
    package var run: StoredRun?
    /// The inputs of the run since its checkpoint.
    package var journal: [StreamInput] = []
    /// The outputs of all runs that are kept, in order.
    package var outputs: [SavedOutput] = []
    /// The number of the last run that was removed.
    package var lastForgotten = 0
    /// The sinks, in the order of their ids.
    package var sinks: [StoredSink] = []
    /// The deliveries that are not acknowledged, by the ids of their sinks.
    package var deliveries: [String: [StoredDelivery]] = [:]
    /// The names of runs.
    package var names: [RunName] = []
    /// The dead letters.
    package var letters: [StoredDeadLetter] = []
    /// The number of the last dead letter that the store has numbered.
    package var lastLetter = 0

    /// The name of a run, which no other run of any store has.
    package struct RunName: Sendable, Codable {
        let run: Int
        let name: String
    }

    /// Creates the state of a stream that has not run.
    package init() {}

    /// Returns the name of a run; `nil` if it has none yet.
    package func name(ofRun run: Int) -> String? { names.first { $0.run == run }?.name }
}

extension MemoryStreamStore {
    /// Returns what the store keeps of a stream's runs and sinks.
    package func state(of stream: String) throws -> StreamState {
        try transact { state in
            var copy = state.streams[stream]?.state ?? StreamState()
            (copy.letters, copy.lastLetter) = (state.letters.filter { $0.stream == stream }, state.lastLetter)
            return copy
        }
    }

    /// Replaces what the store keeps of a stream's runs and sinks.
    package func restore(_ copy: StreamState, of stream: String) throws {
        try transact { state in
            state.streams[stream]?.restore(copy)
            state.letters = state.letters.filter { $0.stream != stream } + copy.letters
            state.lastLetter = max(state.lastLetter, copy.lastLetter)
        }
    }

    /// Stores the name that a run has in another store.
    package func setName(_ name: String, ofRun run: Int, of stream: String) throws {
        try transact { $0.streams[stream]?.sinks.setName(name, ofRun: run) }
    }
}
