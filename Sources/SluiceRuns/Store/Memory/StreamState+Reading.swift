import Foundation
import SluiceStreams

extension StreamState {
    /// Reads from a store what it keeps of a stream's run and sinks, as far as a run that continues elsewhere needs it: of the
    /// outputs those that a sink has still to deliver, and those since the checkpoint.
    ///
    /// The runs whose outputs are among them get a name, if they have none.
    ///
    /// - Throws: `StoreError`.
    package init(of stream: String, in store: any SinkStore) async throws {
        self.init()
        run = try await store.run(of: stream)
        journal = run == nil ? [] : try await store.journal(of: stream)
        lastForgotten = run == nil ? try await store.lastRun(of: stream) : 0
        sinks = try await store.sinks(of: stream)
        for sink in sinks { deliveries[sink.id] = try await store.deliveries(of: stream, sink: sink.id) }
        var place = sinks.map(\.cursor).min()
        if let run {
            let since = try run.checkpoint.map { try StreamCheckpoint(parsing: $0).outputs } ?? 0
            place = min(place ?? OutputPlace(run: run.run, sequence: since), OutputPlace(run: run.run, sequence: since))
        }
        while let after = place {
            let next = try await store.outputs(
                of: stream,
                afterRun: after.run,
                sequence: after.sequence,
                limit: 1_000
            )
            outputs += next.map { SavedOutput(output: $0, savedAt: Date()) }
            place = next.last.map { OutputPlace(run: $0.run, sequence: $0.sequence) }
        }
        var last = 0
        while true {
            let next = try await store.deadLetters(of: stream, sink: nil, after: last, limit: 100)
            guard let newest = next.last?.number else { break }
            letters += next
            last = newest
        }
        lastLetter = last
        let numbers =
            outputs.map(\.output.run) + deliveries.values.flatMap { $0 }.map(\.first.run) + letters.map(\.place.run)
        for number in Set(numbers + [run?.run].compactMap(\.self)).sorted() where number > 0 {
            names.append(RunName(run: number, name: try await store.name(ofRun: number, of: stream)))
        }
    }

    /// A Boolean value that indicates whether a state is of the same run, by the name that no other run has.
    package func isOfSameRun(as other: StreamState) -> Bool {
        guard let run else { return names.contains { own in other.names.contains { $0.name == own.name } } }
        guard let name = name(ofRun: run.run) else { return false }
        return other.names.contains { $0.name == name }
    }
}
