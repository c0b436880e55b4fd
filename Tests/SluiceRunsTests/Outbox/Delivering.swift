import Foundation
import Sluice
import SluiceJSON
import SluiceStreams

@testable import SluiceRuns

/// A publisher that hands runs to deliveries.
final class DeliveringPublisher: RunPublisher {
    let deliveries = Locked<Deliveries?>(nil)
    private let bodies = Locked<[String: @Sendable () -> Void]>([:])

    private var current: Deliveries? { deliveries.withLock { $0 } }

    func publish(_ status: RunStatus, isNewRun: Bool) {}
    func publish(_ marks: [StageWatch.Mark], of stream: String) {}
    func discardValues(of stream: String) {}
    func hasSubscribers(of stream: String) -> Bool { false }
    func count(_ event: RunEvent) {}

    func onSubscription(of stream: String, _ body: (@Sendable () -> Void)?) {
        bodies.withLock { $0[stream] = body }
        current?.onRoom(of: stream, body)
    }

    func publish(_ event: StreamEvent<JSON>, number: Int, of status: RunStatus) {
        let place = OutputPlace(run: status.run, sequence: number)
        current?.publish(place, size: event.value?.description.utf8.count ?? 0, of: status.stream)
    }

    func hasRoom(for stream: String) -> Bool { current?.hasRoom(for: stream) ?? true }

    func use(_ sinks: [CompiledSink], after number: Int, of status: RunStatus, keepsOthers: Bool) {
        let place = OutputPlace(run: status.run, sequence: number)
        current?.use(sinks, of: status.stream, after: place, keepsOthers: keepsOthers)
    }

    func noteStored(_ stream: String) { current?.noteStored(stream) }
    func forgetOutputs(of stream: String, upTo run: Int) { current?.forgetOutputs(of: stream, upTo: run) }

    /// Takes deliveries that are made after the runs.
    func set(_ deliveries: Deliveries) {
        self.deliveries.withLock { $0 = deliveries }
        for (stream, body) in bodies.withLock({ $0 }) { deliveries.onRoom(of: stream, body) }
    }
}

/// A receiver that answers as a test says.
final class Receiver: Sendable {
    /// The keys and requests in the order in which they came.
    let received = Locked<[(key: String, request: JSON)]>([])
    /// The answer; `nil` accepts.
    let answer = Locked<(any Error)?>(nil)
    /// A Boolean value that indicates whether answers wait.
    let isHolding = Locked(false)
    /// The number of requests without an answer, and the largest one so far.
    let open = Locked((count: 0, most: 0))

    @Sendable func deliver(_ delivery: SinkDelivery) async throws {
        received.withLock { $0.append((delivery.key, delivery.request)) }
        open.withLock { $0 = ($0.count + 1, max($0.most, $0.count + 1)) }
        defer { open.withLock { $0.count -= 1 } }
        while isHolding.withLock({ $0 }) { await Task.yield() }
        if let error = answer.withLock({ $0 }) { throw error }
    }

    /// The values in the order in which they came.
    var values: [JSON] { received.withLock { $0.map { $0.request["value"] ?? .null } } }
    var keys: [String] { received.withLock { $0.map(\.key) } }
}

/// A stream with sinks, its supervisor, and its deliveries.
struct Delivering {
    let supervised: Supervised
    let deliveries: Deliveries
    let receiver = Receiver()

    /// - Parameters:
    ///   - store: what another process has left; `nil` for a new stream.
    ///   - instant: the time at which the process starts.
    ///   - counting: counts what the deliveries read from the store.
    ///   - gate: holds attempts back by an error.
    init(
        _ text: String,
        _ store: MemoryStreamStore? = nil,
        at instant: Int64 = 0,
        counting: SinkReads? = nil,
        gate: (@Sendable () throws(SinkHoldError) -> Void)? = nil
    ) async throws {
        let publisher = DeliveringPublisher()
        supervised = try await Supervised(text, publisher: publisher, store: store)
        supervised.timer.move(to: instant)
        var host = StreamHost()
        host.registerSink("r", receiver.deliver)
        if let gate { host = host.gatingDeliveries(gate) }
        let environment = supervised.environment
        var store: any SinkStore = supervised.store
        if let counting { store = CountingSinkStore(supervised.store, counting) }
        deliveries = Deliveries(
            store: store,
            host: host,
            timer: environment.timer,
            wallClock: environment.wallClock,
            perform: environment.perform
        )
        publisher.set(deliveries)
    }

    func pass(_ seconds: Double) async { await supervised.pass(seconds) }

    func status(_ index: Int = 0) async throws -> SinkStatus {
        try await deliveries.status(of: "a")[index]
    }

    /// The number of the outputs that are stored.
    func outputs() async throws -> Int { try await supervised.store.run(of: "a")?.outputs ?? 0 }

    func edit(_ text: String, revision: Int) async throws {
        try await supervised.supervisor.edit(to: Supervised.program(text, revision: revision))
    }
}
