import HTTPTypes
import Hummingbird
import NIOCore
import SluiceJSON

extension HubRoutes {
    /// What happens, as it happens.
    var eventOperations: [Operation] {
        [
            Operation(
                method: .get,
                path: "/events",
                id: "listen",
                role: .read,
                summary: "What happens in the hub",
                parameters: [
                    .init(
                        name: "values",
                        place: .query,
                        text: "the ids of the streams whose values are told; empty for none, all where nothing is said",
                        schema: ["type": "array", "items": ["type": "string"], "maxItems": 1000]
                    ),
                    .lastEventID,
                ],
                result: .events,
                problems: [.serviceUnavailable]
            ) { request, context in
                let values = request.uri.queryParameters.getAll("values").map { String($0) }
                let isAll = values.isEmpty && request.uri.queryParameters["values"] == nil
                return try await listen(EventBus.Interest(values: isAll ? nil : Set(values)), request, context)
            },
            Operation(
                method: .get,
                path: "/streams/{id}/events",
                id: "listenToStream",
                role: .read,
                summary: "What happens in a stream",
                parameters: [.lastEventID],
                result: .events,
                problems: [.notFound, .serviceUnavailable]
            ) { request, context in
                let document = try await hub.document(context.parameter("id"))
                return try await listen(EventBus.Interest(streams: [document.id]), request, context)
            },
        ]
    }

    private func listen(
        _ interest: EventBus.Interest,
        _ request: Request,
        _ context: HubRequestContext
    ) async throws -> Response {
        let bus = hub.around.bus
        guard await hub.listenerCount < settings.limits.listeners else { throw Problem.tooManyListeners }
        guard let subscription = bus.listen(interest, after: request.lastEventID) else { throw Problem.ending }
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
    /// An event stream.
    ///
    /// - Parameters:
    ///   - channel: the connection; it is closed where it takes nothing for `patience` while something waits, and who reads
    ///     nothing is told nothing more.
    ///   - access: ends it when the right of its reader, `identity`, ends.
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
                    // What waits for a slow reader is not sent anymore either.
                    channel.close(promise: nil)
                }
                defer { if let number { access?.close(number) } }
                // The head goes out at once, also where nothing has happened yet.
                try await writer.write(Notice.keepAlive)
                for await event in subscription.events { try await writer.write(event) }
                if let farewell = subscription.farewell { try await writer.write(farewell) }
                try await writer.finish(nil)
            }
        )
    }
}
