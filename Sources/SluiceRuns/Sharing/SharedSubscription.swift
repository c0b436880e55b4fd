package import SluiceJSON
package import SluiceStreams

/// A subscription to a stream that runs elsewhere.
package struct SharedSubscription: Sendable {
    private let outputs: any SharedOutputs
    private let stream: String
    private let subscription: StreamSubscription
    private let timer: any RunTimer

    /// The time after which a request is repeated, in nanoseconds.
    private static let pause: Int64 = 3_600_000_000_000

    /// The largest number of pages that are read when the stream does not run elsewhere any more.
    private static let pagesToLeave = 16
    /// The largest number of runs that are remembered.
    private static let mostRuns = 1024

    /// Creates a subscription to a stream.
    package init(
        _ subscription: StreamSubscription,
        to stream: String,
        over outputs: any SharedOutputs,
        timer: any RunTimer
    ) {
        (self.outputs, self.stream, self.subscription, self.timer) = (outputs, stream, subscription, timer)
    }

    /// Sends the outputs to a reader as long as the stream runs elsewhere.
    ///
    /// - Parameters:
    ///   - reader: The reader.
    ///   - position: The position of the reader, which moves with what it gets.
    ///   - isOwn: A closure that returns a Boolean value that indicates whether an output is one of this process, which the reader has
    ///     already, by the name of its run. It is called once for each run.
    ///   - isElsewhere: A closure that returns a Boolean value that indicates whether to go on. It is called after each page, and every
    ///     second or two.
    /// - Throws: `StreamError` where outputs are no longer kept; `StoreError` when the cluster is not available; the errors of
    ///   the reader; `CancellationError`.
    package func read(
        for reader: some SubscriptionReader,
        from position: inout SubscriptionPosition,
        isOwn: (_ run: String, _ place: OutputPlace) async throws -> Bool = { _, _ in false },
        while isElsewhere: () async throws -> Bool
    ) async throws {
        if position.shared == nil { position.isFromStart = subscription.start != .now }
        let request = SharedOutputRequest(stream: stream, isFromStart: position.isFromStart)
        // A new reader begins here: its position has to be known before the request makes others share.
        let reading = try await outputs.outputs(for: request, after: position.shared)
        do {
            try await outputs.request(request)
            var requested = timer.now
            // A cursor names an output of the run, which is among the shared ones or comes before them. Until one behind it has come,
            // the reader has no position: it begins with the cursor again after a failure.
            var first: OutputPlace? =
                if position.shared == nil, case .after(let run, let sequence) = subscription.start {
                    OutputPlace(run: run, sequence: sequence)
                } else { nil }
            var own: [String: Bool] = [:]
            if first == nil { try await move(to: await reading.position, &position, reader) }
            try await reader.report(waiting: nil)
            var pagesToLeave = Self.pagesToLeave
            while pagesToLeave > 0 {
                let page = try await reading.next()
                if page.mayMissOutputs, subscription.missing == .fail {
                    throw missing("the cluster no longer keeps all")
                }
                for output in page.outputs {
                    if let cursor = first, let place = output.place {
                        if place <= cursor { continue }
                        first = nil
                    }
                    if let run = output.run, let place = output.place {
                        if own[run] == nil {
                            if own.count >= Self.mostRuns { own = [:] }
                            own[run] = try await isOwn(run, place)
                        }
                        if own[run] ?? false { continue }
                    }
                    try await send(output, &position, reader)
                }
                if first == nil { try await move(to: page.position, &position, reader) }
                try await reader.rest()
                // The outputs from before the move are read first.
                if try await isElsewhere() {
                    pagesToLeave = Self.pagesToLeave
                } else {
                    pagesToLeave = page.outputs.isEmpty ? 0 : pagesToLeave - 1
                }
                if timer.now - requested > Self.pause {
                    try await outputs.request(request)
                    requested = timer.now
                }
            }
        } catch {
            await reading.close()
            throw error
        }
        await reading.close()
    }

    private func move(
        to shared: String,
        _ position: inout SubscriptionPosition,
        _ reader: some SubscriptionReader
    ) async throws {
        guard position.shared != shared else { return }
        position.shared = shared
        try await reader.mark(at: "\(position)")
    }

    private func send(
        _ output: SharedOutput,
        _ position: inout SubscriptionPosition,
        _ reader: some SubscriptionReader
    ) async throws {
        if case .missing(let reason) = output.content, subscription.missing == .fail { throw missing(reason) }
        position.shared = output.position
        if let item = output.item(of: subscription.subject) {
            try await reader.send(item, at: "\(position)")
        } else {
            try await reader.mark(at: "\(position)")
        }
    }

    private func missing(_ reason: String) -> StreamError {
        StreamError(
            message: "outputs of '\(stream)' are missing: \(reason); read on without them with \"missing\": \"skip\""
        )
    }
}

extension SharedOutput {
    /// Returns the item that subscribers of a subject get; `nil` if they get none.
    fileprivate func item(of subject: StreamSubscription.Subject) -> JSON? {
        switch (subject, content) {
        case (.outputs, .value(let text)): JSON(outputText: text)
        case (.errors, .error(let kind, let text)): JSON(kind, text, at: place)
        default: nil
        }
    }
}

extension StoredOutput {
    /// Returns the item that subscribers of a subject get; `nil` if they get none.
    package func item(of subject: StreamSubscription.Subject) -> JSON? {
        switch (subject, kind) {
        case (.outputs, .value): JSON(outputText: text)
        case (.errors, .reported), (.errors, .failed): JSON(kind, text, at: place)
        default: nil
        }
    }
}

extension JSON {
    fileprivate init(outputText text: String) { self = (try? JSON(parsing: text)) ?? .string(text) }

    fileprivate init(_ kind: StoredOutput.Kind, _ error: String, at place: OutputPlace?) {
        var object: JSON.Object = ["kind": .string(kind.rawValue), "error": .string(error)]
        if let place { (object["run"], object["sequence"]) = (.int(Int64(place.run)), .int(Int64(place.sequence))) }
        self = .object(object)
    }
}
