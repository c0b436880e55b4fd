import Foundation
import SluiceClient
import SluiceJSON
import SluiceTestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct FollowTests {
    let folder: ScratchFolder
    let hub: ServedHub

    init() async throws {
        folder = try ScratchFolder()
        hub = try await ServedHub(store: folder.path + "/hub.sqlite")
        // Each test has streams of its own.
        let client = try hub.client
        try await client.makeGroup("g")
    }

    private static func ticks(_ factor: Int) -> String {
        #"{"source": {"interval": {"seconds": 0.05}}, "operators": [{"id": "m", "map": {"expression": "x * \#(factor)"}}]}"#
    }

    /// Which tick a line is of, by the factors that the revisions have.
    private static func tick(_ line: JSON) -> Int? {
        line["value"]?.int.map { line["revision"] == 2 ? $0 / 1_000 : $0 }
    }

    private func follow(_ arguments: String...) throws -> Running {
        try Tool.sluice.start(["follow", hub.address, "--group", "g"] + arguments)
    }

    /// Asks again and again, for as long as the test may take.
    private func until(_ condition: () async throws -> Bool) async throws {
        while try await !condition() { await Task.yield() }
    }

    @Test func takesEditsAndReportsAndLeaves() async throws {
        let client = try hub.client
        try await client.create(Self.ticks(1), id: "a")
        try await client.assign("a", to: "g")
        let running = try follow("--name", "worker-1")
        var lines: [JSON] = []
        for await line in running.lines {
            let json = try JSON(parsing: line)
            lines.append(json)
            if json["value"] == 3 { try await client.replace("a", with: Self.ticks(1_000), at: 1) }
            if json["revision"] == 2, json["value"] != nil { break }
        }
        #expect(lines.first == ["stream": "a", "revision": 1, "taken": "started"])
        let edit = try #require(lines.firstIndex { $0["taken"] == "edited" })
        #expect(lines[edit]["plan"]?.array?.count == 2)
        #expect(lines[..<edit].allSatisfy { $0["revision"] == 1 })
        let values = lines.compactMap(Self.tick)
        #expect(values == Array(0..<values.count))
        try await until {
            let member = try await client.group("g").members.first
            return member?.name == "worker-1" && member?.isPresent == true && member?.streams.first?.revision == 2
        }
        running.signal(SIGINT)
        #expect(await running.outcome().status == 130)
        #expect(try await client.group("g").members.isEmpty)
    }

    @Test func hubThatIsKilledAndReturnsLosesNothing() async throws {
        let client = try hub.client
        try await client.create(Self.ticks(1), id: "a")
        try await client.assign("a", to: "g")
        let state = folder.path + "/state.json"
        let running = try follow("--state", state)
        var values: [Int] = []
        var second: ServedHub?
        for await line in running.lines {
            let json = try JSON(parsing: line)
            guard let value = Self.tick(json) else { continue }
            values.append(value)
            if value == 3 { hub.running.signal(SIGKILL) }
            if value == 10 {
                let again = try await ServedHub(store: folder.path + "/hub.sqlite", port: hub.port)
                try await again.client.replace("a", with: Self.ticks(1_000), at: 1)
                second = again
            }
            if json["revision"] == 2 { break }
        }
        #expect(values == Array(0..<values.count))
        running.signal(SIGTERM)
        #expect(await running.outcome().status == 130)

        // Without the hub it begins from the file.
        second?.running.signal(SIGKILL)
        _ = await second?.running.outcome()
        let alone = try await Tool.sluice.run(["follow", hub.address, "--group", "g", "--state", state, "--take", "2"])
        #expect(alone.status == 0)
        #expect(
            alone.lines == [
                #"{"stream": "a", "revision": 2, "taken": "started"}"#,
                #"{"stream": "a", "revision": 2, "time": 0.05, "value": 0}"#,
                #"{"stream": "a", "revision": 2, "time": 0.1, "value": 1000}"#,
            ]
        )
        #expect(
            alone.errors == """
                \(hub.address): note: cannot be reached: the connection was refused
                \(hub.address): note: 1 documents are taken from the file

                """
        )
    }

    @Test func twoMembersRunWhatTheGroupIsGiven() async throws {
        let client = try hub.client
        try await client.create(Self.ticks(1), id: "a")
        let members = try [follow("--name", "one"), follow("--name", "two")]
        try await until { try await client.group("g").members.count == 2 }
        try await client.assign("a", to: "g")
        for member in members {
            for await line in member.lines where line.contains("value") { break }
        }
        try await until { try await client.group("g").members.allSatisfy { $0.streams.map(\.id) == ["a"] } }
        #expect(Set(try await client.group("g").members.map(\.name)) == ["one", "two"])
        try await client.unassign("a", from: "g")
        try await until { try await client.group("g").members.allSatisfy { $0.streams.isEmpty } }
        for member in members {
            member.signal(SIGINT)
            #expect(await member.outcome().status == 130)
        }
    }

    @Test func groupThatIsNotThere() async throws {
        let outcome = try await Tool.sluice.run(["follow", hub.address, "--group", "nobody"])
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(
            outcome.errors
                == "GET \(hub.address)groups/nobody/events: error: 404 Not Found: there is no group 'nobody': make it with PUT /groups/NAME\n"
        )
    }

    @Test func readerThatLeavesIsNoFailure() async throws {
        let client = try hub.client
        try await client.create(Self.ticks(1), id: "a")
        try await client.assign("a", to: "g")
        let outcome = try await Tool(URL(fileURLWithPath: "/bin/bash")).run(
            [
                "-c", #""$0" follow "$1" --group g | head -2; exit ${PIPESTATUS[0]}"#,
                Tool.products.path + "/sluice", hub.address,
            ]
        )
        #expect(outcome.lines.count == 2)
        #expect(outcome.status == 0 || outcome.status == 141)
    }

    @Test(arguments: [
        (["nothing"], "'nothing' is not a URL"), (["http://h", "--take", "x"], "invalid"),
        (["http://h", "--group", ""], "--group takes the name of a group"),
        (["http://h", "--state", ""], "--state takes the path of a file"),
    ])
    func usage(_ arguments: [String], _ text: String) async throws {
        let outcome = try await Tool.sluice.run(["follow"] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(text))
    }
}
