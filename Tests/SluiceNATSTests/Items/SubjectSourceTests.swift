#if NATS
import Sluice
import SluiceJSON
import SluiceStreams
import SluiceTestSupport
import Testing

@testable import SluiceNATS

@Suite(.enabled(if: hasServer, "nats-server isn't installed"), .timeLimit(.minutes(5))) struct SubjectSourceTests {
    private func host(_ connection: NATSConnection) -> StreamHost {
        var host = StreamHost()
        host.registerSubject(over: connection)
        return host
    }

    /// Returns the first values of a stream that reads a subject.
    private func values(_ count: Int, _ arguments: String, _ connection: NATSConnection) async throws -> [JSON] {
        let text = #"{"source": {"outside": {"name": "subject", "arguments": \#(arguments)}}}"#
        let document = try StreamDocument(parsing: text)
        var values: [JSON] = []
        for try await event in try document.events(host: host(connection)) {
            if let value = event.value { values.append(value) }
            if case .failed(let error) = event.kind { throw error }
            if values.count == count { break }
        }
        return values
    }

    private func publish(_ texts: [String], _ connection: NATSConnection, to subject: String = "in") async throws {
        try await connection.perform { connection in
            for text in texts { _ = try connection.publish(Array(text.utf8), to: subject, id: "id-\(text)") }
        }
    }

    @Test func messagesComeInOrder() async throws {
        let connected = try await Connected()
        try await connected.connection.perform {
            try $0.createStream(NATSStreamSettings(name: "IN", subjects: ["in.>"]))
        }
        try await publish((1...1000).map { "\($0)" }, connected.connection, to: "in.a")
        try await publish(["no"], connected.connection, to: "in.b.c")
        try await publish(["[1", "{\"n\": 2}"], connected.connection, to: "in.b")
        let values = try await values(1002, #"{"subject": "in.*"}"#, connected.connection)
        #expect(values.prefix(1000).map(\.int) == (1...1000).map { $0 })
        #expect(values.suffix(2) == [.string("[1"), ["n": 2]])
        let texts = try await self.values(2, #"{"subject": "in.a", "format": "text"}"#, connected.connection)
        #expect(texts == ["1", "2"])
        let message = try await self.values(1, #"{"subject": "in.b.c", "as": "message"}"#, connected.connection)
        #expect(message == [["subject": "in.b.c", "sequence": 1001, "id": "id-no", "value": "no"]])
    }

    @Test func theStreamMayComeLater() async throws {
        let connected = try await Connected()
        async let values = values(2, #"{"subject": "in"}"#, connected.connection)
        try await connected.connection.perform { try $0.createStream(NATSStreamSettings(name: "IN", subjects: ["in"])) }
        try await publish(["1", "2"], connected.connection)
        #expect(try await values == [1, 2])
    }

    /// A server that is killed and started again has the messages, and not the consumer's connection.
    @Test func messagesComeThroughAnOutage() async throws {
        let connected = try await Connected()
        let other = try await connected.another()
        try await other.perform { try $0.createStream(NATSStreamSettings(name: "IN", subjects: ["in"])) }
        try await publish((1...300).map { "\($0)" }, other)
        async let values = values(600, #"{"subject": "in"}"#, connected.connection)
        let server = try connected.server.restarted()
        try await other.perform { $0.waitUntilConnected() }
        try await publish((301...600).map { "\($0)" }, other)
        #expect(try await values.map(\.int) == (1...600).map { $0 })
        server.kill()
    }

    @Test(arguments: [
        (#"{}"#, #""subject" is not a subject"#), (#"{"subject": "a b"}"#, #""subject" is not a subject"#),
        (#"{"subject": "a", "format": "xml"}"#, "format is not \"json\" or \"text\""),
        (#"{"subject": "a", "from": 7}"#, "from is not \"start\" or \"now\""),
    ])
    func wrongArgumentsEndTheStream(_ arguments: String, _ reason: String) async throws {
        let connected = try await Connected()
        let error = await #expect(throws: StreamError.self) { try await values(1, arguments, connected.connection) }
        #expect(error?.message.contains(reason) == true)
    }
}
#endif
