import AsyncHTTPClient
import Sluice

/// A client with its ownership: a client that a transport made is shut down when its last user is gone.
final class ClientLease: Sendable {
    let client: HTTPClient
    private let isOwned: Bool
    /// A Boolean value that indicates whether the connections have our handlers, which report more than AsyncHTTPClient
    /// does.
    let isGuarded: Bool
    private let end = Locked(false)

    /// A Boolean value that indicates whether ``shutdown()`` was called.
    var isShutDown: Bool { end.withLock { $0 } }

    /// The shared client of the process, which is never shut down.
    static let shared = ClientLease(
        HTTPClient(eventLoopGroupProvider: .singleton, configuration: HTTPTransport.Settings().configuration),
        isOwned: false,
        isGuarded: true
    )

    private init(_ client: HTTPClient, isOwned: Bool, isGuarded: Bool) {
        self.client = client
        self.isOwned = isOwned
        self.isGuarded = isGuarded
    }

    convenience init(owning configuration: HTTPClient.Configuration) {
        self.init(
            HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration),
            isOwned: true,
            isGuarded: true
        )
    }

    convenience init(borrowing client: HTTPClient) { self.init(client, isOwned: false, isGuarded: false) }

    deinit {
        // A client must be shut down before it is released; it retains itself until that is done.
        if isOwned { client.shutdown { [client] _ in _ = client } }
    }

    /// Closes the connections of an owned client; a second call does nothing.
    func shutdown() async {
        guard isOwned else { return }
        end.withLock { $0 = true }
        await withCheckedContinuation { done in client.shutdown { _ in done.resume() } }
    }
}
