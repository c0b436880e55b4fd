#if Hub
import HTTPTypes
import Sluice
import SluiceJSON
import SluiceRuns
import SluiceStreams
import Testing

@testable import SluiceHub

/// Streams that read streams of other hubs, and of workers.
@Suite(.timeLimit(.minutes(30))) struct SharedSubscribeTests {
    private func hub(
        _ shared: MemorySharedOutputs,
        _ texts: [String] = [],
        on store: any StreamStore = MemoryStreamStore()
    ) async throws -> Hub {
        var settings = HubSettings()
        settings.sharedOutputs = shared
        return try await Hub(texts, on: store, settings: settings)
    }

    /// The item that shows that a hub shares outputs.
    private static let mark = "-1"

    /// Returns the outputs but for the marks.
    private func outputs(_ hub: Hub, _ id: String = "r") async throws -> [String] {
        try await hub.store.outputs(of: id, afterRun: 0, sequence: 0, limit: 100_000).map(\.text).filter {
            $0 != Self.mark
        }
    }

    /// Returns the outputs that are shared, but for the marks.
    private func texts(_ shared: MemorySharedOutputs) -> [String] {
        shared.texts.filter { $0 != #"a value("\#(Self.mark)")"# }
    }

    private func expect(_ hub: Hub, _ shared: MemorySharedOutputs, _ values: [String], from id: String = "r")
        async throws
    {
        try await hub.until("\(id) gives \(values)") {
            shared.nudge()
            try await hub.pass(1)
            return try await outputs(hub, id).count >= values.count
        }
        try await hub.pass(2)
        #expect(try await outputs(hub, id) == values)
    }

    private func waitForReader(_ hub: Hub, _ shared: MemorySharedOutputs, _ count: Int = 1) async throws {
        try await hub.until("\(count) readings are open") {
            try await hub.pass(1)
            return shared.readerCount == count && shared.requests.count >= count
        }
    }

    private func post(_ hub: Hub, _ item: String) async throws {
        try await hub.until("the item \(item) is taken") {
            try await hub.ask(.post, "/streams/a/webhook/in", item).status == .noContent
        }
    }

    @Test func aStreamOfAnotherHubIsRead() async throws {
        let shared = MemorySharedOutputs()
        shared.add(.value("0"), of: "a")
        let hub = try await hub(shared, [SubscribeTests.posted(), SubscribeTests.reader()])
        try await hub.hub.run("r").start()
        try await waitForReader(hub, shared)
        #expect(shared.requests == [SharedOutputRequest(stream: "a", isFromStart: false)])
        shared.add(.value("1"), of: "a")
        shared.add(.value("x"), of: "b")
        shared.add(.error(.failed, "broken"), of: "a")
        shared.add(.value(#"{"n":2}"#), of: "a")
        try await expect(hub, shared, ["1", #"{"n":2}"#])
        await hub.hub.shutDown()
        // A source is canceled, and not waited for.
        try await hub.until("the reading ends") { shared.readerCount == 0 }
    }

    @Test func errorsOfAnotherHubAreRead() async throws {
        let shared = MemorySharedOutputs()
        let reader = SubscribeTests.reader("r", #"{"stream": "a", "of": "errors"}"#)
        let hub = try await hub(shared, [SubscribeTests.posted(), reader])
        try await hub.hub.run("r").start()
        try await waitForReader(hub, shared)
        shared.add(.value("1"), of: "a")
        shared.add(.error(.failed, "broken"), at: OutputPlace(run: 2, sequence: 17), of: "a")
        try await expect(hub, shared, [#"{"kind":"failed","error":"broken","run":2,"sequence":17}"#])
        await hub.hub.shutDown()
    }

    @Test(
        arguments: [
            (#"{"stream": "a", "from": "start"}"#, ["1", "2", "3", "4"]),
            (#"{"stream": "a", "from": "1-2"}"#, ["3", "4"]),
        ],
        [0, 1, 3]
    )
    func aNewReaderBeginsWhereItSays(_ reader: (String, [String]), _ failures: Int) async throws {
        let (arguments, expected) = reader
        let shared = MemorySharedOutputs()
        for number in 1...3 { shared.add(.value("\(number)"), at: OutputPlace(run: 1, sequence: number), of: "a") }
        // The first run of another hub, of which the cursor names no output.
        shared.add(.value("4"), at: OutputPlace(run: 1, sequence: 1), ofRun: "S", of: "a")
        shared.failReads(failures)
        let hub = try await hub(shared, [SubscribeTests.posted(), SubscribeTests.reader("r", arguments)])
        try await hub.hub.run("r").start()
        try await expect(hub, shared, expected)
        #expect(shared.requests.first?.isFromStart == true)
        await hub.hub.shutDown()
    }

    /// A hub that is killed has a successor, which reads on where it was.
    @Test(arguments: 0..<4) func aKillLosesAndRepeatsNothing(_ count: Int) async throws {
        let (shared, store) = (MemorySharedOutputs(), MemoryStreamStore())
        let hub = try await hub(shared, [SubscribeTests.posted(), SubscribeTests.reader()], on: store)
        try await hub.hub.run("r").start()
        try await waitForReader(hub, shared)
        try await hub.pass(1)
        for number in 0..<count { shared.add(.value("\(number)"), of: "a") }
        if count.isMultiple(of: 2) { try await hub.pass(1) }
        let successor = try await self.hub(shared, on: MemoryStreamStore(copying: store))
        for number in count..<6 { shared.add(.value("\(number)"), of: "a") }
        try await expect(successor, shared, (0..<6).map { "\($0)" })
        for one in [hub, successor] { await one.hub.shutDown() }
    }

    /// A stream that begins to run here is read here, and elsewhere again when it was stopped, on from where it was, also while
    /// this hub shares its own outputs.
    @Test(arguments: [false, true]) func aStreamThatMovesIsReadInEachPlace(_ isSharing: Bool) async throws {
        let shared = MemorySharedOutputs()
        let hub = try await hub(shared, [SubscribeTests.posted(), SubscribeTests.reader()])
        let work = isSharing ? Task { await hub.hub.around.subscriptions.shareOutputs() } : nil
        try await hub.hub.run("r").start()
        try await waitForReader(hub, shared)
        shared.add(.value("1"), of: "a")
        try await expect(hub, shared, ["1"])
        let run = try await hub.hub.run("a")
        try await run.start()
        if isSharing { try await waitForSharing(hub, shared) }
        try await post(hub, "2")
        try await expect(hub, shared, ["1", "2"])
        #expect(shared.readerCount == 0)
        shared.add(.value("3"), at: OutputPlace(run: 1, sequence: 1000), of: "a")
        await run.stop()
        try await expect(hub, shared, ["1", "2", "3"])
        try await run.start()
        try await post(hub, "4")
        try await expect(hub, shared, ["1", "2", "3", "4"])
        if isSharing { try await expectShared(hub, shared, ["1", "2", "3", "4"].map { #"a value("\#($0)")"# }) }
        work?.cancel()
        await work?.value
        await hub.hub.shutDown()
    }

    @Test func aClusterThatIsAwayIsWaitedFor() async throws {
        let shared = MemorySharedOutputs()
        let hub = try await hub(shared, [SubscribeTests.posted(), SubscribeTests.reader()])
        try await hub.hub.run("r").start()
        try await waitForReader(hub, shared)
        shared.setAway(true)
        try await hub.until("it waits") {
            try await hub.pass(1)
            let status = try await hub.ask(.get, "/streams/r/run").json
            return status["waiting"]?.string?.contains("the cluster can't be read: the cluster is away") ?? false
        }
        shared.add(.value("1"), of: "a")
        shared.setAway(false)
        try await expect(hub, shared, ["1"])
        #expect(try await hub.ask(.get, "/streams/r/run").json["waiting"] == nil)
        await hub.hub.shutDown()
    }

    @Test(arguments: [true, false]) func outputsThatAreMissingFailOrAreSkipped(_ isGap: Bool) async throws {
        let (shared, store) = (MemorySharedOutputs(), MemoryStreamStore())
        let skips = SubscribeTests.reader("skips", #"{"stream": "a", "missing": "skip"}"#)
        let hub = try await hub(shared, [SubscribeTests.posted(), SubscribeTests.reader(), skips], on: store)
        for id in ["r", "skips"] { try await hub.hub.run(id).start() }
        try await waitForReader(hub, shared, 2)
        try await hub.pass(1)
        await hub.hub.shutDown()
        shared.add(isGap ? .value("1") : .missing(reason: "it is too large"), of: "a")
        shared.add(.value("2"), of: "a")
        if isGap { shared.remove(1) }
        let successor = try await self.hub(shared, on: store)
        try await expect(successor, shared, ["2"], from: "skips")
        try await successor.until("it fails") {
            try await successor.pass(1)
            return try await successor.ask(.get, "/streams/r/run").json["state"] == "failed"
        }
        let error = try await successor.ask(.get, "/streams/r/run").json["error"]?.string ?? ""
        let reason = isGap ? "the cluster no longer keeps all" : "it is too large"
        #expect(
            error.hasSuffix(
                "outputs of 'a' are missing: \(reason); read on without them with \"missing\": \"skip\""
            )
        )
        await successor.hub.shutDown()
    }

    // MARK: Sharing

    /// Has a hub share what others ask for, while `body` runs.
    private func sharing(_ hub: Hub, _ body: () async throws -> Void) async throws {
        let work = Task { await hub.hub.around.subscriptions.shareOutputs() }
        try await body()
        work.cancel()
        await work.value
    }

    /// Posts marks until the hub shares one. A hub that has not taken a request up yet shares only what comes later, and a busy
    /// machine may begin its task late.
    private func waitForSharing(_ hub: Hub, _ shared: MemorySharedOutputs) async throws {
        let count = shared.texts.count
        try await hub.until("the hub shares outputs") {
            try await post(hub, Self.mark)
            try await hub.pass(1)
            return shared.texts.count > count
        }
    }

    private func expectShared(_ hub: Hub, _ shared: MemorySharedOutputs, _ expected: [String]) async throws {
        try await hub.until("\(expected) are shared") {
            try await hub.pass(1)
            return texts(shared).count >= expected.count
        }
        try await hub.pass(2)
        #expect(texts(shared) == expected)
    }

    @Test func outputsAreSharedFromTheFirstRequestOn() async throws {
        let (shared, store) = (MemorySharedOutputs(), MemoryStreamStore())
        let hub = try await hub(shared, [SubscribeTests.posted()], on: store)
        try await hub.hub.run("a").start()
        try await sharing(hub) {
            try await post(hub, "1")
            try await hub.pass(1)
            try await shared.request(SharedOutputRequest(stream: "a", isFromStart: false))
            try await waitForSharing(hub, shared)
            try await post(hub, "2")
            try await expectShared(hub, shared, [#"a value("2")"#])
            // Repeated requests change nothing.
            try await shared.request(SharedOutputRequest(stream: "a", isFromStart: false))
            try await post(hub, "3")
            try await expectShared(hub, shared, [#"a value("2")"#, #"a value("3")"#])
        }
        // Outputs that come while nobody shares follow later.
        try await post(hub, "4")
        try await hub.pass(1)
        await hub.hub.shutDown()
        let successor = try await self.hub(shared, on: store)
        try await sharing(successor) {
            try await post(successor, "5")
            try await expectShared(successor, shared, (2...5).map { #"a value("\#($0)")"# })
        }
        await successor.hub.shutDown()
    }

    @Test func aRequestForEverythingSharesWhatIsKept() async throws {
        let shared = MemorySharedOutputs()
        let hub = try await hub(shared, [SubscribeTests.posted("a", #", "operators": [{"prefix": {"count": 2}}]"#)])
        try await hub.hub.run("a").start()
        try await post(hub, "1")
        try await post(hub, "2")
        try await hub.pass(1)
        try await shared.request(SharedOutputRequest(stream: "a", isFromStart: true))
        try await shared.request(SharedOutputRequest(stream: "b", isFromStart: true))
        try await sharing(hub) {
            // The completion is not shared.
            try await expectShared(hub, shared, (1...2).map { #"a value("\#($0)") from the start"# })
        }
        await hub.hub.shutDown()
    }

    /// Readers of another hub, one after the other, while the stream runs: each gets everything from where it begins, whatever
    /// those before it asked for.
    @Test(arguments: [
        ["now"], ["start"], ["now", "start"], ["start", "now"], ["now", "1-2"], ["1-2", "start"],
        ["now", "start", "now", "1-1", "start"],
    ])
    func eachReaderBeginsWhereItSays(_ starts: [String]) async throws {
        let shared = MemorySharedOutputs()
        let owner = try await hub(shared, [SubscribeTests.posted()])
        let readers = starts.enumerated().map { number, start in
            SubscribeTests.reader("r\(number)", #"{"stream": "a", "from": "\#(start)"}"#)
        }
        let hub = try await hub(shared, [SubscribeTests.posted()] + readers)
        try await owner.hub.run("a").start()
        try await sharing(owner) {
            for item in ["1", "2", "3"] { try await post(owner, item) }
            try await owner.pass(1)
            for number in starts.indices {
                try await hub.hub.run("r\(number)").start()
                try await waitForReader(hub, shared, number + 1)
                try await hub.until("reader \(number) reads") {
                    try await post(owner, Self.mark)
                    try await owner.pass(1)
                    try await hub.pass(1)
                    let outputs = try await hub.store.outputs(
                        of: "r\(number)",
                        afterRun: 0,
                        sequence: 0,
                        limit: 100_000
                    )
                    return outputs.last?.text == Self.mark
                }
                try await post(owner, "\(number + 4)")
                try await owner.pass(1)
            }
            for (number, start) in starts.enumerated() {
                let first = start == "now" ? number + 4 : start == "start" ? 1 : start == "1-1" ? 2 : 3
                let expected = (first..<(starts.count + 4)).map { "\($0)" }
                try await hub.until("reader \(number) has all") {
                    try await owner.pass(1)
                    try await hub.pass(1)
                    return try await outputs(hub, "r\(number)").count >= expected.count
                }
                #expect(try await outputs(hub, "r\(number)") == expected, "reader \(number) of \(starts)")
            }
        }
        for one in [hub, owner] { await one.hub.shutDown() }
    }

    @Test func theClusterMayBeAwayWhileOutputsAreShared() async throws {
        let shared = MemorySharedOutputs()
        let hub = try await hub(shared, [SubscribeTests.posted()])
        try await hub.hub.run("a").start()
        try await shared.request(SharedOutputRequest(stream: "a", isFromStart: false))
        try await sharing(hub) {
            try await waitForSharing(hub, shared)
            shared.setAway(true)
            try await post(hub, "1")
            try await hub.pass(5)
            #expect(texts(shared) == [])
            shared.setAway(false)
            try await expectShared(hub, shared, [#"a value("1")"#])
        }
        await hub.hub.shutDown()
    }
}
#endif
