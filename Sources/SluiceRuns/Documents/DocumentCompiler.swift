import Dispatch
package import SluiceStreams

/// Parses and compiles documents on threads of its own, so that neither their owner nor its readers wait for it.
///
/// Small documents never wait for large ones, and neither waits for work that nobody has asked for: the documents of the runs
/// that resume when a process starts, and those that depend on what has changed. When a request comes to wait for such work,
/// it is done like that of other requests; see ``BackgroundWork``.
package final class DocumentCompiler: Sendable {
    /// The documents that were parsed last.
    package let parsed = ParsedDocuments()
    private let small = DispatchQueue(label: "sluice.documents.small")
    private let large = DispatchQueue(label: "sluice.documents.large", qos: .utility)
    private let tests = DispatchQueue(label: "sluice.documents.tests", qos: .utility)
    private let plannedTests = DispatchQueue(label: "sluice.documents.tests.planned", qos: .utility)
    private let background = BackgroundThread()
    /// The work that the task belongs to, where no request waited for it when it began.
    @TaskLocal package static var background: BackgroundWork?
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
        try await perform(on: size > Self.bound ? large : small, in: Self.background, work)
    }

    private func perform<Result: Sendable>(
        on queue: DispatchQueue,
        in errand: BackgroundWork? = nil,
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let counter = DocumentWork.current
        let isCanceled = CancelFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let job: @Sendable () -> Void = {
                    continuation.resume(
                        with: Swift.Result {
                            if isCanceled.isSet { throw CancellationError() }
                            return try DocumentWork.$current.withValue(counter) { try work() }
                        }
                    )
                }
                if let errand { errand.submit(job, to: background, or: queue) } else { queue.async(execute: job) }
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

    /// Runs the tests of documents, on a thread that nothing but tests waits for. Tests of plans hold up no write.
    ///
    /// - Parameters:
    ///   - job: The documents and those that they refer to.
    ///   - ids: The documents to test, in the order in which they share the time.
    ///   - seconds: The processor time that all tests may take together.
    ///   - isPlan: A Boolean value that indicates whether nothing is stored afterward.
    /// - Returns: the tests that fail, by the ids of their documents.
    /// - Throws: `CancellationError` when the caller is canceled before the work begins.
    package func failedTests(
        in job: CompileJob,
        of ids: [String],
        seconds: Double,
        isPlan: Bool = false
    ) async throws -> [String: [FailedTest]] {
        try await perform(on: isPlan ? plannedTests : tests) { [parsed] in
            job.failedTests(of: ids, parsed, TestBudget(megabytes: 256, seconds: seconds))
        }
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
