#if Hub
import NIOCore
import Sluice
import SluiceConnect

/// The open connections of a hub, counted by the address that they come from.
///
/// One client must not stop the hub for others: an address that has as many connections as it may gets a new one only in
/// place of an idle one. Nor must many addresses together: when the hub has nearly as many connections as it may, a new
/// one takes the place of the one that has been idle longest, whichever address it comes from.
final class ConnectionTable: Sendable {
    /// One connection. It is idle until a whole request has come, and again when the answer is written.
    final class Connection: Sendable {
        fileprivate struct State {
            var isBusy = false
            var activity: NIODeadline
        }

        private let channel: any Channel
        /// The address that it is counted under; `nil` for one that is not counted by its address.
        fileprivate let client: IPAddress?
        fileprivate let state: Locked<State>

        fileprivate init(_ channel: any Channel, of client: IPAddress?, at now: NIODeadline) {
            self.channel = channel
            self.client = client
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

    private struct State {
        /// The connections that are counted by their addresses.
        var clients: [IPAddress: [ObjectIdentifier: Connection]] = [:]
        /// All connections.
        var all: [ObjectIdentifier: Connection] = [:]

        mutating func remove(_ connection: Connection, of client: IPAddress?) {
            all[ObjectIdentifier(connection)] = nil
            guard let client else { return }
            clients[client]?[ObjectIdentifier(connection)] = nil
            if clients[client]?.isEmpty == true { clients[client] = nil }
        }
    }

    private let limit: Int
    private let total: Int
    private let proxies: Proxies
    private let state = Locked(State())

    /// - Parameters:
    ///   - limit: the most connections of one address.
    ///   - total: the number of connections of all addresses from which a new one takes the place of an idle one.
    ///   - proxies: the addresses that are not counted, because many clients come from them.
    init(limit: Int, total: Int = .max, proxies: Proxies = Proxies()) {
        self.limit = limit
        self.total = total
        self.proxies = proxies
    }

    /// Returns the number of connections from which idle ones are closed for new ones, where the hub may have `count`: a
    /// sixteenth is kept free, since the hub takes no connection at all when it has all that it may. With fewer than 16,
    /// new ones wait.
    static func total(of count: Int) -> Int { count < 16 ? .max : count - count / 16 }

    /// Returns the number of connections of an address.
    func count(of address: IPAddress) -> Int { state.withLock { $0.clients[address.client]?.count ?? 0 } }

    /// Adds a connection, and closes the one of its address that has been idle longest where there are too many; where
    /// all addresses together have too many, the one of all that has been idle longest.
    ///
    /// - Returns: the connection; `nil` when it has to be closed, because no other of its address is idle.
    /// - Complexity: O(*n*) in the connections of the address, or of all, when there are as many as may be; O(1)
    ///   otherwise.
    func open(_ channel: any Channel, from address: IPAddress?, at now: NIODeadline = .now()) -> Connection? {
        let client = address.flatMap { proxies.includes($0) ? nil : $0.client }
        let connection = Connection(channel, of: client, at: now)
        let (isOpen, displaced): (Bool, Connection?) = state.withLock { state in
            var displaced: Connection?
            if let client, let own = state.clients[client], own.count >= limit {
                displaced = Self.longestIdle(own.values)
                guard let displaced else { return (false, nil) }
                // Its channel closes later, when it may not be counted twice.
                state.remove(displaced, of: client)
            } else if state.all.count >= total {
                // If no connection is idle, there is room for a few more.
                displaced = Self.longestIdle(state.all.values)
                if let displaced { state.remove(displaced, of: displaced.client) }
            }
            state.all[ObjectIdentifier(connection)] = connection
            if let client { state.clients[client, default: [:]][ObjectIdentifier(connection)] = connection }
            return (true, displaced)
        }
        displaced?.close()
        guard isOpen else { return nil }
        channel.closeFuture.whenComplete { _ in self.state.withLock { $0.remove(connection, of: client) } }
        return connection
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
#endif
