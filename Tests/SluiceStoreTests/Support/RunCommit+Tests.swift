#if SQLite
import Foundation
import SluiceJSON
import SluiceStore
import SluiceStreams

extension RunCommit {
    /// A commit of a run.
    init(
        run: Int = 1,
        isNew: Bool = false,
        stream: String = "a",
        state: String = "running",
        checkpoint: String? = nil,
        inputs: [StreamInput] = [],
        outputs: [StoredOutput] = []
    ) {
        self.init(
            stream: stream,
            run: run,
            isNewRun: isNew,
            revision: 1,
            state: state,
            savedAt: Date(timeIntervalSince1970: 1_700_000_000),
            checkpoint: checkpoint,
            inputs: inputs,
            outputs: outputs
        )
    }
}

extension StreamInput {
    init(_ number: Int) {
        self.init(source: "source", time: StreamTime(nanoseconds: Int64(number)), item: ["value", JSON(number)])
    }
}

extension StoredOutput {
    init(_ sequence: Int, run: Int = 1, kind: Kind = .value, text: String? = nil) {
        self.init(
            run: run,
            sequence: sequence,
            time: StreamTime(nanoseconds: Int64(clamping: sequence) &* 1_000_000_001),
            kind: kind,
            text: text ?? "\(sequence)"
        )
    }
}
#endif
