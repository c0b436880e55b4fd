import Foundation
import Testing

/// The pipelines of `stream_pipelines*.jsonl`, with the answers of RxJS; those with ties included.
struct StreamOracleTests {
    static let files = OracleFiles.named("stream_pipelines")

    @Test(.enabled(if: !files.isEmpty, "there is no stream_pipelines*.jsonl in SLUICE_ORACLES"), arguments: files)
    func everyPipelineGivesWhatRxJSGives(_ file: URL) throws {
        try OracleFiles.check(file, as: StreamCase.self)
    }

    static let samples = OracleFiles.named("stream_pipelines", in: OracleFiles.samples)

    @Test(arguments: samples) func everySampledPipelineGivesWhatRxJSGives(_ file: URL) throws {
        try OracleFiles.check(file, as: StreamCase.self)
    }

    /// Every operator of the vocabulary of the files is in a sampled pipeline.
    @Test func theSamplesHaveEveryOperator() throws {
        let names = try OracleFiles.names(in: Self.samples, as: StreamCase.self)
        #expect(Set(StreamCase.names.keys).subtracting(names) == [])
    }
}
