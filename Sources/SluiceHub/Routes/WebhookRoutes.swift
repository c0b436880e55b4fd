#if Hub
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Sluice
import SluiceConnect
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The ways in for requests that are posted to streams.
enum WebhookRoutes {
    /// Returns a Boolean value that indicates whether a request is one to a webhook, which has rules of its own: those for
    /// browsers and the hub's token don't apply. The path is taken as it came.
    static func isOne(_ method: HTTPRequest.Method, _ path: String) -> Bool {
        guard method == .post else { return false }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 5 && parts[0].isEmpty && parts[1] == "streams" && !parts[2].isEmpty
            && parts[3] == "webhook" && !parts[4].isEmpty
    }
}

extension HubRoutes {
    /// The route of webhooks.
    var webhookOperations: [Operation] {
        [
            Operation(
                method: .post,
                path: "/streams/{id}/webhook/{name}",
                id: "postToWebhook",
                role: nil,
                summary: "Hands the body to a stream that reads the webhook; answered when it is stored",
                status: .noContent,
                problems: [
                    .unauthorized, .forbidden, .notFound, .requestTimeout, .contentTooLarge, .unsupportedMediaType,
                    .tooManyRequests, .unprocessableContent, .serviceUnavailable,
                ]
            ) { request, context in
                try await receive(request, context)
                return Response(status: .noContent)
            }
        ]
    }

    private func receive(_ request: Request, _ context: HubRequestContext) async throws {
        let client = context.client(of: request, proxies: proxies)
        let wait = webhookLimiter.wait(client, at: hub.around.timer.now)
        guard wait <= 0 else { throw Problem.tooManyPosts(seconds: (wait + 999_999_999) / 1_000_000_000) }
        let (id, name) = (try context.parameter("id"), try context.parameter("name"))
        let isRunning = hub.around.bus.status(of: id)?.state == .running
        guard isRunning, let webhook = hub.around.webhooks.entry(id, name) else {
            try await refuse(name, of: id, isRunning, request, client)
        }
        // A missing token is refused before the body is read.
        if webhook.auth == .token { try checkToken(request, client) }
        // The room of the body is taken until the item is stored.
        let room = WebhookRoom(in: webhookBodies, for: client)
        defer { room.release() }
        let body = try await read(request, in: room)
        if case .hmac(let signature) = webhook.auth { try check(signature, request, body, id) }
        let item = try item(body, request.headers[.contentType])
        try await deliver(item, to: webhook, of: id)
    }

    /// Reads the body of a request, which has a time to arrive.
    ///
    /// - Throws: ``Problem`` for a body that is too long, too slow, or incomplete, or for which there is no room.
    private func read(_ request: Request, in room: WebhookRoom) async throws -> [UInt8] {
        let limit = settings.limits.bodySize
        let length = request.headers[.contentLength].flatMap { Int($0) }
        if let length, length > limit { throw Problem.tooLong(limit) }
        let call = PendingCall<[UInt8]>()
        let alarm = CallRunTimer(hub.around.timer).schedule(
            at: hub.around.timer.now.advanced(byClamping: WebhookBodies.patience)
        ) { call.end(.failure(Problem.tooSlow), expires: true) }
        let reading = Task {
            let result = await Result.of { try await Self.pieces(of: request, upTo: limit, in: room) }
            call.finish(result)
        }
        call.attach(reading)
        let result = await Result.of { try await call.value() }
        alarm.cancel()
        // Nothing is reserved after this.
        await reading.value
        if Task.isCancelled { throw Problem.ending }
        let body = try result.get()
        // A connection that breaks is no end of a body.
        if let length, length != body.count {
            throw Problem(.badRequest, "the body ends after \(body.count) of \(length) bytes")
        }
        return body
    }

