#if HTTP
import Foundation
import SluiceHTTP
import Testing

/// Tests of WHATWG's HTML standard, 9.2: each case separately, in chunks of every size.
@Suite struct ServerSentEventTests {
    func events(_ text: String) async throws -> [ServerSentEvent] {
        let whole = try await stream(text, by: max(text.utf8.count, 1)).serverSentEvents.all()
        for size in [1, 2, 3, 7] {
            #expect(try await stream(text, by: size).serverSentEvents.all() == whole)
        }
        return whole
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func everyBreak(_ line: String) async throws {
        let text = ["event: add", "data: 73857293", "", "event: remove", "data: 2153", "", ""].joined(separator: line)
        #expect(
            try await events(text)
                == [ServerSentEvent(name: "add", data: "73857293"), ServerSentEvent(name: "remove", data: "2153")]
        )
    }

    @Test func severalLinesOfData() async throws {
        #expect(try await events("data: YHOO\ndata: +2\ndata: 10\n\n").map(\.data) == ["YHOO\n+2\n10"])
    }

    @Test func commentsAndIdentifiers() async throws {
        // The example of 9.2.6: four blocks, of which the last one is incomplete.
        let text = ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n"
        #expect(
            try await events(text)
                == [ServerSentEvent(data: "first event", id: "1"), ServerSentEvent(data: "second event", id: "")]
        )
        #expect(try await events(text + "\n").last == ServerSentEvent(data: " third event"))
    }

    @Test func emptyData() async throws {
        // The example of 9.2.6: an empty event, one with a line break, and an incomplete one.
        #expect(try await events("data\n\ndata\ndata\n\ndata:").map(\.data) == ["", "\n"])
    }

    @Test func spaceBehindTheColon() async throws {
        #expect(try await events("data:test\n\ndata: test\n\n").map(\.data) == ["test", "test"])
    }

    @Test func eventWithoutData() async throws {
        #expect(try await events("event: a\n\ndata: b\n\n") == [ServerSentEvent(data: "b")])
        #expect(try await events("id: 5\n\ndata: b\n\n") == [ServerSentEvent(data: "b", id: "5")])
    }

    @Test func byteOrderMark() async throws {
        #expect(try await events("\u{FEFF}data: a\n\n").map(\.data) == ["a"])
        #expect(try await events("\u{FEFF}\u{FEFF}data: a\n\n") == [])
        #expect(try await events("\u{FEFF}") == [])
    }

    @Test func identifierWithNull() async throws {
        #expect(try await events("id: 1\nid: a\u{0}b\ndata: x\n\n").map(\.id) == ["1"])
    }

    @Test func unknownFieldsAndBadBytes() async throws {
        #expect(try await events("DATA: no\nfoo: bar\ndata : no\ndata: yes\n\n").map(\.data) == ["yes"])
        let bad = try await stream(Array("data: ".utf8) + [0xFF, 0x0A, 0x0A], by: 3).serverSentEvents.all()
        #expect(bad.map(\.data) == ["\u{FFFD}"])
    }

    @Test func lastEventThatIsNotComplete() async throws {
        #expect(try await events("data: a\n\ndata: b") == [ServerSentEvent(data: "a")])
        #expect(try await events("data: a\n\ndata: b\n") == [ServerSentEvent(data: "a")])
    }

    @Test func eventThatIsTooLong() async throws {
        let text = String(repeating: "data: 0123456789\n", count: 10)
        let error = await #expect(throws: ServerSentEventError.self) {
            try await stream(text, by: 5).serverSentEvents(upTo: 50).all()
        }
        #expect(error?.description == "an event is longer than 50 bytes")
        await #expect(throws: ServerSentEventError.tooLong(limit: 50)) {
            try await stream(String(repeating: ":", count: 51), by: 5).serverSentEvents(upTo: 50).all()
        }
    }
}
#endif
