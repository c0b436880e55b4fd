#if HTTP
import AsyncHTTPClient
import Foundation
import HTTPTypes
import Testing

@testable import SluiceHTTP

@Suite struct LifetimeTests {
    static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

    @Test func transportThatWasShutDown() async throws {
        let server = try HostileServer(Self.answer)
        defer { server.stop() }
        let transport = HTTPTransport(.init())
        let request = TransportRequest(.get, try server.url())
        #expect(try await transport.process(request).body.bytes == Array("hi".utf8))
        await transport.shutdown()
        await transport.shutdown()
        let error = await #expect(throws: HTTPError.self) { try await transport.process(request) }
        #expect(error?.code == .failed)
        #expect(error?.message == "the transport was shut down")
        #expect(error?.isPassing == false)
    }

    @Test func shutdownEndsWhatIsUnderWay() async throws {
        let (asked, tell) = AsyncStream<Bool>.makeStream()
        let server = try HostileServer(serving: { connection in
            connection.receive()
            tell.yield(true)
            connection.waitForClose()
        })
        defer { server.stop() }
        let transport = HTTPTransport(.init())
        let request = TransportRequest(.get, try server.url())
        let call = Task { try await transport.process(request) }
        for await _ in asked { break }
        await transport.shutdown()
        let error = await #expect(throws: HTTPError.self) { try await call.value }
        #expect(error?.message == "the transport was shut down")
    }

    @Test func aTransportThatIsLetGoOfClosesItsConnections() async throws {
        let (closed, told) = AsyncStream<Bool>.makeStream()
        let server = try HostileServer(serving: { connection in
            connection.receive()
            connection.send(Self.answer)
            connection.waitForClose()
            told.yield(true)
        })
        defer { server.stop() }
        _ = try await HTTPTransport(.init()).process(TransportRequest(.get, try server.url()))
        for await _ in closed { break }
    }

    @Test func aBodyKeepsItsTransport() async throws {
        let server = try HostileServer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhellohello")
        defer { server.stop() }
        var settings = HTTPTransport.Settings()
        settings.body = .streamed
        let body = try await HTTPTransport(settings).process(TransportRequest(.get, try server.url())).body
        #expect(try await body.collected(upTo: 10) == Array("hellohello".utf8))
    }

    @Test func clientOfYourOwn() async throws {
        // The server says that it closes the connection: AsyncHTTPClient alone sends nothing again that meets its end.
        let server = try HostileServer("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi")
        defer { server.stop() }
        let client = HTTPClient(eventLoopGroupProvider: .singleton)
        let transport = HTTPTransport(client: client)
        // A client that is released before its end would end the process.
        do {
            let request = TransportRequest(.get, try server.url())
            #expect(try await transport.process(request).body.bytes == Array("hi".utf8))
            // Its owner shuts it down.
            await transport.shutdown()
            #expect(try await transport.process(request).body.bytes == Array("hi".utf8))
        } catch { Issue.record(error) }
        await withCheckedContinuation { done in client.shutdown { _ in done.resume() } }
    }

    @Test func connectionsPerHost() async throws {
        let server = try HostileServer(serving: { connection in
            connection.receive()
            connection.waitForClose()
        })
        defer { server.stop() }
        let request = TransportRequest(.get, try server.url())
        let isConnected = await withGrowingTime { time in
            var settings = HTTPTransport.Settings()
            settings.connectionsPerHost = 1
            settings.connectTimeout = time
            settings.idleTimeout = time * 4
            let errors = await withHTTPTransport(settings) { transport in
                await withTaskGroup(of: HTTPError?.self) { group in
                    for _ in 0..<2 {
                        group.addTask {
                            do {
                                _ = try await transport.process(request)
                                return nil
                            } catch { return error as? HTTPError }
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
            }
            #expect(errors.first { $0?.timeout == .connection }??.message == "no connection in time")
            // One request has the connection and waits for the answer, and the other waits for the connection.
            return Set(errors.map { $0?.timeout }) == [.connection, .idle]
        }
        #expect(isConnected)
    }
}
#endif
