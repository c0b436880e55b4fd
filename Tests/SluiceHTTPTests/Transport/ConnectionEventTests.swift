#if HTTP
import Dispatch
import Foundation
import HTTPTypes
import MetricsTestKit
import Sluice
import SluiceHTTP
import Testing

/// Tests of the events of connections, and of the metrics of their pool, against nginx.
@Suite(.enabled(if: Nginx.isThere, "nginx is not there: it or openssl cannot be had; see bin/test"))
struct ConnectionEventTests {
    /// The events of one transport, and a way to wait for them: some arrive after a call has returned.
    final class Events: Sendable {
        private let events = Locked<[ConnectionEvent]>([])
        private let stream = AsyncStream<Void>.makeStream()

        func add(_ event: ConnectionEvent) {
            events.withLock { $0.append(event) }
            stream.continuation.yield()
        }

        var all: [ConnectionEvent] { events.withLock { $0 } }

        /// Returns the kinds as soon as there are so many.
        func kinds(_ count: Int) async -> [ConnectionEvent.Kind] {
            var arrivals = stream.stream.makeAsyncIterator()
            while all.count < count { await arrivals.next() }
            return all.map(\.kind)
        }
    }

    @Test(arguments: [false, true]) func anExchangeAndAnother(_ isSecure: Bool) async throws {
        let events = Events()
        var settings = try Nginx.settings()
        settings.onEvent = { events.add($0) }
        let url = isSecure ? try Nginx.secureURL("/echo?q=secret") : try Nginx.url("/echo?q=secret")
        let transport = HTTPTransport(settings)
        #expect(transport.pool == PoolMetrics())
        func sent(_ isReused: Bool) -> ConnectionEvent.Kind { .sent(method: "GET", path: "/echo", isReused: isReused) }
        _ = try await transport.process(TransportRequest(.get, url))
        #expect(await events.kinds(4) == [.connected, sent(false), .firstByte, .ended])
        _ = try await transport.process(TransportRequest(.get, url))
        #expect(await events.kinds(7).suffix(3) == [sent(true), .firstByte, .ended])
        #expect(transport.pool == PoolMetrics(open: 1, running: 0, waiting: 0, made: 1, sent: 2, reused: 1))
        await transport.shutdown()
        #expect(await events.kinds(8).last == .closed)
        #expect(transport.pool.open == 0)
        #expect(Set(events.all.map(\.connection)).count == 1)
        #expect(Set(events.all.map(\.version)) == [isSecure ? "HTTP/2" : "HTTP/1.1"])
        #expect(Set(events.all.map(\.address)) == ["127.0.0.1:\(url.port ?? 0)"])
        #expect(events.all.map(\.time) == events.all.map(\.time).sorted())
    }

    /// A streamed answer runs until all of it has arrived, and a released one breaks off. An answer over HTTP/2 may arrive before
    /// it is read.
    @Test func runningExchanges() async throws {
        let events = Events()
        var settings = try Nginx.settings()
        settings.body = .streamed
        settings.decompression = .off
        settings.onEvent = { events.add($0) }
        let url = try Nginx.url("/random")
        try await withHTTPTransport(settings) { transport async throws in
            var response: TransportResponse? = try await transport.process(TransportRequest(.get, url))
            #expect(transport.pool.running == 1)
            #expect(try await response?.body.collected(upTo: 1 << 20).count == 1_000_000)
            response = nil
            #expect(await events.kinds(4).last == .ended)
            #expect(transport.pool.running == 0)
            response = try await transport.process(TransportRequest(.get, url))
            #expect(transport.pool.running == 1)
            for try await _ in try #require(response).body { break }
            response = nil
            #expect(await events.kinds(7)[6] == .brokenOff)
            #expect(transport.pool.running == 0)
        }
    }

    /// The same numbers reach a backend of swift-metrics.
    @Test(arguments: [false, true]) func metrics(_ isSecure: Bool) async throws {
        let backend = TestMetrics()
        let events = Events()
        var settings = try Nginx.settings()
        settings.body = .streamed
        settings.decompression = .off
        settings.metrics = backend
        settings.onEvent = { events.add($0) }
        let transport = HTTPTransport(settings)
        let url = isSecure ? try Nginx.secureURL("/random") : try Nginx.url("/random")
        func value(_ name: String) throws -> Double? { try backend.expectMeter(name).lastValue }
        let response = try await transport.process(TransportRequest(.get, url))
        #expect(try value("http.client.open_connections") == 1)
        // An answer over HTTP/2 may arrive before it is read.
        if !isSecure { #expect(try value("http.client.active_requests") == 1) }
        #expect(try await response.body.collected(upTo: 1 << 20).count == 1_000_000)
        #expect(await events.kinds(4).last == .ended)
        #expect(try value("http.client.active_requests") == 0)
        #expect(try value("sluice.client.waiting_requests") == 0)
        await transport.shutdown()
        #expect(await events.kinds(5).last == .closed)
        #expect(try value("http.client.open_connections") == 0)
        let version = isSecure ? "2" : "1.1"
        let dimensions = [("network.protocol.version", version)]
        #expect(try backend.expectTimer("http.client.connection.duration", dimensions).values.count == 1)
    }

    /// A call that no connection is free for waits, and is counted.
    @Test func waitingCalls() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try OriginServer { _, _ in
            gate.wait()
            return TransportResponse()
        }
        let events = Events()
        var settings = HTTPTransport.Settings()
        settings.connectionsPerHost = 1
        settings.onEvent = { events.add($0) }
        let url = try server.url()
        try await withHTTPTransport(settings) { transport async throws in
            async let first = transport.process(TransportRequest(.get, url))
            _ = await events.kinds(2)
            async let second = transport.process(TransportRequest(.get, url))
            while transport.pool.waiting == 0 { await Task.yield() }
            #expect(transport.pool.running == 1)
            gate.signal()
            gate.signal()
            _ = try await (first, second)
            #expect(transport.pool.waiting == 0)
            #expect(transport.pool.sent == 2)
        }
    }
}
#endif
