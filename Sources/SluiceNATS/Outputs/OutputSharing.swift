#if NATS
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The sink that shares the outputs of a worker's unit with subscribers elsewhere.
enum OutputSharing {
    /// The name under which the receiver is registered, and the id of the sink.
    static let name = "sluice-outputs"

    /// Returns the sink that shares the outputs of a unit.
    ///
    /// - Throws: `JSONErrors`, `StoreError` for an id that is too long.
    static func sink(of unit: WorkUnit, in group: String) throws -> CompiledSink? {
        let subject = try OutputSubject.text(of: unit, in: group)
        let arguments: JSON = ["name": .string(name), "arguments": ["subject": .string(subject)]]
        let document: JSON = [
            "source": ["subject": "any"],
            "sinks": [["id": .string(name), "outside": arguments]],
        ]
        let compiled = try CompiledDocument(StreamDocument(parsing: document.description), in: StreamLibrary())
        return compiled.sinks.first
    }
}
#endif
