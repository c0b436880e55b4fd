#if NATS
import SluiceRuns

/// The subject of shared outputs: `sluice.outputs.STREAM.RUN` for what comes from now on, `sluice.outputs.STREAM.RUN.start` for
/// everything that is kept, and `sluice.outputs.STREAM.GROUP.GENERATION.PARTITION` for a partition of a worker.
struct OutputSubject: Hashable {
    /// The name of the run of a hub; `nil` for a partition of a worker, which has one copy for all.
    let run: String?
    private let isFromStart: Bool

    /// Reads a subject; `nil` for another one.
    init?(_ text: String) {
        let parts = text.split(separator: ".").dropFirst(3)
        switch parts.count {
        case 1: (run, isFromStart) = (parts.first.map(String.init), false)
        case 2 where parts.last == "start": (run, isFromStart) = (parts.first.map(String.init), true)
        case 3: (run, isFromStart) = (nil, false)
        default: return nil
        }
    }

    /// Returns a Boolean value that indicates whether a reader of a copy reads the outputs.
    func isRead(fromStart: Bool) -> Bool { run == nil || isFromStart == fromStart }

    // MARK: Texts

    /// Returns the subject of a run.
    ///
    /// - Throws: `StoreError` for an id that is too long, as the others do.
    static func text(ofRun run: String, for request: SharedOutputRequest) throws(StoreError) -> String {
        "\(try beginning(of: request.stream)).\(run)\(request.isFromStart ? ".start" : "")"
    }

    /// Returns the subject of a partition of a worker.
    static func text(of unit: WorkUnit, in group: String) throws(StoreError) -> String {
        "\(try beginning(of: unit.stream)).\(try BucketKey.token(group)).\(unit.generation).\(unit.partition)"
    }

    /// Returns the pattern of all subjects of a stream.
    static func all(of stream: String) throws(StoreError) -> String { "\(try beginning(of: stream)).>" }

    private static func beginning(of stream: String) throws(StoreError) -> String {
        "sluice.outputs.\(try BucketKey.token(stream))"
    }
}
#endif
