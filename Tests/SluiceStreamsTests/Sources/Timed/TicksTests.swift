import SluiceJSON
import SluiceStreams
import Testing

struct TicksTests {
    private func events(_ source: String, until seconds: Double = 1000) throws -> [String] {
        let document = try StreamDocument(parsing: #"{"source": \#(source)}"#)
        return text(try document.virtualEvents(until: StreamTime(seconds: seconds)))
    }

    @Test func interval() throws {
        let ticks = try events(#"{"interval": {"seconds": 0.1}}"#, until: 0.3)
        #expect(ticks == ["0.1:0", "0.2:1", "0.3:2"])
    }

    @Test func first() throws {
        let ticks = try events(#"{"interval": {"seconds": 2, "first": 0}}"#, until: 4)
        #expect(ticks == ["0:0", "2:1", "4:2"])
    }

    @Test func count() throws {
        #expect(try events(#"{"interval": {"seconds": 1, "count": 2}}"#) == ["1:0", "2:1", "2|"])
        #expect(try events(#"{"interval": {"seconds": 1, "count": 0}}"#) == ["0|"])
    }

    @Test func timer() throws {
        #expect(try events(#"{"timer": {"seconds": 1.5}}"#) == ["1.5:0", "1.5|"])
        #expect(try events(#"{"timer": {"seconds": 0}}"#) == ["0:0", "0|"])
    }

    @Test func leaving() throws {
        let second = Duration.seconds(1)
        #expect(text(Flow.interval(second).prefix(2).virtualEvents()) == ["1:0", "2:1", "2|"])
    }

    @Test func noTimeIsRefused() throws {
        let errors = #expect(throws: JSONErrors.self) { try events(#"{"interval": {"seconds": 0}}"#) }
        #expect(errors?.errors.map(\.message) == ["expected a number of seconds above 0, found 0"])
    }

    @Test func longerThanTimeIsAnError() throws {
        let long = Duration.seconds(1e9)
        let events = text(Flow.interval(long).virtualEvents())
        #expect(events.count == 10)
        #expect(events.last == "9000000000# the stream is longer than time can be counted, 292 years")
    }

    @Test func native() throws {
        let second = Duration.seconds(1)
        #expect(text(Flow.timer(second).virtualEvents()) == ["1:0", "1|"])
        #expect(text(Flow.interval(second, first: .zero, count: 2).virtualEvents()) == ["0:0", "1:1", "1|"])
    }
}
