#if Hub
import HTTPTypes
import Hummingbird
import NIOCore
import SluiceJSON
import SluiceRuns

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
        ]
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
                for await event in subscription.events { try await writer.write(event) }
                if let farewell = subscription.farewell { try await writer.write(farewell) }
                try await writer.finish(nil)
            }
        )
    }
}
#endif
