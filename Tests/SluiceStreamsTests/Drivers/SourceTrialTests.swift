import Sluice
import SluiceJSON
import SluiceTesting
import Testing

@testable import SluiceStreams

/// The first item of a document's source, without the rest of the document.
struct SourceTrialTests {
    private func trial(_ text: String, _ host: StreamHost) throws -> SourceTrial {
        let document = try StreamDocument(preserving: Array(text.utf8))
        return try #require(try SourceTrial(document, in: StreamLibrary(), host: host))
    }

    /// A flag that a closure can hold.
    private final class Flag: Sendable {
        private let value = Locked(false)
        var isSet: Bool { value.withLock { $0 } }
        func set() { value.withLock { $0 = true } }
    }

    private static let poll = #"""
        {"source": {"poll": {"url": "http://a.example/", "seconds": 1}},
         "operators": [{"map": {"expression": "nonsense +"}}], "sinks": [{"post": {}}], "tests": [{"inputs": 1}]}
        """#

    @Test func onlyTheSourceCounts() async throws {
        var host = StreamHost()
        let ended = Flag()
        host.register("poll") { arguments, inlet in
            defer { ended.set() }
            while true { try await inlet.send(arguments["url"] ?? .null) }
        }
        let outcome = try await trial(Self.poll, host).outcome(within: .seconds(10), clock: TestClock())
        #expect(outcome == .item("http://a.example/"))
        while !ended.isSet { await Task.yield() }
    }

    @Test func aSourceEndsOrFails() async throws {
        var host = StreamHost()
        host.register("poll") { _, _ in }
        #expect(try await trial(Self.poll, host).outcome(within: .seconds(10), clock: TestClock()) == .completed)
        host.register("poll") { _, _ in throw StreamError(message: "no") }
        #expect(try await trial(Self.poll, host).outcome(within: .seconds(10), clock: TestClock()) == .failed("no"))
    }

    /// The reason for which a source waits is that for which it gives nothing.
    @Test(arguments: [nil, "503"]) func anItemThatDoesNotComeIsLate(_ reason: String?) async throws {
        let (clock, reported, ended, done) = (TestClock(), Flag(), Flag(), Flag())
        var host = StreamHost()
        host.register("poll") { _, inlet in
            defer { ended.set() }
            inlet.report(waiting: reason)
            reported.set()
            // Until it is canceled.
            for await _ in AsyncStream(Never.self, { _ in }) {}
        }
        let trial = try trial(Self.poll, host)
        let pace = Task {
            while !done.isSet {
                if reported.isSet, let next = clock.untilNext { clock.advance(by: next) }
                await Task.yield()
            }
        }
        #expect(try await trial.outcome(within: .seconds(10), clock: clock) == .late(reason))
        done.set()
        await pace.value
        while !ended.isSet { await Task.yield() }
    }

    @Test func errorsOfTheSourceAreFound() throws {
        let text = #"{"source": {"poll": {"seconds": 1}}, "operators": [{"nonsense": {}}]}"#
        let document = try StreamDocument(preserving: Array(text.utf8))
        do {
            _ = try SourceTrial(document, in: StreamLibrary(), host: StreamHost())
            Issue.record("the source is valid")
        } catch {
            #expect(error.errors.map { "\($0.path)" } == ["source.poll"], "\(error)")
        }
    }
}
