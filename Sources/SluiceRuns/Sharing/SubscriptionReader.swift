package import SluiceJSON
package import SluiceStreams

/// A reader of a subscription: a running stream, or a client.
package protocol SubscriptionReader: Sendable {
    /// The position after which it continues; `nil` for one that begins.
    var position: String? { get }
    /// The id of the stream that reads; `nil` for a reader that is no stream of this process.
    var stream: String? { get }
    /// A Boolean value that indicates whether it is a client, which may be gone without notice.
    var isClient: Bool { get }

    /// Sends an item with its position.
    func send(_ item: JSON, at position: String) async throws
    /// Sends a position without an item.
    func mark(at position: String) async throws
    /// Reports why there is nothing to send; `nil` takes the report back.
    func report(waiting reason: String?) async throws
    /// Notes that there is nothing more to send now.
    func rest() async throws
}

extension StreamInlet: SubscriptionReader where Value == JSON {
    package var isClient: Bool { false }
    package func rest() {}
}
