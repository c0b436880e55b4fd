#if Hub
import Sluice
import SluiceJSON
import SluiceStreams

/// The last output of each stream, in short: a sample of the values of all streams.
final class LastOutputs: Sendable {
    /// The most characters that are kept of a value.
    static let length = 120
    /// The most parts of a list or an object that are written out.
    private static let parts = 32

    /// An output.
    struct Output: Sendable {
        let text: String
        let time: StreamTime
    }

    private let outputs = Locked([String: Output]())

    /// Notes an output of a stream.
    func note(_ value: JSON, at time: StreamTime, of stream: String) {
        let output = Output(text: Self.short(value), time: time)
        outputs.withLock { $0[stream] = output }
    }

    /// Drops what is kept of a stream.
    func forget(_ stream: String) { _ = outputs.withLock { $0.removeValue(forKey: stream) } }

    /// The outputs by the ids of their streams.
    var all: [String: Output] { outputs.withLock { $0 } }

    /// Returns the text of a value, or the number of its parts where it has many.
    static func short(_ value: JSON) -> String {
        switch value {
        case .string(let text): return String(text.prefix(length))
        case .array(let list) where list.count > parts: return "[…] with \(list.count) parts"
        case .object(let object) where object.count > parts: return "{…} with \(object.count) parts"
        default: return String(value.description.prefix(length))
        }
    }
}
#endif
