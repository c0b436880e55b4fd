import Foundation
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceClient

@Suite(.timeLimit(.minutes(30))) struct GroupStateFileTests {
    let hub = GroupStub()
    let folder: TemporaryFolder
    var settings = GroupFollower<ContinuousClock>.Settings()
    var path: String { folder.path + "/deep/state.json" }

    init() throws {
        folder = try TemporaryFolder()
        settings.stateFile = folder.path + "/deep/state.json"
    }

    @Test func followerBeginsWithoutTheHubFromTheFile() async throws {
        hub.put("a", 3, Text.refers(to: "r", 10), name: "Tens")
        hub.put("r", 1, Text.ticks(1), isReference: true)
        try await follow(hub, settings: settings) { if $0.contains("value") { throw Enough() } }
        hub.goAway()
        var isAway = true
        let told = try await follow(hub, settings: settings) { [hub] line in
            if isAway, line.contains(#""value": 20}"#) {
                isAway = false
                hub.put("a", 4, Text.refers(to: "r", 1_000), name: "Tens")
                hub.comeBack()
            }
            if line.contains(#""revision": 4, "time""#) { throw Enough() }
        }
        #expect(
            told.prefix(3) == [
                "away: the connection was refused", "restored: 2",
                #"{"stream": "a", "revision": 3, "taken": "started", "name": "Tens"}"#,
            ]
        )
        #expect(told.contains("back"))
        #expect(told.contains { $0.contains(#""revision": 4, "taken": "edited""#) })
    }

    @Test func lastGoodRevisionIsKept() async throws {
        hub.put("a", 1, Text.ticks(1))
        try await follow(hub, settings: settings) { [hub] line in
            if line.contains(#""value": 1}"#) { hub.put("a", 2, "{") }
            if line.contains("false") { throw Enough() }
        }
        hub.goAway()
        let told = try await follow(hub, settings: settings) { if $0.contains("value") { throw Enough() } }
        #expect(told.contains(#"{"stream": "a", "revision": 1, "taken": "started"}"#))
    }

    @Test func removedStreamIsForgotten() async throws {
        hub.put("a", 1, Text.ticks(1))
        hub.put("b", 1, Text.never)
        try await follow(hub, settings: settings) { [hub] line in
            if line.contains(#""value": 1}"#) { hub.remove("b") }
            if line.contains("removed") { throw Enough() }
        }
        let file = GroupStateFile(path: path, hub: "http://hub.example/", group: "all")
        #expect(try await file.read()?.map(\.id) == ["a"])
    }

    @Test(arguments: [
        ("", "it is not the state of a follower"),
        ("[[[[", "it is not the state of a follower"),
        (#"{"schema": "sluice.group/2"}"#, #"its schema is "sluice.group/2", not sluice.group/1"#),
        (
            #"{"schema": "sluice.group/1", "hub": "http://hub.example", "group": "all", "documents": [{}]}"#,
            "it is damaged"
        ),
        (
            #"{"schema": "sluice.group/1", "hub": "http://other", "group": "all", "documents": []}"#,
            #"it is of the group "all" of http://other"#
        ),
        (
            #"{"schema": "sluice.group/1", "hub": "http://hub.example", "group": "g", "documents": []}"#,
            #"it is of the group "g" of http://hub.example"#
        ),
    ])
    func fileThatIsOfNoUseIsTold(_ text: String, _ reason: String) async throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/deep", withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        hub.put("a", 1, Text.values("1"))
        hub.goAway()
        let told = try await follow(hub, settings: settings) { [hub] line in
            if line.hasPrefix("problem") { hub.comeBack() }
            if line.contains("completed") { throw Enough() }
        }
        #expect(told.contains("problem: \(path): \(reason)"))
    }

    @Test func documentsOfTheFileAreCheckedLikeAnyOther() async throws {
        let file = GroupStateFile(path: path, hub: "http://hub.example/", group: "all")
        let deep = String(repeating: "[", count: 100_000)
        try await file.write([
            GroupEvent.Document(id: "a", revision: -1, name: nil, text: deep, isReference: false),
            GroupEvent.Document(id: "b", revision: 1, name: nil, text: Text.values("1"), isReference: nil),
        ])
        hub.goAway()
        let told = try await follow(hub, settings: settings) { if $0.contains("completed") { throw Enough() } }
        #expect(told.contains { $0.hasPrefix(#"{"stream": "a", "revision": -1, "taken": false"#) })
    }

    @Test func whatCannotBeWrittenIsTold() async throws {
        try Data().write(to: URL(fileURLWithPath: folder.path + "/deep"))
        hub.put("a", 1, Text.ticks(1))
        let told = try await follow(hub, settings: settings) { line in
            if line.hasPrefix("problem") { throw Enough() }
        }
        #expect(told.last?.hasPrefix("problem: \(path): it can't be written: ") == true)
    }

    @Test func fileIsItsOwnersAlone() async throws {
        let file = GroupStateFile(path: path, hub: "h", group: "g")
        try await file.write([])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/deep") == ["state.json"])
        #expect(try await file.read() == [])
        #expect(try await GroupStateFile(path: folder.path + "/none", hub: "h", group: "g").read() == nil)
    }
}
