#if HTTP
import Sluice
package import SluiceJSON
package import SluiceStreams

/// The webhooks that the running streams of a hub read, by stream and name.
package final class WebhookDesk: Sendable {
    private struct Place: Hashable {
        let stream: String
        let name: String
    }

    /// A webhook that a run reads.
    package struct Entry: Sendable {
        fileprivate let number: Int
        /// The right to send to it.
        package let auth: WebhookAuth
        private let inlet: StreamInlet<JSON>

        fileprivate init(number: Int, auth: WebhookAuth, inlet: StreamInlet<JSON>) {
            (self.number, self.auth, self.inlet) = (number, auth, inlet)
        }

        /// Hands an item to the run; returns `false` if its buffer is full, or it has ended.
        ///
        /// - Throws: `StreamError` for an item that a stream can't hold; `StreamItemSizeError` for one that is too large.
        package func deliver(_ item: JSON, awaitedBy delivery: StreamDelivery) throws -> Bool {
            try inlet.deliver(item, awaitedBy: delivery)
        }
    }

    private struct State {
        var entries: [Place: [Entry]] = [:]
        var last = 0
    }

    private let state = Locked(State())

    private let secrets: Secrets

    /// - Parameter secrets: The secrets that signatures may name.
    package init(secrets: Secrets) { self.secrets = secrets }

    /// Returns the webhook that a run reads by a name, the first one of several; `nil` if it reads no such webhook.
    package func entry(_ stream: String, _ name: String) -> Entry? {
        state.withLock { $0.entries[Place(stream: stream, name: name)]?.first }
    }

    /// Reads a webhook until the task is canceled: the body of the source `webhook`.
    @Sendable package func feed(_ arguments: JSON, _ inlet: StreamInlet<JSON>) async throws {
        guard let stream = inlet.stream else {
            throw StreamError(message: "webhooks are read by streams of a hub only")
        }
        let place = Place(stream: stream, name: arguments["name"]?.string ?? "")
        let auth = try WebhookAuth(arguments["auth"] ?? nil)
        // A secret that is missing lets nobody in; one that is there and can't be decoded is an error.
        if case .hmac(let signature) = auth, let value = try? secrets.value(of: signature.secret, for: stream) {
            do throws(SecretsError) { _ = try signature.key(from: value) } catch {
                throw StreamError(message: error.description)
            }
        }
        let number = state.withLock { state in
            state.last += 1
            state.entries[place, default: []].append(Entry(number: state.last, auth: auth, inlet: inlet))
            return state.last
        }
        defer {
            state.withLock { state in
                state.entries[place]?.removeAll { $0.number == number }
                if state.entries[place]?.isEmpty ?? false { state.entries[place] = nil }
            }
        }
        let forever = AsyncStream<Never> { _ in }
        for await _ in forever {}
        try Task.checkCancellation()
    }
}
#endif
