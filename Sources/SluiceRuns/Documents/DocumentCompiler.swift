import Dispatch
import SluiceStreams

/// Parses and compiles documents on threads of its own, so that neither their owner nor its readers wait for it.
///
/// Small documents never wait for large ones.
package final class DocumentCompiler: Sendable {
    /// The documents that were parsed last.
    package let parsed = ParsedDocuments()
    private let small = DispatchQueue(label: "sluice.documents.small")
    private let large = DispatchQueue(label: "sluice.documents.large", qos: .utility)
    /// The size in bytes above which a document is large.
    private static let bound = 32 << 10

    /// Makes a compiler.
    package init() {}

    /// Does work that takes processor time.
    ///
    /// - Parameter size: the number of bytes that it is about.
    /// - Throws: `CancellationError` when the caller is canceled before the work begins; the error of the work.
    package func perform<Result: Sendable>(
        size: Int,
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let counter = DocumentWork.current
        let queue = size > Self.bound ? large : small
        let isCanceled = CancelFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    continuation.resume(
                        with: Swift.Result {
                            if isCanceled.isSet { throw CancellationError() }
                            return try DocumentWork.$current.withValue(counter) { try work() }
                        }
                    )
                }
            }
        } onCancel: {
            isCanceled.set()
        }
    }

    /// Compiles documents.
    ///
    /// - Parameter kept: the ids of those whose compiled form is wanted.
    package func run(_ job: CompileJob, keeping kept: Set<String>) async throws -> [String: DocumentCheck] {
        try await perform(size: job.size) { [parsed] in job.run(parsed, keeping: kept) }
    }
}

extension CompileJob {
    /// The size of its texts, in bytes.
    fileprivate var size: Int {
        sources.values.reduce(0) { sum, source in
            switch source {
            case .stored(let stored): sum + stored.text.utf8.count
            case .changed(let document): sum + document.text.utf8.count
            }
        }
    }
}
