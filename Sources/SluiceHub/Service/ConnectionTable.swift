import NIOCore
import Sluice

/// The open connections of a hub, counted by the address that they come from.
///
/// One client must not stop the hub for others: an address that has as many connections as it may gets a new one only in
/// place of an idle one.
final class ConnectionTable: Sendable {
    /// One connection. It is idle until a whole request has come, and again when the answer is written.
    final class Connection: Sendable {
        fileprivate struct State {
            var isBusy = false
            var activity: NIODeadline
        }

        private let channel: any Channel
        fileprivate let state: Locked<State>

        fileprivate init(_ channel: any Channel, at now: NIODeadline) {
            self.channel = channel
            state = Locked(State(activity: now))
        }

        /// Records that something was read or written.
        ///
        /// - Parameter isBusy: a Boolean value that indicates whether a whole request waits for its answer from now on;
        ///   `nil` where that has not changed.
        func touch(isBusy: Bool? = nil, at now: NIODeadline = .now()) {
            state.withLock { state in
                state.activity = now
                state.isBusy = isBusy ?? state.isBusy
            }
        }

        fileprivate func close() { channel.close(promise: nil) }
    }

    private let limit: Int
    private let proxies: Proxies
    private let connections = Locked<[IPAddress: [ObjectIdentifier: Connection]]>([:])

    /// - Parameters:
    ///   - limit: the most connections of one address.
    ///   - proxies: the addresses that are not counted, because many clients come from them.
    init(limit: Int, proxies: Proxies = Proxies()) {
        self.limit = limit
        self.proxies = proxies
    }

    /// The number of connections of an address.
    func count(of address: IPAddress) -> Int { connections.withLock { $0[address.client]?.count ?? 0 } }

    /// Adds a connection, and closes the one of its address that has been idle longest where there are too many.
    ///
    /// - Returns: the connection; `nil` when it has to be closed, because no other is idle.
    /// - Complexity: O(*n*) in the connections of the address when it has as many as it may, O(1) otherwise.
    func open(_ channel: any Channel, from address: IPAddress?, at now: NIODeadline = .now()) -> Connection? {
        let connection = Connection(channel, at: now)
        guard let address, !proxies.includes(address) else { return connection }
        let client = address.client
        let (isOpen, displaced): (Bool, Connection?) = connections.withLock { connections in
            var own = connections[client] ?? [:]
            var displaced: Connection?
            if own.count >= limit {
                displaced = Self.longestIdle(own.values)
                guard let displaced else { return (false, nil) }
                own[ObjectIdentifier(displaced)] = nil
            }
            own[ObjectIdentifier(connection)] = connection
            connections[client] = own
            return (true, displaced)
        }
        displaced?.close()
        guard isOpen else { return nil }
        channel.closeFuture.whenComplete { _ in self.remove(connection, of: client) }
        return connection
    }

    private func remove(_ connection: Connection, of client: IPAddress) {
        connections.withLock { connections in
            connections[client]?[ObjectIdentifier(connection)] = nil
            if connections[client]?.isEmpty == true { connections[client] = nil }
        }
    }

    private static func longestIdle(_ connections: some Sequence<Connection>) -> Connection? {
        var found: (connection: Connection, activity: NIODeadline)?
        for connection in connections {
            let state = connection.state.withLock { $0 }
            guard !state.isBusy else { continue }
            if let found, found.activity <= state.activity { continue }
            found = (connection, state.activity)
        }
        return found?.connection
    }
}
