import Foundation
import Testing

/// The pipelines of `stream_pipelines*.jsonl`, with the answers of RxJS; those with ties included.
struct StreamOracleTests {
    static let files = OracleFiles.named("stream_pipelines")

    @Test(.enabled(if: !files.isEmpty, "there is no stream_pipelines*.jsonl in SLUICE_ORACLES"), arguments: files)
    func everyPipelineGivesWhatRxJSGives(_ file: URL) throws {
        try OracleFiles.check(file, as: StreamCase.self)
    }
}
