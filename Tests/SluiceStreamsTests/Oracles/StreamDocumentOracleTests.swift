import Foundation
import Testing

/// The documents of `stream_documents*.jsonl`, with the answers of RxJS.
struct StreamDocumentOracleTests {
    static let files = OracleFiles.named("stream_documents")

    @Test(.enabled(if: !files.isEmpty, "there is no stream_documents*.jsonl in SLUICE_ORACLES"), arguments: files)
    func everyDocumentGivesWhatRxJSGives(_ file: URL) throws {
        try OracleFiles.check(file, as: StreamDocumentCase.self)
    }
}