    /// Returns the pieces of a body together; room for each is reserved when it has arrived.
    private static func pieces(of request: Request, upTo limit: Int, in room: WebhookRoom) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in request.body {
            guard piece.readableBytes <= limit - bytes.count else { throw Problem.tooLong(limit) }
            try room.reserve(piece.readableBytes)
            bytes.append(contentsOf: piece.readableBytesView)
        }
        return bytes
    }

    /// Refuses a request to a webhook that no run reads.
    ///
    /// Only a client that may read the documents learns whether the stream and the webhook exist. For others all reasons
    /// have one answer: two answers would tell them what documents contain.
    private func refuse(
        _ name: String,
        of id: String,
        _ isRunning: Bool,
        _ request: Request,
        _ client: String
    ) async throws -> Never {
        if access.isGuarded {
            guard request.headers.contains(.authorization),
                (try? access.check(request, from: client, cookie: "")) != nil
            else { throw Problem.notReceiving }
        }
        let text = try hub.stored(id).text
        // A run that has just begun reads its webhooks in a moment, also those of documents that it refers to.
        guard isRunning, !text.contains(JSON.string(name).text()), !text.contains("\"ref\"") else {
            throw Problem.notReceiving
        }
        throw Problem(.notFound, "the stream reads no webhook '\(name.shortened)'")
    }

    private func item(_ body: [UInt8], _ type: String?) throws -> JSON {
        do throws(WebhookBody.Failure) { return try WebhookBody.item(body, type) } catch {
            switch error {
            case .unsupported:
                throw Problem(
                    .unsupportedMediaType,
                    "a webhook takes JSON, a form (application/x-www-form-urlencoded), or text/plain"
                )
            case .invalid(let text): throw Problem(.badRequest, text)
            }
        }
    }

    /// Checks a token of the hub. A cookie is no proof: a browser would send it along for a page of another site.
    private func checkToken(_ request: Request, _ client: String) throws {
        guard access.isGuarded else {
            throw Problem(
                .forbidden,
                "this webhook asks for the hub's token, and the hub has none: --token auto makes one"
            )
        }
        guard request.headers.contains(.authorization) else { throw Problem.unauthorized }
        try access.check(request, from: client, cookie: "").require(.run)
    }

    private func check(_ signature: WebhookSignature, _ request: Request, _ body: [UInt8], _ id: String) throws {
        let key: [UInt8]
        do throws(SecretsError) {
            key = try signature.key(from: try settings.secrets.value(of: signature.secret, for: id))
        } catch {
            settings.logger.error("\(id): \(error)")
            throw Problem(.serviceUnavailable, "the signature can't be checked", headers: [.retryAfter: "60"])
        }
        let now = Int64(hub.around.wallClock().timeIntervalSince1970)
        guard signature.isValid(request.headers, body, key: key, now: now) else {
            throw Problem(.unauthorized, "the signature is missing, wrong, or too old")
        }
    }

    /// Hands an item to the run, and returns when it is stored.
    private func deliver(_ item: JSON, to webhook: WebhookDesk.Entry, of id: String) async throws {
        let delivery = StreamDelivery()
        do {
            guard try webhook.deliver(item, awaitedBy: delivery) else { throw Problem.notReceiving }
        } catch let error as StreamItemSizeError {
            throw Problem(.contentTooLarge, error.description)
        } catch let error as StreamError {
            throw Problem(.unprocessableContent, error.message)
        }
        // A run that is paused meanwhile, or behind, does not take it.
        let alarm = CallRunTimer(hub.around.timer).schedule(
            at: hub.around.timer.now.advanced(byClamping: Self.webhookPatience)
        ) { delivery.withdraw() }
        let isTaken = await delivery.isTaken()
        alarm.cancel()
        guard isTaken, await hub.isStored(id) else { throw Problem.notReceiving }
    }

    /// The time that a run has to take an item, in nanoseconds.
    private static let webhookPatience: Int64 = 5_000_000_000
}

/// Bounds the requests to webhooks by address.
final class WebhookLimiter: Sendable {
    private let state: Locked<FailureLimiter>

    /// - Parameter rate: The number of requests in a second; twice as many may come at once.
    init(perSecond rate: Int) {
        let rate = Int64(max(1, min(rate, 1_000_000)))
        state = Locked(FailureLimiter(interval: 1_000_000_000 / rate, burst: rate * 2))
    }

    /// Counts a request of an address; returns the time until its next one if it sent too many, in nanoseconds.
    func wait(_ client: String, at now: Int64) -> Int64 {
        state.withLock { state in
            let wait = state.wait(client, at: now)
            if wait <= 0 { state.fail(client, at: now) }
            return wait
        }
    }
}

extension StreamHub {
    /// Stores what the run of a stream has done; returns `false` if the store refuses it, or there is no run.
    func isStored(_ id: String) async -> Bool { await runs[id]?.saved() ?? false }
}

extension Problem {
    /// The answer of a webhook whose stream takes nothing now.
    static let notReceiving = Problem(
        .serviceUnavailable,
        "nothing is received here now: the stream is paused, does not run, or can't take more, or there is no such "
            + "webhook; send the request again later",
        headers: [.retryAfter: "5"]
    )

    static func tooManyPosts(seconds: Int64) -> Problem {
        Problem(
            .tooManyRequests,
            "too many requests to webhooks came from this address",
            headers: [.retryAfter: "\(seconds)"]
        )
    }
}
#endif
