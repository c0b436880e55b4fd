#if Hub
import HTTPTypes
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// A request to try a part of a document, stored or not: its source, or one of its sinks.
struct TrialRequest: Sendable {
    /// The document.
    let document: [UInt8]
    /// The id of the sink to try; `nil` for the source.
    let sink: String?
    /// The sample for the sink.
    let value: JSON

    /// Reads a request.
    ///
    /// - Throws: ``Problem``; `JSONError` for a text that is not JSON.
    init(parsing bytes: [UInt8]) throws {
        let root = try JSONDocument(parsing: bytes).root
        let isOfSink = root["sink"]?.string != nil && root["value"] != nil
        guard let node = root["document"], isOfSink || root["sink"] == nil else {
            throw Problem(.unprocessableContent, "a trial is of {\"document\": …, \"sink\": ID, \"value\": …}")
        }
        document = Array(JSONSlice(node).text.utf8)
        sink = root["sink"]?.string
        value = try root["value"]?.json() ?? .null
    }
}

extension StreamHub {
    /// The most trials at a time.
    private static let mostTrials = 4

    /// Reads the first item of a document's source, or delivers a sample to one of its sinks. Nothing is stored.
    ///
    /// - Returns: The outcome as JSON: `value` or `request`, and `error`.
    /// - Throws: ``Problem`` if too many trials run, or if the part can't be tried; `JSONErrors`.
    func tryOut(_ trial: TrialRequest) async throws -> JSON {
        guard trials < Self.mostTrials else { throw Problem.tooManyTrials }
        trials += 1
        defer { trials -= 1 }
        let size = trial.document.count
        let document = try await compiler.perform(size: size) { try StreamDocument(reading: trial.document) }
        let id = document.id ?? "\u{0}"
        let job = set.job([.put(id, document)], includesDependents: false)
        let host = around.settings.host
        guard let sink = trial.sink else {
            return try await fetch(id, size) { [parsed = compiler.parsed] in
                guard let (document, library) = job.document(id, parsed) else { throw Problem.noStream(id) }
                var host = host
                host.stream = document.id
                return try SourceTrial(document, in: library, host: host)
            }
        }
        let sample = try await compiler.perform(size: size) { [parsed = compiler.parsed] in
            guard let (document, library) = job.document(id, parsed) else { throw Problem.noStream(id) }
            let sinks = try CompiledDocument(document, in: library, isWatched: false).sinks
            guard let sink = sinks.first(where: { $0.id == sink }) else {
                throw Problem(.notFound, "the document has no sink '\(Problem.shown(sink))'")
            }
            return Result { try DeliverySample(of: trial.value, for: sink) }
        }
        switch sample {
        case .failure(let error): return ["error": .string("\(error)")]
        case .success(let sample):
            let stream = document.id ?? "trial"
            let error = await sample.send(of: stream, to: host, at: around.wallClock())
            var answer: JSON.Object = ["request": sample.request]
            answer["error"] = error.map(JSON.string)
            return .object(answer)
        }
    }

    private func fetch(_ id: String, _ size: Int, _ trial: @escaping @Sendable () throws -> SourceTrial?) async throws
        -> JSON
    {
        guard let trial = try await compiler.perform(size: size, trial) else {
            let kinds = SourceTrial.kinds.joined(separator: ", ")
            throw Problem(.unprocessableContent, "this source can't be fetched once: \(kinds) can")
        }
        let (time, values) = (limits.trialTime, StreamLimits(valueSize: limits.valueSize))
        switch try await trial.outcome(within: time, limits: values) {
        case .item(let item): return ["value": item]
        case .completed: return ["error": "it has completed without an item"]
        case .failed(let error): return ["error": .string(error)]
        case .late(let reason):
            let text = "no item came within \(time.components.seconds) seconds"
            return ["error": .string(reason.map { "\(text): \($0)" } ?? text)]
        }
    }
}

extension Problem {
    fileprivate static let tooManyTrials = Problem(
        .tooManyRequests,
        "too many parts of documents are being tried: repeat this later",
        headers: [.retryAfter: "5"]
    )
}
#endif
