#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
public import SluiceJSON

extension HubClient {
    /// An event of a hub.
    public enum Event: Sendable, Hashable {
        /// A run: as the first event, and whenever it begins, pauses, resumes, or is edited.
        case run(Run)
        /// A value at a stage.
        case value(Value)
        /// A stage has ended; with its error if it failed.
        case ended(End)
        /// Older values of a stream's run are not sent anymore.
        case gap(Gap)
        /// A document was stored.
        case changed(Head)
        /// A stream was removed.
        case removed(id: String)
        /// The members or the streams of a group have changed.
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
            /// The origins of the value. Values with equal origins have the same color.
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
            /// The error; `nil` if the stage completed.
            public let error: String?
        }

        /// The beginning of the values that are sent.
        public struct Gap: Sendable, Decodable, Hashable {
            /// The stream.
            public let stream: String
            /// The time of the run in seconds. Values before it are not sent.
            public let before: Double
        }

        /// Reads an event; `nil` for an unknown kind.
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

    /// Returns the events of one stream, from the beginning of its run.
    ///
    /// ```swift
    /// let hub = HubClient(URL(string: "http://127.0.0.1:8080/")!)
    /// for try await case .value(let value) in hub.events(of: "ticks") { print(value.time, value.value) }
    /// ```
    ///
    /// A broken connection is restored, and the missed events are sent then; see ``Events``.
    public func events(of id: String) -> Events { Events(client: self, path: ["streams", id, "events"], query: []) }

    /// Returns the events of the hub.
    ///
    /// - Parameter values: the streams whose values are sent; `nil` for all streams, an empty array for none.
    public func events(values: [String]? = nil) -> Events {
        let names = values.map { $0.isEmpty ? [""] : $0 } ?? []
        return Events(client: self, path: ["events"], query: names.map { URLQueryItem(name: "values", value: $0) })
    }

    /// The events of a hub, with reconnection.
    ///
    /// It throws `HTTPError` if the hub returns an error or an unreadable event, and `CancellationError` when the task
    /// is canceled. Unknown kinds of events are skipped. Leaving the loop closes the connection.
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

            /// Returns the next event; `nil` when the hub has no more.
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
                            "the hub's event \(event.name) can't be read",
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
#endif
