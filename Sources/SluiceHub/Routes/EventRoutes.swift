#if Hub
import HTTPTypes
import Hummingbird
import NIOCore
import SluiceJSON
import SluiceRuns
import SluiceStreams

extension HubRoutes {
    /// The routes of the event streams.
    var eventOperations: [Operation] {
        [
            Operation(
                method: .get,
                path: "/events",
                id: "subscribe",
                role: .read,
                summary: "Streams the hub's events",
                parameters: [
                    .init(
                        name: "values",
                        location: .query,
                        text: "the ids of the streams whose values are sent; all if absent, none if empty",
                        schema: ["type": "array", "items": ["type": "string"], "maxItems": 1000]
                    ),
                    .lastEventID,
                ],
                result: .events,
                problems: [.serviceUnavailable]
            ) { request, context in
                let values = request.uri.queryParameters.getAll("values").map { String($0) }
                let isAll = values.isEmpty && request.uri.queryParameters["values"] == nil
                return try await subscribe(EventBus.Interest(values: isAll ? nil : Set(values)), request, context)
            },
            Operation(
                method: .get,
                path: "/streams/{id}/events",
                id: "subscribeToStream",
                role: .read,
                summary: "Streams the events of a stream",
                parameters: [.lastEventID],
                result: .events,
                problems: [.notFound, .serviceUnavailable]
            ) { request, context in
                let document = try await hub.document(context.parameter("id"))
                return try await subscribe(EventBus.Interest(streams: [document.id]), request, context)
            },
            Operation(
                method: .get,
                path: "/streams/{id}/items",
                id: "readItems",
                role: .read,
                summary:
                    "Streams the outputs, the errors, or the states of a stream, as the source subscribe reads them",
                parameters: [
                    .init(
                        name: "of",
                        location: .query,
                        text: "what is read: the outputs by default",
                        schema: ["type": "string", "enum": ["outputs", "errors", "states"]]
                    ),
                    .init(
                        name: "from",
                        location: .query,
                        text: "the place where a reader without Last-Event-ID begins: now (the default), start, or the "
                            + "cursor of an output",
                        schema: ["type": "string", "examples": ["now", "start", "2-17"]]
                    ),
                    .init(
                        name: "missing",
                        location: .query,
                        text: "skip: outputs that are no longer kept are left out, and don't end the answer",
                        schema: ["type": "string", "enum": ["fail", "skip"]]
                    ),
                    .lastEventID,
                ],
                result: .events,
                problems: [.badRequest, .serviceUnavailable]
            ) { request, context in
                var arguments: JSON.Object = ["stream": .string(try context.parameter("id"))]
                for name in ["of", "from", "missing"] {
                    arguments[name] = request.uri.queryParameters[name[...]].map { .string(String($0)) }
                }
                return try await read(.object(arguments), request, context)
            },
            Operation(
                method: .get,
                path: "/states",
                id: "readStates",
                role: .read,
                summary: "Streams the states of all streams, as the source subscribe reads them",
                parameters: [.lastEventID],
                result: .events,
                problems: [.serviceUnavailable]
            ) { request, context in try await read(["of": "states"], request, context) },
        ]
    }

    /// Returns the items of a subscription as an event stream.
    private func read(_ arguments: JSON, _ request: Request, _ context: HubRequestContext) async throws -> Response {
        let subscription: StreamSubscription
        do { subscription = try StreamSubscription(arguments) } catch {
            throw Problem(.badRequest, error.description)
        }
        guard await !hub.isEnding else { throw Problem.ending }
        guard await hub.subscriberCount < settings.limits.subscribers else { throw Problem.tooManySubscribers }
        let (desk, last) = (hub.around.subscriptions, request.lastEventID)
        let (channel, patience, access, identity) = (
            context.channel, settings.limits.patience, access, context.identity
        )
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                let watch = StallWatch(channel, patience: patience) {}
                defer { watch.end() }
                let number = access.open(for: identity) { channel.close(promise: nil) }
                defer { if let number { access.close(number) } }
                let reader = EventWriter(after: last)
                let work = Task {
                    do {
                        try await desk.serve(subscription, to: reader)
                        reader.end()
                    } catch {
                        reader.end(with: error as? StreamError)
                    }
                }
                defer { work.cancel() }
                // The head is sent at once, even if there is no event yet.
                try await writer.write(Notice.keepAlive)
                while let bytes = await reader.next() { try await writer.write(bytes) }
                try await writer.finish(nil)
            }
        )
    }

    private func subscribe(
        _ interest: EventBus.Interest,
        _ request: Request,
        _ context: HubRequestContext
    ) async throws -> Response {
        let bus = hub.around.bus
        guard await hub.subscriberCount < settings.limits.subscribers else { throw Problem.tooManySubscribers }
        guard let subscription = bus.subscribe(interest, after: request.lastEventID) else { throw Problem.ending }
        return events(subscription, context)
    }

    /// Returns an event stream that ends with the right of its reader.
    func events(_ subscription: EventSubscription, _ context: HubRequestContext) -> Response {
        .events(
            subscription,
            to: context.channel,
            patience: settings.limits.patience,
            access: access,
            identity: context.identity
        )
    }
}

extension Response {
    /// Returns an event stream.
    ///
    /// - Parameters:
    ///   - channel: the connection; it is closed when it accepts no bytes for `patience` while events wait. A reader
    ///     that reads nothing is sent nothing more.
    ///   - access: ends the stream when the access of its reader, `identity`, ends.
    static func events(
        _ subscription: EventSubscription,
        to channel: any Channel,
        patience: Duration,
        access: Access? = nil,
        identity: Identity = .owner
    ) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                let watch = StallWatch(channel, patience: patience) { subscription.leave() }
                defer { watch.end() }
                let number = access?.open(for: identity) {
                    subscription.leave()
                    // Waiting events of a slow reader are not sent anymore.
                    channel.close(promise: nil)
                }
                defer { if let number { access?.close(number) } }
                // The head is sent at once, even if there is no event yet.
                try await writer.write(Notice.keepAlive)
                var events = subscription.events.makeAsyncIterator()
                while let bytes = await events.nextBatch() { try await writer.write(bytes) }
                if let farewell = subscription.farewell { try await writer.write(farewell) }
                try await writer.finish(nil)
            }
        )
    }
}
#endif
