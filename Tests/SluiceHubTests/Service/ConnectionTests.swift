#if Hub
import NIOCore
import NIOEmbedded
import Sluice
import SluiceConnect
import SluiceStore
import Testing

@testable import SluiceHub

/// Connections of one client, and what is left for others.
@Suite(.timeLimit(.minutes(30))) struct ConnectionTests {
    private let health = "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

    /// One client opens more connections than the hub takes, and says nothing or a part of a request on them.
    @Test(arguments: ["", "GET / HT", "POST /streams HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"])
    func idleConnectionsOfOneClientStopNobody(_ text: String) async throws {
        var settings = HubSettings()
        settings.limits.connections = 64
        settings.limits.connectionsPerAddress = 24
        settings.limits.idleTime = .seconds(3600)
        try await withServer(settings) { port in
            var idle: [SlowWriter] = []
            for _ in 0..<100 { idle.append(try await SlowWriter(port: port, text)) }
            for source in ["127.0.0.2", "127.0.0.1", "127.0.0.3"] {
                let answer = try await Exchange.answer(port, health, from: source)
                #expect(answer.status == 200, "\(source)")
            }
            // The oldest ones had to go.
            try await idle[0].closed()
            for one in idle { await one.close() }
        }
    }

    /// Connections with a request under way are never closed for others of the same client.
    @Test func busyConnectionsStay() async throws {
        var settings = HubSettings()
        settings.limits.connectionsPerAddress = 3
        try await withServer(settings) { port in
            var busy: [Asking] = []
            for _ in 0..<3 {
                let asking = try await Asking(port: port)
                try await asking.ask("/events")
                try await asking.answered(1)
                busy.append(asking)
            }
            #expect(try await Exchange.answer(port, health).status == 0)
            #expect(try await Exchange.answer(port, health, from: "127.0.0.2").status == 200)
            #expect(busy.allSatisfy { $0.isOpen })
            try await busy[0].close()
            // Its place is free as soon as the hub knows.
            while try await Exchange.answer(port, health).status != 200 { await Task.yield() }
            for one in busy.dropFirst() { try await one.close() }
        }
    }

    /// A connection that arrives while the hub ends is closed, and traps nothing.
    @Test func connectionsArriveWhileTheHubEnds() async throws {
        for _ in 0..<20 {
            let address = Address()
            try await withThrowingDiscardingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask { await address.connect() }
                }
                try await withServer(HubSettings()) { port in
                    address.port.withLock { $0 = port }
                    await address.connections.wait()
                }
                address.hasEnded.withLock { $0 = true }
            }
        }
    }

    /// The address of a hub that ends.
    private final class Address: Sendable {
        let port = Locked(0)
        let hasEnded = Locked(false)
        let connections = Signal()

        /// Connects until the hub has ended.
        func connect() async {
            while !hasEnded.withLock({ $0 }) {
                let port = port.withLock { $0 }
                if port == 0 {
                    await Task.yield()
                    continue
                }
                // It is refused while the hub ends.
                try? await SlowWriter(port: port, "").close()
                connections.notify()
            }
        }
    }

    /// A connection that is closed or not, and nothing else.
    private final class Probe {
        private final class Flag: Sendable { let isSet = Locked(false) }

        let channel = EmbeddedChannel()
        private let closed = Flag()

        init() {
            let closed = closed
            channel.closeFuture.whenComplete { _ in closed.isSet.withLock { $0 = true } }
        }

        var isOpen: Bool {
            channel.embeddedEventLoop.run()
            return !closed.isSet.withLock { $0 }
        }

        func close() {
            if isOpen { channel.close(promise: nil) }
            channel.embeddedEventLoop.run()
        }
    }

    /// An idle connection is one between two requests, too; the one that was used last stays.
    @Test func theConnectionThatWasIdleLongestGoes() throws {
        let table = ConnectionTable(limit: 2)
        let address = try #require(IPAddress("192.0.2.1"))
        let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
        let probes = (0..<4).map { _ in Probe() }
        let first = try #require(table.open(probes[0].channel, from: address, at: start))
        _ = try #require(table.open(probes[1].channel, from: address, at: start + .seconds(1)))
        first.touch(at: start + .seconds(2))
        _ = try #require(table.open(probes[2].channel, from: address, at: start + .seconds(3)))
        #expect(probes.map { $0.isOpen } == [true, false, true, true])
        first.touch(isBusy: true, at: start + .seconds(4))
        // The first has been quiet for longer, and waits for its answer.
        _ = try #require(table.open(probes[3].channel, from: address, at: start + .seconds(100)))
        #expect(probes.map { $0.isOpen } == [true, false, false, true])
        #expect(table.count(of: address) == 2)
        for probe in probes { probe.close() }
        #expect(table.count(of: address) == 0)
    }

    /// Many addresses, none of which has more connections than it may, fill the hub with idle ones.
    @Test func idleConnectionsOfManyAddressesStopNobody() async throws {
        var settings = HubSettings()
        settings.limits.connections = 64
        settings.limits.connectionsPerAddress = 24
        settings.limits.idleTime = .seconds(3600)
        try await withServer(settings) { port in
            var idle: [SlowWriter] = []
            for number in 0..<100 {
                idle.append(try await SlowWriter(port: port, "GET / HT", from: "127.0.0.\(2 + number / 20)"))
            }
            for source in ["127.0.0.1", "127.0.0.2", "127.0.0.99"] {
                let answer = try await Exchange.answer(port, health, from: source)
                #expect(answer.status == 200, "\(source)")
            }
            try await idle[0].closed()
            for one in idle { await one.close() }
        }
    }

    /// The one that has been idle longest goes, whichever address it comes from; with none that is idle, none.
    @Test func allAddressesTogetherHaveALimit() throws {
        let table = ConnectionTable(limit: 3, total: 4, proxies: Proxies([try ProxyAddress("192.0.2.9")]))
        let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
        let probes = (0..<8).map { _ in Probe() }
        func open(_ index: Int, from address: String) -> ConnectionTable.Connection? {
            table.open(probes[index].channel, from: IPAddress(address), at: start + .seconds(Int64(index)))
        }
        let busy = try #require(open(0, from: "192.0.2.1"))
        busy.touch(isBusy: true, at: start)
        for (index, address) in [(1, "192.0.2.9"), (2, "192.0.2.2"), (3, "192.0.2.3")] {
            #expect(open(index, from: address) != nil)
        }
        #expect(probes[..<4].allSatisfy { $0.isOpen })
        #expect(open(4, from: "192.0.2.4") != nil)
        #expect(probes[..<5].map { $0.isOpen } == [true, false, true, true, true])
        #expect(open(5, from: "192.0.2.1") != nil)
        #expect(probes[..<6].map { $0.isOpen } == [true, false, false, true, true, true])
        #expect(try table.count(of: #require(IPAddress("192.0.2.2"))) == 0)
        #expect(try table.count(of: #require(IPAddress("192.0.2.1"))) == 2)
        for probe in probes { probe.close() }
        #expect(try table.count(of: #require(IPAddress("192.0.2.1"))) == 0)
        let full = ConnectionTable(limit: 3, total: 1)
        let others = (0..<2).map { _ in Probe() }
        full.open(others[0].channel, from: IPAddress("192.0.2.1"))?.touch(isBusy: true)
        #expect(full.open(others[1].channel, from: IPAddress("192.0.2.2")) != nil)
        #expect(others.allSatisfy { $0.isOpen })
        for probe in others { probe.close() }
    }

    @Test func manyClientsOfAProxyAreNotOne() throws {
        let table = ConnectionTable(limit: 1, proxies: Proxies([try ProxyAddress("192.0.2.1")]))
        let probes = (0..<4).map { _ in Probe() }
        for probe in probes { #expect(table.open(probe.channel, from: IPAddress("192.0.2.1")) != nil) }
        #expect(probes.allSatisfy { $0.isOpen })
        for probe in probes { probe.close() }
    }

    @Test func someFilesAreLeftForTheStore() {
        #expect(FileDescriptors.connections(wanted: 4096, limit: 1024) == 1024 - FileDescriptors.reserve)
        #expect(FileDescriptors.connections(wanted: 100, limit: 1024) == 100)
        #expect(FileDescriptors.connections(wanted: 100, limit: 10) == 1)
        #expect(FileDescriptors.connections(wanted: 100, limit: .max) == 100)
    }
}
#endif
