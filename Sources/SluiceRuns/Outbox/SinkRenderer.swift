import SluiceJSON
import SluiceStreams

/// Evaluates the expressions of sinks: one turn at a time, and the streams by turns.
///
/// Expressions may be expensive. They are evaluated outside of the actor of the deliveries, which no stream can hold. A
/// turn ends after a bounded cost, or after one evaluation that exceeds it, and the next one is that of another stream
/// where another waits. All expressions together occupy one thread at most.
actor SinkRenderer {
    /// The cost after which a turn ends, in units of the expression language and bytes of the outputs.
    static let turnCost = 100_000
    /// The number of outputs after which a turn ends.
    static let turnCount = 64

    /// The streams that have a turn or wait for one, with the sinks that wait for the turn of their stream to end.
    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]
    private let onTurn: (@Sendable (_ stream: String) async -> Void)?

    /// Creates a renderer.
    ///
    /// - Parameter onTurn: is called when a turn begins.
    init(onTurn: (@Sendable (_ stream: String) async -> Void)? = nil) { self.onTurn = onTurn }

    /// Returns the first outputs as a sink sees them, at least one. An error of an expression blocks the sink when the
    /// request is made.
    func offers(of outputs: ArraySlice<StoredOutput>, to sink: CompiledSink, of stream: String) async -> [Outbox.Offer]
    {
        await turn(stream) {
            var (offers, cost): ([Outbox.Offer], Int) = ([], 0)
            for output in outputs.prefix(Self.turnCount) where cost < Self.turnCost {
                cost += output.text.utf8.count
                offers.append(sink.offer(of: output, cost: &cost))
            }
            return offers
        }
    }

    /// Returns the requests for the first drafts, at least one, and no more after an error.
    ///
    /// - Parameter room: the size of the requests that may be made, in bytes; the last one may exceed it.
    func requests(
        for drafts: ArraySlice<Outbox.Draft>,
        to sink: CompiledSink,
        of stream: String,
        room: Int
    ) async -> [Result<String, any Error>] {
        await turn(stream) {
            var (requests, cost, size): ([Result<String, any Error>], Int, Int) = ([], 0, 0)
            for draft in drafts.prefix(Self.turnCount)
            where requests.isEmpty || cost < Self.turnCost && size < room {
                cost += draft.items.reduce(0) { $0 + $1.utf8.count }
                do {
                    let request = try sink.request(for: draft, cost: &cost).description
                    size += request.utf8.count
                    requests.append(.success(request))
                } catch {
                    requests.append(.failure(error))
                    break
                }
            }
            return requests
        }
    }

    /// Returns the request for outputs that are sent again, also if the condition rejects them.
    ///
    /// - Throws: The error of an expression.
    func request(for items: [JSON], to sink: CompiledSink, of stream: String) async throws -> String {
        try await turn(stream) { Result { try sink.request(for: items).description } }.get()
    }

    private func turn<Value>(_ stream: String, _ body: () -> Value) async -> Value {
        if waiting[stream] == nil {
            waiting[stream] = []
        } else {
            await withCheckedContinuation { waiting[stream]?.append($0) }
        }
        await onTurn?(stream)
        let value = body()
        if waiting[stream]?.isEmpty ?? true {
            waiting[stream] = nil
        } else {
            waiting[stream]?.removeFirst().resume()
        }
        return value
    }
}

extension CompiledSink {
    /// Returns an output as the sink sees it.
    fileprivate func offer(of output: StoredOutput, cost: inout Int) -> Outbox.Offer {
        if let offer = Outbox.Offer(output, to: self) { return offer }
        guard let item = try? JSON(parsing: output.text) else { return .item(output.text, key: nil) }
        do {
            guard try accepts(item, cost: &cost) else { return .passed }
            return .item(output.text, key: try key(of: item, cost: &cost))
        } catch {
            return .item(output.text, key: nil)
        }
    }

    /// Returns the request for a draft.
    ///
    /// - Throws: The error of an expression.
    fileprivate func request(for draft: Outbox.Draft, cost: inout Int) throws -> JSON {
        let items = try draft.items.map { try JSON(parsing: $0) }
        // An output with a key was accepted without an error.
        for item in items where items.count > 1 || draft.key == nil {
            _ = try accepts(item, cost: &cost)
            _ = try key(of: item, cost: &cost)
        }
        return try request(for: items, cost: &cost)
    }
}

extension Outbox.Offer {
    /// Creates an offer without evaluating anything; `nil` where the sink decides by expressions.
    init?(_ output: StoredOutput, to sink: CompiledSink) {
        switch output.kind {
        case .reported: self = .passed
        case .completed, .failed: self = .ended
        case .value:
            guard sink.takesAll else { return nil }
            self = .item(output.text, key: nil)
        }
    }
}
