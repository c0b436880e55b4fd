import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
public import SluiceJSON

extension HubClient {
    /// What happens in a hub.
    public enum Event: Sendable, Hashable {
        /// A run: first of all, and whenever it begins, pauses, goes on or is edited.
        case run(Run)
        /// A value at a stage.
        case value(Value)
        /// A stage has ended; with its error if it failed.
        case ended(End)
        /// Older values of the run of a stream are not told any more.
        case gap(Gap)
        /// A document was stored.
        case changed(Head)
        /// A stream was removed.
        case removed(id: String)
        /// A group, or who is in it, has changed.
        case members(group: String)

        /// A value at a stage.
        public struct Value: Sendable, Decodable, Hashable {
            /// The stream.
            public let stream: String
            /// The stage, by its index among those of the run.
            public let stage: Int
            /// The time of the run in seconds.
            public let time: Double
            /// The value.
            public let value: JSON
            /// What it was made of: equal origins, equal color.
            public let origins: [Int]?
        }

        /// The end of a stage.
        public struct End: Sendable, Decodable, Hashable {
            /// The stream.
            public let stream: String
            /// The stage, by its index among those of the run.
            public let stage: Int
            /// The time of the run in seconds.
            public let time: Double
            /// Why it failed; `nil` where it completed.
            public let error: String?
        }

        /// Where the values begin that are told.
        public struct Gap: Sendable, Decodable, Hashable {
            /// The stream.
            public let stream: String
            /// The time of the run in seconds, before which nothing is told.
            public let before: Double
        }

        /// The event that the hub sent; `nil` for one that is not known here.
        init?(_ event: ServerSentEvent) throws {
            struct Removed: Decodable { let id: String }
            struct Members: Decodable { let group: String }
            let decoder = SluiceJSONDecoder()
            switch event.name {
            case "run": self = .run(try decoder.decode(Run.self, from: event.data))
            case "value": self = .value(try decoder.decode(Value.self, from: event.data))
            case "completed", "failed": self = .ended(try decoder.decode(End.self, from: event.data))
            case "gap": self = .gap(try decoder.decode(Gap.self, from: event.data))
            case "changed": self = .changed(try decoder.decode(Head.self, from: event.data))
            case "removed": self = .removed(id: try decoder.decode(Removed.self, from: event.data).id)
            case "members": self = .members(group: try decoder.decode(Members.self, from: event.data).group)
            default: return nil
            }
        }
    }

    /// What happens to one stream, from the beginning of its run.
    ///
    /// ```swift
    /// let hub = HubClient(URL(string: "http://127.0.0.1:8080/")!)
    /// for try await case .value(let value) in hub.events(of: "ticks") { print(value.time, value.value) }
    /// ```
    ///
    /// A connection that breaks is made anew, and what came meanwhile is told; see ``Events``.
    public func events(of id: String) -> Events { Events(client: self, path: ["streams", id, "events"], query: []) }

    /// What happens in the hub.
    ///
    /// - Parameter values: the streams whose values are told; `nil` for all of them, none for an empty array.
    public func events(values: [String]? = nil) -> Events {
        let names = values.map { $0.isEmpty ? [""] : $0 } ?? []
        return Events(client: self, path: ["events"], query: names.map { URLQueryItem(name: "values", value: $0) })
    }

    /// The events of a hub, over as many connections as it takes.
    ///
    /// It throws `HTTPError` where the hub says no, or sends what cannot be read, and `CancellationError` when the task is
    /// cancelled. Events of kinds that are not known here are left out. A loop that is left ends the connection.
    public struct Events: AsyncSequence, Sendable {
        let client: HubClient
        let path: [String]
        let query: [URLQueryItem]

        /// Begins to read.
        public func makeAsyncIterator() -> Iterator { Iterator(events: self) }

        /// Reads the events.
        public struct Iterator: AsyncIteratorProtocol {
            private let events: Events
            private var source: EventSource<AnyNode<TransportRequest, TransportResponse>>.Iterator?
            private var request: TransportRequest?

            init(events: Events) { self.events = events }

            /// The next event; `nil` when the hub has no more.
            nonisolated(nonsending) public mutating func next() async throws -> Event? {
                if source == nil {
                    let made = try events.client.request(.get, events.path, query: events.query)
                    request = made
                    source = EventSource(
                        made,
                        over: events.client.events,
                        upTo: HubClient.maximumAnswerBytes,
                        reconnecting: HTTPClassifier.passingStatuses,
                        retry: .milliseconds(500)
                    )
                    .makeAsyncIterator()
                }
                while let event = try await source?.next() {
                    do {
                        if let known = try Event(event) { return known }
                    } catch {
                        throw HTTPError(
                            .badBody,
                            "the event \(event.name) is not what a hub says",
                            request: request,
                            cause: error
                        )
                    }
                }
                return nil
            }
        }
    }
}
