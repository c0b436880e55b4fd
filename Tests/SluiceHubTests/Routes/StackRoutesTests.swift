#if Hub
import HTTPTypes
import Sluice
import SluiceJSON
import SluiceStore
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceHub

/// The routes of filter stacks.
@Suite struct StackRoutesTests {
    static let patient = #"{"filters": [{"retry": {"maxAttempts": 5}}, {"timeout": {"seconds": 2}}]}"#
    static let hedged = #"{"filters": [{"retry": {"maxAttempts": 5}}, {"hedge": {}}]}"#

    static func delivering(_ id: String, _ stack: String = "patient") -> String {
        #"{"id": "\#(id)", "source": {"values": [1]}, "sinks": [{"post": {"url": "http://a.example/", "stack": "\#(stack)"}}]}"#
    }

    private func created(_ hub: Hub, _ id: String = "patient", _ text: String = Self.patient) async throws {
        let answer = try await hub.ask(.put, "/stacks/\(id)", text, ["If-None-Match": "*"])
        #expect(answer.status == .created, "\(answer.text)")
    }

    @Test func aStackHasAHistory() async throws {
        let hub = try await Hub()
        let made = try await hub.ask(
            .post,
            "/stacks",
            #"{"name": "Patient", "filters": [{"timeout": {"seconds": 2}}]}"#
        )
        let id = try #require(try made.json["id"]?.string)
        #expect(made.status == .created && made.headers[.location] == "/stacks/\(id)" && made.etag == #""1""#)
        #expect(try await hub.ask(.get, "/stacks/\(id)").json["id"]?.string == id)

        let old = try await hub.ask(.put, "/stacks/\(id)", Self.patient, ["If-Match": #""7""#])
        #expect(old.status == .preconditionFailed)
        #expect(try await hub.ask(.put, "/stacks/\(id)", Self.patient).status == .preconditionRequired)
        let edited = try await hub.ask(
            .put,
            "/stacks/\(id)",
            Self.patient,
            ["If-Match": #""1""#, "X-Sluice-Author": "me"]
        )
        #expect(try edited.json["revision"] == 2 && edited.json["filters"] == "retry → timeout", "\(edited.text)")
        let back = try await hub.ask(.post, "/stacks/\(id)/rollback", #"{"revision": 1}"#, ["If-Match": #""2""#])
        #expect(try back.json["revision"] == 3 && back.json["name"] == "Patient", "\(back.text)")
        let revisions = try await hub.ask(.get, "/stacks/\(id)/revisions").json.array ?? []
        #expect(revisions.map { $0["revision"] } == [3, 2, 1] && revisions[1]["author"] == "me")
        #expect(try await hub.ask(.get, "/stacks/\(id)/revisions/2").json["filters"]?.array?.count == 2)
        #expect(try await hub.ask(.get, "/stacks/\(id)/revisions/9").status == .notFound)

        #expect(try await hub.ask(.delete, "/stacks/\(id)", nil, ["If-Match": #""3""#]).status == .noContent)
        #expect(try await hub.ask(.get, "/stacks/\(id)").status == .notFound)
        #expect(try await hub.ask(.get, "/stacks").json == [])
    }

    @Test(arguments: [
        (#"{"filters": [{"timeout": {"seconds": -1}}]}"#, "filters[0].timeout.seconds"),
        (#"{"filters": [{"timeout": {"seconds": 1}}, {"retry": {}}]}"#, "filters[1].retry"),
        (#"{"filters": [{"fallback": {"value": 1}}]}"#, "filters[0].fallback"),
        (#"{"filters": [], "unknown": 1}"#, "unknown"),
        (#"{"filters": {}}"#, "filters"),
    ]) func aStackWithErrorsIsRefused(_ text: String, _ path: String) async throws {
        let hub = try await Hub()
        let answer = try await hub.ask(.put, "/stacks/s", text, ["If-None-Match": "*"])
        #expect(answer.status == .unprocessableContent)
        #expect(try answer.json["errors"]?[0]?["path"]?.string == path, "\(answer.text)")
        try await created(hub)
        let plan = try await hub.ask(.post, "/stacks/patient/plan", text)
        #expect(try plan.json["errors"]?[0]?["path"]?.string == path, "\(plan.text)")
        let edit = try await hub.ask(.put, "/stacks/patient", text, ["If-Match": #""1""#])
        #expect(edit.status == .unprocessableContent)
        #expect(try await hub.ask(.get, "/stacks/patient").json["filters"]?.array?.count == 2)
    }

    /// A document is one of the two, and each has routes of its own; the ids are shared.
    @Test func streamsAndStacksAreNotMixed() async throws {
        let hub = try await Hub([Document.items("s", [1])])
        try await created(hub)
        let stream = #"{"source": {"values": [1]}}"#
        #expect(try await hub.ask(.post, "/streams", Self.patient).status == .unprocessableContent)
        #expect(try await hub.ask(.post, "/stacks", stream).status == .unprocessableContent)
        #expect(try await hub.ask(.post, "/stacks", "{}").status == .unprocessableContent)
        #expect(try await hub.ask(.put, "/stacks/s", Self.patient, ["If-None-Match": "*"]).status == .conflict)
        #expect(try await hub.ask(.put, "/streams/patient", stream, ["If-None-Match": "*"]).status == .conflict)
        #expect(try await hub.ask(.put, "/stacks/s", Self.patient, ["If-Match": #""1""#]).status == .notFound)
        #expect(try await hub.ask(.put, "/streams/patient", stream, ["If-Match": #""1""#]).status == .notFound)
        #expect(try await hub.ask(.get, "/streams/patient").status == .notFound)
        #expect(try await hub.ask(.get, "/stacks/s").status == .notFound)
        #expect(try await hub.ask(.get, "/stacks/s/revisions").status == .notFound)
        #expect(try await hub.ask(.get, "/streams/patient/revisions/1").status == .notFound)
        #expect(try await hub.ask(.delete, "/streams/patient", nil, ["If-Match": #""1""#]).status == .notFound)
        for command in ["start", "stop", "reset", "plan"] {
            let answer = try await hub.ask(.post, "/streams/patient/\(command)", command == "plan" ? stream : nil)
            #expect(answer.status == .notFound, "\(command)")
        }
        _ = try await hub.ask(.put, "/groups/g")
        #expect(try await hub.ask(.put, "/groups/g/streams/patient").status == .notFound)
        #expect(try await hub.ask(.get, "/streams").json.array?.map { $0["id"] } == ["s"])
        #expect(try await hub.ask(.get, "/stacks").json.array?.map { $0["id"] } == ["patient"])
        #expect(try await hub.ask(.get, "/groups/all").json["streams"]?.array?.map { $0["id"] } == ["s"])
        let reference = #"{"source": {"ref": "patient"}}"#
        let errors = try await hub.ask(.post, "/check", reference).json["errors"]?.array ?? []
        #expect(errors.first?["message"]?.string?.hasPrefix("there is no stream") == true)
    }

    @Test func aStreamNamesItsStack() async throws {
        let hub = try await Hub()
        let missing = try await hub.ask(.post, "/check", Self.delivering("a")).json["errors"]?.array ?? []
        #expect(missing.map { $0["path"] } == ["sinks[0].post.stack"])
        #expect(missing.first?["message"] == #"there is no stack "patient""#)
        try await created(hub)
        #expect(try await hub.ask(.post, "/check", Self.delivering("a")).json["errors"] == [])
        #expect(try await hub.ask(.post, "/streams", Self.delivering("a")).status == .created)
        #expect(try await hub.ask(.get, "/stacks").json[0]?["streams"] == ["a"])

        // Neither an edit nor a removal breaks a stream that names it.
        let delete = try await hub.ask(.delete, "/stacks/patient?dependents=keep", nil, ["If-Match": #""1""#])
        #expect(delete.status == .conflict && delete.text.contains("'a'"), "\(delete.text)")
        let edit = try await hub.ask(.put, "/stacks/patient", Self.hedged, ["If-Match": #""1""#])
        #expect(edit.status == .conflict, "\(edit.text)")
        let error = try edit.json["dependents"]?[0]?["errors"]?[0]
        #expect(
            error?["message"]?.string?.contains(#"the stack "patient" can't be used here: filters[1].hedge"#) == true
        )
        let plan = try await hub.ask(.post, "/stacks/patient/plan", Self.hedged).json
        #expect(plan["dependents"]?[0]?["id"] == "a" && plan["dependents"]?[0]?["errors"]?.array?.isEmpty == false)

        #expect(try await hub.ask(.delete, "/streams/a", nil, ["If-Match": #""1""#]).status == .noContent)
        #expect(try await hub.ask(.put, "/stacks/patient", Self.hedged, ["If-Match": #""1""#]).status == .ok)
    }

    /// A stack hides no stream whose name is its id, and has no users but those that name it as a stack.
    @Test func anIDOfAStackMayBeTheNameOfAStream() async throws {
        let named = #"{"id": "x", "name": "patient", "source": {"values": [1]}}"#
        let hub = try await Hub([named, #"{"id": "y", "source": {"ref": "patient"}}"#])
        try await created(hub)
        try await hub.settle()
        #expect(try await hub.ask(.get, "/streams?search=y").json[0]?["state"] == "idle")
        #expect(try await hub.ask(.post, "/check", #"{"source": {"ref": "patient"}}"#).json["errors"] == [])
        let head = try await hub.ask(.get, "/stacks").json[0]
        #expect(head?["streams"] == [] && head?["count"] == 0)
        #expect(try await hub.ask(.delete, "/stacks/patient", nil, ["If-Match": #""1""#]).status == .noContent)
    }

    /// A stream that was stored before its stack runs once that is stored.
    @Test func aStackThatComesLaterIsFound() async throws {
        let hub = try await Hub()
        let early = try await hub.ask(.post, "/streams", Self.delivering("a"))
        #expect(try early.status == .created && early.json["state"] == "blocked", "\(early.text)")
        try await created(hub)
        try await hub.settle()
        #expect(try await hub.ask(.get, "/streams").json[0]?["state"] == "idle")
    }

    @Test func aPlanNamesTheEffects() async throws {
        let hub = try await Hub()
        try await created(hub)
        let text = #"{"filters": [{"retry": {"maxAttempts": 5}}, {"breaker": {}}, {"rate": {"limit": 1}}]}"#
        let plan = try await hub.ask(.post, "/stacks/patient/plan", text).json
        #expect(plan["revision"] == 1 && plan["errors"] == [] && plan["dependents"] == [])
        #expect(plan["change"]?["kept"] == ["retry"] && plan["change"]?["dropped"] == ["timeout"], "\(plan)")
        #expect(plan["change"]?["added"] == ["breaker", "rate"], "\(plan)")
    }

    /// The lint finds what is in the wrong order, but nothing about the retry, which the source or the sink performs.
    @Test func aCheckTellsLikelyMistakes() async throws {
        let hub = try await Hub()
        let text = #"{"filters": [{"hedge": {}}, {"breaker": {}}]}"#
        let findings = try await hub.ask(.post, "/check", text).json["findings"]?.array ?? []
        #expect(findings.map { $0["rule"] } == ["hedgeAroundBreaker"], "\(findings)")
        #expect(findings.first?["line"] == 1)
        let answer = try await hub.ask(.post, "/check", Self.patient).json
        #expect(answer["errors"] == [] && answer["findings"] == nil, "\(answer)")
    }

    @Test func stacksAreExportedAndImported() async throws {
        let (one, other) = (try await Hub([Document.items("x", [1])]), try await Hub([Document.items("y", [1])]))
        try await created(one)
        #expect(try await one.ask(.post, "/streams", Self.delivering("a")).status == .created)
        let text = try await one.ask(.get, "/export").text
        let imported = try await other.ask(.post, "/import", text)
        #expect(imported.status == .created, "\(imported.text)")
        #expect(try await other.ask(.get, "/stacks").json[0]?["streams"] == ["a"])
        #expect(try await other.ask(.get, "/streams?search=a").json[0]?["state"] == "idle")
    }
}
#endif
