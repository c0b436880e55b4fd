#if NATS
import SluiceRuns
import SluiceStreams
import SluiceTestSupport
import Testing

@testable import SluiceNATS

/// Outputs that hubs and workers share, on a server.
@Suite(.enabled(if: hasServer, "nats-server isn't installed"), .timeLimit(.minutes(5))) struct NATSSharedOutputsTests {
    private func output(_ run: Int, _ sequence: Int, _ text: String, _ kind: StoredOutput.Kind = .value) -> StoredOutput
    {
        StoredOutput(run: run, sequence: sequence, time: .zero, kind: kind, text: text)
    }

    /// Reads until there are so many outputs.
    private func read(_ count: Int, _ reading: any SharedOutputReading) async throws -> [SharedOutput] {
        var outputs: [SharedOutput] = []
        while outputs.count < count { outputs += try await reading.next().outputs }
        return outputs
    }

    private func request(_ stream: String, isFromStart: Bool = true) -> SharedOutputRequest {
        SharedOutputRequest(stream: stream, isFromStart: isFromStart)
    }

    @Test func aReaderThatBeginsGetsWhatComesFromNowOn() async throws {
        let connected = try await Connected()
        let shared = NATSSharedOutputs(connected.connection)
        let (now, other) = (request("a b", isFromStart: false), request("other", isFromStart: false))
        try await shared.share(output(1, 1, "1"), ofRun: "R1", for: now)
        let reading = try await shared.outputs(for: now, after: nil)
        try await shared.share(output(1, 2, "2"), ofRun: "R1", for: other)
        try await shared.share(output(1, 2, "2"), ofRun: "R1", for: now)
        try await shared.share(output(1, 3, "broken", .failed), ofRun: "R1", for: now)
        // Another hub, or a later run.
        try await shared.share(output(1, 1, "3"), ofRun: "R2", for: now)
        let read = try await read(3, reading)
        #expect(read.map(\.content) == [.value("2"), .error(.failed, "broken"), .value("3")])
        #expect(read.map(\.place?.description) == ["1-2", "1-3", "1-1"])
        #expect(read.map(\.run) == ["R1", "R1", "R2"])
        await reading.close()
        // Another reading goes on from any position.
        let later = try await shared.outputs(for: now, after: read[1].position)
        #expect(try await self.read(1, later).map(\.content) == [.value("3")])
        await later.close()
    }

    /// Everything that is kept comes in order, though a part of it was shared before with readers from now on.
    @Test func readersFromTheStartHaveACopyOfTheirOwn() async throws {
        let connected = try await Connected()
        let shared = NATSSharedOutputs(connected.connection)
        let (now, start) = (request("a", isFromStart: false), request("a"))
        try await shared.share(output(1, 3, "3"), ofRun: "R", for: now)
        let reading = try await shared.outputs(for: now, after: nil)
        let all = try await shared.outputs(for: start, after: nil)
        #expect(try await shared.lastShared(ofRun: "R", for: start) == nil)
        #expect(try await shared.lastShared(ofRun: "R", for: now) == 3)
        for sequence in 1...2 { try await shared.share(output(1, sequence, "\(sequence)"), ofRun: "R", for: start) }
        try await shared.share(output(1, 4, "4"), ofRun: "R", for: now)
        for sequence in 3...4 { try await shared.share(output(1, sequence, "\(sequence)"), ofRun: "R", for: start) }
        #expect(try await shared.lastShared(ofRun: "R", for: start) == 4)
        let everything = try await read(4, all)
        #expect(everything.map(\.content) == (1...4).map { .value("\($0)") })
        #expect(everything.map(\.run) == Array(repeating: "R", count: 4))
        #expect(try await read(1, reading).map(\.content) == [.value("4")])
        await all.close()
        let later = try await shared.outputs(for: start, after: everything[1].position)
        #expect(try await read(2, later).map(\.content) == [.value("3"), .value("4")])
        #expect(try await reading.next().outputs == [])
        #expect(try await later.next().outputs == [])
        await reading.close()
        await later.close()
    }

    /// A page without outputs says that nothing has come for a while, so messages of the other copy are no page.
    @Test func theOtherCopyIsNoPage() async throws {
        let connected = try await Connected()
        let shared = NATSSharedOutputs(connected.connection)
        let (now, start) = (request("a", isFromStart: false), request("a"))
        for sequence in 1...300 { try await shared.share(output(1, sequence, "1"), ofRun: "R", for: now) }
        try await shared.share(output(1, 1, "2"), ofRun: "R", for: start)
        let reading = try await shared.outputs(for: start, after: nil)
        #expect(try await reading.next().outputs.map(\.content) == [.value("2")])
        await reading.close()
    }

    @Test func anOutputIsSharedOnce() async throws {
        let connected = try await Connected()
        let shared = NATSSharedOutputs(connected.connection)
        #expect(try await shared.lastShared(ofRun: "R", for: request("a")) == nil)
        for sequence in 1...3 {
            try await shared.share(output(1, sequence, "\(sequence)"), ofRun: "R", for: request("a"))
        }
        // Another process of the same hub, which does not know what the one before has shared.
        let next = NATSSharedOutputs(connected.connection)
        #expect(try await next.lastShared(ofRun: "R", for: request("a")) == 3)
        let third = NATSSharedOutputs(connected.connection)
        for sequence in 2...5 {
            try await third.share(output(1, sequence, "\(sequence)"), ofRun: "R", for: request("a"))
        }
        let reading = try await shared.outputs(for: request("a"), after: nil)
        #expect(try await read(5, reading).map(\.content) == (1...5).map { .value("\($0)") })
        #expect(try await reading.next().outputs == [])
        await reading.close()
    }

    @Test func aWriterThatWasReplacedIsRefused() async throws {
        let connected = try await Connected()
        let old = NATSSharedOutputs(connected.connection)
        try await old.share(output(1, 1, "1"), ofRun: "R", for: request("a"))
        try await NATSSharedOutputs(connected.connection).share(output(1, 2, "2"), ofRun: "R", for: request("a"))
        await #expect(throws: StoreError.self) { try await old.share(output(1, 2, "2"), ofRun: "R", for: request("a")) }
        // It looks again, and finds the output.
        try await old.share(output(1, 2, "2"), ofRun: "R", for: request("a"))
        try await old.share(output(1, 3, "3"), ofRun: "R", for: request("a"))
        let reading = try await old.outputs(for: request("a"), after: nil)
        #expect(try await read(3, reading).map(\.content) == [.value("1"), .value("2"), .value("3")])
        await reading.close()
    }

    @Test func anOutputThatIsTooLargeIsReportedAsMissing() async throws {
        let connected = try await Connected()
        let shared = NATSSharedOutputs(connected.connection)
        let reading = try await shared.outputs(for: request("a"), after: nil)
        let text = "\"" + String(repeating: "x", count: 1 << 20) + "\""
        try await shared.share(output(1, 1, text), ofRun: "R", for: request("a"))
        try await shared.share(output(1, 2, "2"), ofRun: "R", for: request("a"))
        let outputs = try await read(2, reading)
        guard case .missing(let reason) = outputs[0].content else {
            Issue.record("\(outputs[0])")
            return
        }
        #expect(reason.hasPrefix("output 1-1 has ") && reason.hasSuffix("and the NATS server takes 1048576"))
        #expect(outputs[1].content == .value("2"))
        await reading.close()
    }

    @Test func outputsThatAreNoLongerKeptAreReported() async throws {
        let connected = try await Connected()
        let shared = NATSSharedOutputs(connected.connection)
        for sequence in 1...3 {
            try await shared.share(output(1, sequence, "\(sequence)"), ofRun: "R", for: request("a"))
        }
        let first = try await shared.outputs(for: request("a"), after: nil)
        let position = try await read(1, first)[0].position
        await first.close()
        try await connected.connection.perform { try $0.remove([1, 2], of: NATSSharedOutputs.stream) }
        let reading = try await shared.outputs(for: request("a"), after: position)
        let page = try await reading.next()
        #expect(page.mayMissOutputs)
        #expect(page.outputs.map(\.content) == [.value("3")])
        await reading.close()
        // A stream that was created again has lost everything.
        try await connected.connection.perform { try $0.deleteStream(NATSSharedOutputs.stream) }
        let again = NATSSharedOutputs(connected.connection)
        try await again.share(output(1, 4, "4"), ofRun: "R", for: request("a"))
        let other = try await again.outputs(for: request("a"), after: page.position)
        let next = try await other.next()
        #expect(next.mayMissOutputs)
        #expect(next.outputs.map(\.content) == [.value("4")])
        await other.close()
    }

    @Test func requestsComeToAllThatRunStreams() async throws {
        let connected = try await Connected()
        let shared = NATSSharedOutputs(connected.connection)
        try await shared.request(request("a b"))
        var requests = try await NATSSharedOutputs(try await connected.another()).requests().makeAsyncIterator()
        #expect(try await requests.next() == request("a b"))
        // A stream may be asked for in both ways, and any id is one.
        for request in [request("a b", isFromStart: false), request("", isFromStart: false), request("a.start")] {
            try await shared.request(request)
            #expect(try await requests.next() == request)
        }
        // They hold for one who comes later.
        var later = try await shared.requests().makeAsyncIterator()
        var held: Set<SharedOutputRequest> = []
        for _ in 1...4 { if let request = try await later.next() { held.insert(request) } }
        #expect(held.count == 4)
    }

    @Test func aServerThatIsAwayIsAStoreError() async throws {
        let connected = try await Connected()
        var settings = connected.connection.settings
        settings.timeout = .milliseconds(200)
        let shared = NATSSharedOutputs(try await NATSConnection.connect(settings))
        connected.server.kill()
        await #expect(throws: StoreError.self) {
            try await shared.share(output(1, 1, "1"), ofRun: "R", for: request("a"))
        }
        await #expect(throws: StoreError.self) { _ = try await shared.outputs(for: request("a"), after: nil) }
        await #expect(throws: StoreError.self) { _ = try await shared.requests() }
    }
}
#endif
