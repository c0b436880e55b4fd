#if NATS
import SluiceJSON
import SluiceRuns

/// A shared output as a message: `{"run": 2, "sequence": 17, "value": …}`.
///
/// An error has `"error"` and its `"kind"`, and an output that can't be shared has `"missing"` with the reason. One of a worker has
/// `"value"` alone.
struct OutputMessage {
    /// The place in the run; `nil` for one of a worker.
    let place: OutputPlace?
    let content: SharedOutput.Content

    init(place: OutputPlace?, content: SharedOutput.Content) { (self.place, self.content) = (place, content) }

    init(_ output: StoredOutput) {
        place = output.place
        content = output.kind == .value ? .value(output.text) : .error(output.kind, output.text)
    }

    /// Reads a message; `nil` for another one.
    init?(_ bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes), case .object = json else { return nil }
        if let run = json["run"]?.int, let sequence = json["sequence"]?.int {
            place = OutputPlace(run: Int(clamping: run), sequence: Int(clamping: sequence))
        } else {
            place = nil
        }
        if let value = json["value"] {
            content = .value(value.description)
        } else if let error = json["error"]?.string {
            content = .error(StoredOutput.Kind(rawValue: json["kind"]?.string ?? "") ?? .failed, error)
        } else if let reason = json["missing"]?.string {
            content = .missing(reason: reason)
        } else {
            return nil
        }
    }

    var bytes: [UInt8] {
        let head = place.map { #""run": \#($0.run), "sequence": \#($0.sequence), "# } ?? ""
        let body =
            switch content {
            // The text is JSON, as it is stored.
            case .value(let text): #""value": \#(text)"#
            case .error(let kind, let text): #""kind": "\#(kind.rawValue)", "error": \#(JSON.string(text))"#
            case .missing(let reason): #""missing": \#(JSON.string(reason))"#
            }
        return Array("{\(head)\(body)}".utf8)
    }
}
#endif
