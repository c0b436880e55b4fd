import Foundation
import Testing

@testable import SluiceStreams

/// The documents of `stream_documents*.jsonl`, with the answers of RxJS.
struct StreamDocumentOracleTests {
    static let files = OracleFiles.named("stream_documents")

    @Test(.enabled(if: !files.isEmpty, "there is no stream_documents*.jsonl in SLUICE_ORACLES"), arguments: files)
    func everyDocumentGivesWhatRxJSGives(_ file: URL) throws {
        try OracleFiles.check(file, as: StreamDocumentCase.self)
    }

    static let samples = OracleFiles.named("stream_documents", in: OracleFiles.samples)

    @Test(arguments: samples) func everySampledDocumentGivesWhatRxJSGives(_ file: URL) throws {
        try OracleFiles.check(file, as: StreamDocumentCase.self)
    }

    /// Every operator and source is in a sampled document, except those that RxJS lacks.
    @Test func theSamplesHaveEveryOperatorAndSource() throws {
        let names = try OracleFiles.names(in: Self.samples, as: StreamDocumentCase.self)
        let kinds = OperatorKind.all.map(\.name) + SourceKind.all.map { $0.name + "()" }
        #expect(Set(kinds).subtracting(names) == Self.unknownToRxJS)
    }

    /// Texts, calendars, and the outside world, which RxJS leaves to other libraries.
    static let unknownToRxJS: Set<String> = [
        "encode", "decode", "schedule()", "lines()", "poll()", "request()", "events()", "webhook()",
        "subject()", "subscribe()", "outside()",
    ]
}
