#if NATS
import SluiceRuns

/// The subject of shared outputs: `sluice.outputs.STREAM.RUN` for what comes from now on, `sluice.outputs.STREAM.RUN.start` for
/// everything that is kept, and `sluice.outputs.STREAM.GROUP.GENERATION.PARTITION` for a partition of a worker.
enum OutputSubject: Hashable {
    /// A run of a hub.
    case run(String, isFromStart: Bool)
    /// A partition of a worker, which shares one copy with all.
    case unit(group: String, generation: Int, partition: Int)

    /// Returns the pattern of all subjects of a stream.
    static func all(of stream: String) throws(StoreError) -> String { "\(try beginning(of: stream)).>" }

    private static func beginning(of stream: String) throws(StoreError) -> String {
        "sluice.outputs.\(try BucketKey.token(stream))"
    }

    /// Reads a subject; `nil` for another one.
    init?(_ text: String) {
        let parts = text.split(separator: ".").dropFirst(3).map(String.init)
        switch parts.count {
        case 1: self = .run(parts[0], isFromStart: false)
        case 2 where parts[1] == "start": self = .run(parts[0], isFromStart: true)
        case 3:
            guard let group = BucketKey.id(ofToken: parts[0]), let generation = Int(parts[1]),
                let partition = Int(parts[2])
            else { return nil }
            self = .unit(group: group, generation: generation, partition: partition)
        default: return nil
        }
    }

    /// Returns the text of the subject for a stream.
    ///
    /// - Throws: `StoreError` for an id that is too long.
    func text(of stream: String) throws(StoreError) -> String {
        let beginning = try Self.beginning(of: stream)
        return switch self {
        case .run(let name, let isFromStart): "\(beginning).\(name)\(isFromStart ? ".start" : "")"
        case .unit(let group, let generation, let partition):
            "\(beginning).\(try BucketKey.token(group)).\(generation).\(partition)"
        }
    }

    /// The name of the run of a hub; `nil` for a worker.
    var run: String? { if case .run(let name, _) = self { name } else { nil } }

    /// Returns a Boolean value that indicates whether a reader of a copy reads the outputs.
    func isRead(fromStart: Bool) -> Bool {
        if case .run(_, let isFromStart) = self { isFromStart == fromStart } else { true }
    }
}
#endif
