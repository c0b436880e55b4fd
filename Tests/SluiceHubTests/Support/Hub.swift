#if Hub
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Sluice
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStore
import SluiceStreams
import SluiceTestSupport
import SluiceTesting
import Testing

@testable import SluiceHub

/// A hub in memory, whose time is a test clock's.
struct Hub: Sendable {
    let clock: TestClock
    let store: any StreamStore
    let hub: StreamHub
    let settings: HubSettings
    let routes: HubRoutes
    /// The instant at which the time of day was 1,000,000, for all hubs: several may use one clock.
    private static let epoch = ContinuousClock.now
    /// The number of background tasks in flight.
    private let work: WorkCount

    /// Makes the hub and has it go on with what the store has.
    init(
        _ texts: [String] = [],
        on store: any StreamStore = MemoryStreamStore(),
        clock: TestClock = TestClock(),
        settings: HubSettings = HubSettings(),
        name: String = "test",
        isResumed: Bool = true,
        quantum: Duration = .seconds(3600)
    ) async throws {
        var drafts: [StreamDraft] = []
        for text in texts {
            let document = try StreamDocument(preserving: Array(text.utf8))
            drafts.append(StreamDraft(id: try #require(document.id), name: document.name, text: text))
        }
        if !drafts.isEmpty { try await store.create(drafts, by: "test") }
        let timer = CallTimer.of(clock)
        let (epoch, work, scheduler) = (
            Self.epoch, WorkCount(), RunScheduler(threads: 1, spareThreads: 0, quantum: quantum)
        )
        self.work = work
        hub = StreamHub(
            HubEnvironment(
                bus: EventBus(timer: timer, hub: name, limits: settings.limits),
                timer: timer,
                store: store,
                settings: settings,
                wallClock: {
                    let (seconds, attoseconds) = epoch.duration(to: clock.now).components
                    return Date(timeIntervalSince1970: 1_000_000 + Double(seconds) + Double(attoseconds) / 1e18)
                },
                scheduler: scheduler,
                perform: TaskStarter { body in
                    work.count.withLock { $0 += 1 }
                    return Task {
                        await body()
                        work.count.withLock { $0 -= 1 }
                    }
                }
            )
        )
        (self.clock, self.store, self.settings) = (clock, store, settings)
        routes = HubRoutes(hub: hub, settings: settings)
        if isResumed { try await hub.load() } else { try await hub.open() }
        try await routes.tokens.load()
        if isResumed { try await settle() }
    }

    /// Answers one request.
    func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String? = nil,
        _ headers: [String: String] = [:]
    ) async throws -> Answer {
        var fields: HTTPFields = [:]
        if body != nil { fields[.contentType] = "application/json" }
        for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
        let sent = fields
        return try await Application(router: routes.router()).test(.router) { client in
            let response = try await client.execute(
                uri: path,
                method: method,
                headers: sent,
                body: body.map { ByteBuffer(string: $0) }
            )
            return Answer(
                status: response.status,
                headers: response.headers,
                text: String(buffer: response.body)
            )
        }
    }

    struct Answer: Sendable {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let text: String

        var json: JSON { get throws { try JSON(parsing: text) } }
        var etag: String? { headers[.eTag] }
    }

    /// Subscribes to the hub's events.
    func subscribe(
        _ interest: EventBus.Interest = EventBus.Interest(),
        after last: String? = nil
    ) throws -> Subscriber {
        Subscriber(try #require(hub.around.bus.subscribe(interest, after: last)))
    }

    /// Moves the clock from wait to wait for `seconds`, and has the hub do what is due.
    func pass(_ seconds: Double) async throws {
        let end = clock.now.advanced(by: .seconds(seconds))
        while true {
            try await settle()
            guard let next = clock.untilNext, clock.now.advanced(by: next) <= end else { break }
            clock.advance(by: next)
        }
        clock.advance(by: clock.now.duration(to: end))
        try await settle()
    }

    /// Lets all that was begun come to its end, or to a wait for the clock.
    func settle() async throws {
        let scheduler = hub.around.runs.scheduler
        try await until("rest") {
            // Runs start tasks, and tasks ask for turns: neither may have begun while the other was looked at.
            let count = scheduler.workCount
            return work.count.withLock { $0 } == 0 && scheduler.isIdle && scheduler.workCount == count
                && work.count.withLock { $0 } == 0
        }
    }

    /// Waits until something holds.
    func until(_ what: String, _ holds: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(600)
        var looks = Looks()
        while try await !holds() {
            try #require(ContinuousClock.now < end, "it did not come to this: \(what)")
            await looks.pause()
        }
    }

    func state(_ id: String) -> RunState? { hub.around.bus.status(of: id)?.state }
}

/// Counts what is under way.
private final class WorkCount: Sendable {
    let count = Locked(0)
}

/// Reads an event stream.
final class Subscriber {
    struct Event: Equatable {
        var id: String?
        let name: String
        let data: JSON
    }

    private var events: EventSubscription.Events.Iterator
    let subscription: EventSubscription

    init(_ subscription: EventSubscription) {
        self.subscription = subscription
        events = subscription.events.makeAsyncIterator()
    }

    /// The next event; `nil` where the stream has ended.
    func next() async throws -> Event? {
        while let bytes = await events.next(isolation: #isolation) {
            var (id, name, data): (String?, String, String) = (nil, "", "")
            for line in String(buffer: bytes).split(separator: "\n") {
                if line.hasPrefix("id: ") { id = String(line.dropFirst(4)) }
                if line.hasPrefix("event: ") { name = String(line.dropFirst(7)) }
                if line.hasPrefix("data: ") { data = String(line.dropFirst(6)) }
            }
            if !name.isEmpty { return Event(id: id, name: name, data: try JSON(parsing: data)) }
        }
        return nil
    }

    /// The next event of a name.
    func next(_ name: String) async throws -> Event {
        while let event = try await next() { if event.name == name { return event } }
        throw EndOfEvents()
    }

    struct EndOfEvents: Error {}
}

/// Documents of tests.
enum Document {
    /// Items a second apart.
    static func items(_ id: String, _ values: [Int], after seconds: [Double]? = nil, name: String? = nil) -> String {
        let seconds = seconds ?? values.map { _ in 1 }
        let items = zip(values, seconds).map { #"{"value": \#($0), "operators": [{"delay": {"seconds": \#($1)}}]}"# }
        return #"{"id": "\#(id)", "name": "\#(name ?? id)", "stream": [\#(items.joined(separator: ", "))]}"#
    }

    static func interval(_ id: String, _ seconds: Double, operators: String = "") -> String {
        #"{"id": "\#(id)", "source": {"interval": {"seconds": \#(JSON.number(seconds))}}, "operators": [\#(operators)]}"#
    }
}
#endif
