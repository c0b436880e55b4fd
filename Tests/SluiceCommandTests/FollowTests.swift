#if Command
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
        try Tool.sluice.start(["follow", hub.address, "--group", "g"] + arguments, environment: environment)
    }

    /// The environment of a follower, whose default store is in the folder of the test.
    private var environment: [String: String] { ["XDG_DATA_HOME": folder.path] }

    /// Asks again and again, for as long as the test may take.
    private func until(_ condition: () async throws -> Bool) async throws {
        var looks = Looks()
        while try await !condition() { await looks.pause() }
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
        // A busy hub takes the farewell up after the follower has ended.
        try await until { try await client.group("g").members.isEmpty }
    }

    @Test func hubThatIsKilledAndReturnsLosesNothing() async throws {
        let client = try hub.client
        try await client.create(Self.ticks(1), id: "a")
        try await client.assign("a", to: "g")
        let store = folder.path + "/member.sqlite"
        let running = try follow("--store", store)
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

        // Without the hub it resumes from the store.
        second?.running.signal(SIGKILL)
        _ = await second?.running.outcome()
        let alone = try await Tool.sluice.run(["follow", hub.address, "--group", "g", "--store", store, "--take", "2"])
        #expect(alone.status == 0)
        #expect(alone.lines.first == #"{"stream": "a", "revision": 2, "taken": "resumed"}"#)
        for line in alone.lines.dropFirst() {
            let json = try JSON(parsing: line)
            #expect(json["run"] == 1 && json["sequence"]?.int == Self.tick(json).map { $0 + 1 })
        }
        #expect(
            alone.errors == """
                \(hub.address): note: cannot be reached: the connection was refused
                \(hub.address): note: resumed from the store with 1 documents

                """
        )
    }

    /// A follower that is killed is the same member when it comes back, and continues its runs.
    @Test func killedFollowerResumesAsTheSameMember() async throws {
        let client = try hub.client
        try await client.create(Self.ticks(1), id: "a")
        try await client.assign("a", to: "g")
        var outputs: [Int: Int] = [:]
        var members: Set<String> = []
        for round in 0..<3 {
            let running = try follow()
            var (count, resumed) = (0, 0)
            for await line in running.lines {
                let json = try JSON(parsing: line)
                if json["taken"] == "resumed" { resumed += 1 }
                guard let sequence = json["sequence"]?.int, let value = Self.tick(json) else { continue }
                #expect(json["run"] == 1 && sequence == value + 1)
                outputs[sequence] = value
                count += 1
                // The rest of what it has printed is read as well.
                if count == 40 {
                    members.formUnion(try await client.group("g").members.map(\.id))
                    running.signal(SIGKILL)
                }
            }
            #expect(resumed == (round == 0 ? 0 : 1))
            _ = await running.outcome()
            if round == 1 { try await client.replace("a", with: Self.ticks(1_000), at: 1) }
        }
        #expect(members.count == 1)
        #expect(outputs.keys.sorted() == Array(1...outputs.count))
        #expect(outputs.count > 40)
        let folder = folder.path + "/sluice/follow"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".sqlite") }
        #expect(files.count == 1)
        for file in files {
            let mode = try FileManager.default.attributesOfItem(atPath: folder + "/" + file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func aStoreHasOneFollowerAtATime() async throws {
        let client = try hub.client
        try await client.create(Self.ticks(1), id: "a")
        try await client.assign("a", to: "g")
        let store = folder.path + "/member.sqlite"
        let running = try follow("--store", store)
        for await line in running.lines where line.contains("value") { break }
        let other = try await Tool.sluice.run(["follow", hub.address, "--group", "g", "--store", store])
        #expect(other.status == 64)
        #expect(other.output == "")
        #expect(
            other.errors == """
                \(store): error: another process runs streams from this store
                  hint: end that, or give this member another --name or --store

                """
        )
        running.signal(SIGINT)
        #expect(await running.outcome().status == 130)
        let stranger = try await Tool.sluice.run(["follow", hub.address, "--store", store])
        #expect(stranger.status == 64)
        #expect(stranger.errors.contains(#"the store belongs to a follower of the group "g" of"#))
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

    /// A follower has the bounds of a hub, with the same flags: an error may name any of them.
    @Test func runsAreBounded() async throws {
        let flags = ["--value-size", "--state-size", "--backlog-size", "--runs-memory"]
        for command in ["serve", "follow"] {
            let help = try await Tool.sluice.run([command, "--help"]).output
            for flag in flags { #expect(help.contains(flag), "\(command) \(flag)") }
        }
        let client = try hub.client
        let grow =
            #"{"source": {"interval": {"seconds": 0.01}}, "operators": [{"scan": {"expression": "acc + acc", "initialValue": "x"}}]}"#
        try await client.create(grow, id: "grow")
        try await client.assign("grow", to: "g")
        let running = try follow("--value-size", "0.1", "--restarts", "0")
        var last = ""
        for await line in running.lines {
            last = line
            if line.contains("error") { break }
        }
        #expect(last.contains("operators[0].scan: a value takes") && last.contains("and may take 0.1 MB"), "\(last)")
        running.signal(SIGINT)
        #expect(await running.outcome().status == 130)
    }

    @Test func groupThatIsNotThere() async throws {
        let outcome = try await Tool.sluice.run(
            ["follow", hub.address, "--group", "nobody"],
            environment: environment
        )
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
            ],
            environment: environment
        )
        #expect(outcome.lines.count == 2)
        #expect(outcome.status == 0 || outcome.status == 141)
    }

    @Test(arguments: [
        (["nothing"], "'nothing' is not a URL"), (["http://h", "--take", "x"], "invalid"),
        (["http://h", "--group", ""], "--group takes the name of a group"),
        (["http://h", "--store", ""], "--store takes the path of a file"),
        (["http://h", "--runs-memory", "0"], "--runs-memory takes a number of megabytes"),
    ])
    func usage(_ arguments: [String], _ text: String) async throws {
        let outcome = try await Tool.sluice.run(["follow"] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(text))
    }
}
#endif
