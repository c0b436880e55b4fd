import SluiceJSON

/// The deliveries of a sink in virtual time, to a receiver that acknowledges each at once: what a hub delivers where
/// nothing is away.
///
/// A condition selects the outputs, and batches are collected, as a hub does. An output that can't be rendered ends the
/// deliveries with the error; with `"onFailure": "skip"`, it is left out, as it goes to the dead letters. After the
/// budget is spent, nothing is evaluated.
struct SinkTrial {
    private let sink: CompiledSink?
    /// The number of events after which no more are kept.
    private let limit: Int
    /// The deliveries so far, and the end of the stream.
    private(set) var events: [StreamEvent<JSON>] = []
    private var batch: [JSON] = []
    /// The time at which the batch is delivered, complete or not.
    private var deadline: StreamTime?
    private var isOver = false

    init(_ sink: CompiledSink?, limit: Int) { (self.sink, self.limit) = (sink, limit) }

    /// A Boolean value that indicates whether nothing more is kept.
    var isFull: Bool { events.count >= limit }

    /// Delivers the batch whose time is over by `time`.
    mutating func advance(to time: StreamTime, _ budget: TestBudget) {
        guard let deadline, deadline <= time else { return }
        deliver(at: deadline, budget)
    }

    /// Takes an event of the stream.
    mutating func take(_ event: StreamEvent<JSON>, _ budget: TestBudget) {
        advance(to: event.time, budget)
        switch event.kind {
        case .value(let item): take(item, at: event.time, budget)
        case .completed, .failed:
            if !batch.isEmpty { deliver(at: event.time, budget) }
            keep(event)
            isOver = true
        case .reported: break
        }
    }

    private mutating func take(_ item: JSON, at time: StreamTime, _ budget: TestBudget) {
        guard let sink, !isOver, !isFull, !sink.isDisabled, !budget.isSpent else { return }
        let answer = Result(catching: { try sink.accepts(item) })
        // An evaluation may take long, whatever it answers.
        budget.spend(bytes: 0)
        // The error of a condition is that of the delivery.
        if case .success(false) = answer { return }
        batch.append(item)
        if batch.count >= sink.rules.batchCount { return deliver(at: time, budget) }
        if batch.count == 1, let seconds = sink.rules.batchSeconds {
            deadline = StreamTime(seconds: seconds).flatMap(time.adding)
        }
    }

    private mutating func deliver(at time: StreamTime, _ budget: TestBudget) {
        guard let sink, !budget.isSpent else { return }
        let items = batch
        (batch, deadline) = ([], nil)
        do {
            let value = try sink.delivered(for: items)
            budget.spend(bytes: value.description.utf8.count)
            keep(StreamEvent(time: time, kind: .value(value)))
        } catch {
            budget.spend(bytes: 0)
            if sink.rules.onFailure == .skip { return }
            keep(StreamEvent(time: time, kind: .failed(StreamError(error))))
            isOver = true
        }
    }

    private mutating func keep(_ event: StreamEvent<JSON>) {
        if !isOver, !isFull { events.append(event) }
    }
}

extension CompiledSink {
    /// Returns the content of a delivery: the body, the line, or the value.
    ///
    /// - Throws: The error of an expression.
    func delivered(for items: [JSON]) throws -> JSON {
        for item in items {
            _ = try accepts(item)
            _ = try key(of: item)
        }
        let request = try request(for: items)
        return content.flatMap { request[$0] } ?? request
    }
}
