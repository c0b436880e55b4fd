import AsyncHTTPClient

/// A client, and whose it is: one that a transport made is shut down with the last who uses it.
final class ClientLease: Sendable {
    let client: HTTPClient
    private let isOwned: Bool

    /// One client for the process; it lives as long as that does, and so is never shut down.
    static let shared = ClientLease(
        HTTPClient(eventLoopGroupProvider: .singleton, configuration: HTTPTransport.Settings().configuration),
        isOwned: false
    )

    private init(_ client: HTTPClient, isOwned: Bool) {
        self.client = client
        self.isOwned = isOwned
    }

    convenience init(owning configuration: HTTPClient.Configuration) {
        self.init(HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration), isOwned: true)
    }

    convenience init(borrowing client: HTTPClient) { self.init(client, isOwned: false) }

    deinit {
        // A client must be shut down before it goes; it keeps itself until that is done.
        if isOwned { client.shutdown { [client] _ in _ = client } }
    }

    /// Closes the connections of an own client; a second time does nothing.
    func shutdown() async {
        guard isOwned else { return }
        await withCheckedContinuation { done in client.shutdown { _ in done.resume() } }
    }
}
