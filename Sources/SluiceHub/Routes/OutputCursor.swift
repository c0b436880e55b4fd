#if Hub
import HTTPTypes
import SluiceRuns
import SluiceStore

/// A place in the outputs of a stream: after an output of a run, or before all.
///
/// Its text is opaque to clients: `2-17` is output 17 of run 2, `start` the place before all outputs that are kept.
struct OutputCursor: Equatable, CustomStringConvertible {
    let run: Int
    let sequence: Int

    static let start = OutputCursor(run: 0, sequence: 0)

    init(run: Int, sequence: Int) { (self.run, self.sequence) = (run, sequence) }

    init(_ output: StoredOutput) { self.init(run: output.run, sequence: output.sequence) }

    /// Reads the text of a cursor.
    ///
    /// - Throws: ``Problem`` for a text that isn't one.
    init(_ text: String) throws {
        if text == "start" {
            self = .start
            return
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count <= 40, parts.count == 2, let run = Int(parts[0]), let sequence = Int(parts[1]), run > 0,
            sequence >= 0, text == "\(run)-\(sequence)"
        else {
            throw Problem(.badRequest, "\"after\" must be the \"cursor\" of an output, or \"start\"")
        }
        self.init(run: run, sequence: sequence)
    }

    var description: String { self == .start ? "start" : "\(run)-\(sequence)" }
}

extension StreamHub {
    /// Returns stored outputs of a stream.
    ///
    /// - Parameters:
    ///   - run: the run whose outputs are wanted; the newest where neither it nor a cursor is given.
    ///   - cursor: the place after which reading begins; it continues into later runs, unless a run is given.
    ///   - limit: the most outputs.
    /// - Throws: ``Problem`` for a cursor of a run that the stream doesn't have: the stream was reset.
    func outputs(of id: String, run: Int?, after cursor: OutputCursor?, limit: Int) async throws -> [StoredOutput] {
        guard let cursor else { return try await store.outputs(of: id, run: run, after: 0, limit: limit) }
        if let run {
            guard cursor == .start || cursor.run == run else {
                throw Problem(.badRequest, "the cursor is of run \(cursor.run), and \"run\" is \(run): leave one out")
            }
            return try await store.outputs(of: id, run: run, after: cursor.sequence, limit: limit)
        }
        let outputs = try await store.outputs(of: id, afterRun: cursor.run, sequence: cursor.sequence, limit: limit)
        guard outputs.isEmpty, cursor != .start else { return outputs }
        let newest = try await store.run(of: id)
        guard let newest, (newest.run, newest.outputs) >= (cursor.run, cursor.sequence) else {
            throw Problem(
                .gone,
                "the stream has no run \(cursor.run) with output \(cursor.sequence): it was reset; read on from \"start\""
            )
        }
        return outputs
    }
}
#endif
