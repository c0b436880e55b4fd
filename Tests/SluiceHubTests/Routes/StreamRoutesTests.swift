#if Hub
import HTTPTypes
import SluiceJSON
import SluiceStore
import Testing

@testable import SluiceHub

@Suite struct StreamRoutesTests {
    private let numbers = Document.items("a", [1, 2], name: "Numbers")

    @Test func aNewDocumentIsGivenItsIDs() async throws {
        let hub = try await Hub()
        let text =
            #"{"name": "Even", "source": {"values": [1, 2]}, "operators": [{"filter": {"expression": "x > 1"}}], "x-mine": 1e400}"#
        let answer = try await hub.ask(.post, "/streams", text, ["X-Sluice-Author": "ada"])
        #expect(answer.status == .created && answer.etag == "\"1\"")
        let id = try #require(try answer.json["id"]?.string)
        #expect(answer.headers[.location] == "/streams/\(id)")
        let stored = try await hub.ask(.get, "/streams/\(id)")
        #expect(stored.etag == "\"1\"")
        #expect(try stored.json["operators"]?[0]?["id"] == "filter")
        #expect(stored.text.contains(#""x-mine": 1e400"#))
        let history = try await hub.ask(.get, "/streams/\(id)/revisions").json
        #expect(history[0]?["author"] == "ada" && history[0]?["revision"] == 1 && history[0]?["isDeleted"] == false)
    }

    @Test func aDocumentThatLacksNothingStaysAsItWasWritten() async throws {
        let hub = try await Hub()
        let text = "{\"id\":   \"a\",\n\t\"stream\":[ ]}"
        #expect(try await hub.ask(.put, "/streams/a", text, ["If-None-Match": "*"]).status == .created)
        #expect(try await hub.ask(.get, "/streams/a").text == text)
        let again = try await hub.ask(.put, "/streams/a", text, ["If-None-Match": "*"])
        #expect(again.status == .conflict)
        #expect(try again.json["detail"] == "stream 'a' already exists: replace it, or choose another id")
    }

    /// A browser makes `/streams/..` of `/streams/%2E%2E`, and `/` of that.
    @Test(arguments: [".", ".."]) func stepsInAPathAreNoNames(_ id: String) async throws {
        let hub = try await Hub([numbers])
        let text = "an id has 1 to 200 bytes and no control characters, and isn't '.' or '..'"
        let answer = try await hub.ask(.post, "/streams", #"{"id": "\#(id)", "stream": []}"#)
        #expect(try answer.status == .unprocessableContent && answer.json["detail"]?.string == text)
        let path = id == "." ? "%2E" : "%2E%2E"
        #expect(try await hub.ask(.put, "/groups/\(path)").status == .unprocessableContent)
        let member = try await hub.ask(.put, "/groups/all/members/\(path)", #"{"streams": []}"#)
        #expect(member.status == .unprocessableContent)
    }

    @Test func whoWritesSaysWhatIsReplaced() async throws {
        let hub = try await Hub([numbers])
        let none = try await hub.ask(.put, "/streams/a", numbers)
        #expect(none.status == .preconditionRequired)
        for field in ["4", "\"x\"", "\"\"", "*", "\"0\"", "\"1\", \"2\"", "W/\"1\""] {
            #expect(
                try await hub.ask(.put, "/streams/a", numbers, ["If-Match": field]).status == .badRequest,
                "\(field)"
            )
        }
        #expect(try await hub.ask(.delete, "/streams/a").status == .preconditionRequired)
        #expect(try await hub.ask(.put, "/streams/b", #"{"stream": []}"#, ["If-Match": "\"1\""]).status == .notFound)
    }

    @Test func ofTwoWhoWriteOneIsToldOfTheOther() async throws {
        let hub = try await Hub([numbers])
        let theirs = Document.items("a", [1, 2, 3], name: "Theirs")
        let mine = Document.items("a", [1, 5], name: "Mine")
        #expect(try await hub.ask(.put, "/streams/a", theirs, ["If-Match": "\"1\""]).status == .ok)
        let answer = try await hub.ask(.put, "/streams/a", mine, ["If-Match": "\"1\""])
        #expect(answer.status == .preconditionFailed)
        let problem = try answer.json
        #expect(problem["current"] == ["revision": 2, "text": .string(theirs)])
        #expect(problem["yours"] == ["revision": 1, "text": .string(mine)])
        #expect(problem["plan"]?["steps"]?[0]?["action"] == "kept")
        #expect(problem["plan"]?["steps"]?[0]?["changes"]?.array?.map { $0["parameter"] } == ["[1]", "[2]"])
        #expect(try await hub.ask(.delete, "/streams/a", nil, ["If-Match": "\"1\""]).status == .preconditionFailed)
    }

    @Test func aMistakeIsRefusedWithItsPlace() async throws {
        let hub = try await Hub([numbers])
        let bad =
            "{\"id\": \"a\",\n \"source\": {\"values\": [1]},\n \"operators\": [{\"map\": {\"expression\": \"x +\"}}]}"
        let answer = try await hub.ask(.put, "/streams/a", bad, ["If-Match": "\"1\""])
        #expect(answer.status == .unprocessableContent)
        let error = try answer.json["errors"]?[0]
        #expect(error?["path"] == "operators[0].map.expression" && error?["line"] == 3, "\(String(describing: error))")
        #expect(try await hub.ask(.get, "/streams/a").text == numbers)
        let check = try await hub.ask(.post, "/check", bad).json
        #expect(check["errors"]?[0] == error)
        #expect(try await hub.ask(.post, "/check", numbers).json == ["errors": []])
        for text in ["", "{", "[]", "7", "{\"stream\": 1}", "\u{0}"] {
            #expect(try await hub.ask(.post, "/streams", text).status == .unprocessableContent, "\(text)")
        }
    }

    @Test func anExpressionIsCheckedAgainstTheSchemaOfItems() async throws {
        let hub = try await Hub([numbers])
        func document(_ item: String, _ expression: String) -> String {
            #"{"id": "a", "item": \#(item), "source": {"never": {}}, "operators": [{"id": "f", "filter": {"expression": "\#(expression)"}}]}"#
        }
        let item = #"{"type": "object", "properties": {"price": {"type": "number"}}}"#
        for text in [document(item, "x.prise > 1"), document(#"{"minimum": 1}"#, "true")] {
            let answer = try await hub.ask(.put, "/streams/a", text, ["If-Match": "\"1\""])
            #expect(answer.status == .unprocessableContent, "\(answer.text)")
            let error = try answer.json["errors"]?[0]
            #expect(try await hub.ask(.post, "/check", text).json["errors"]?[0] == error)
            #expect(try await hub.ask(.post, "/streams/a/plan", text).json["errors"]?[0] == error)
        }
        let check = try await hub.ask(.post, "/check", document(item, "x.prise > 1")).json
        #expect(check["errors"]?[0]?["hint"] == "did you mean price?")
        #expect(check["fields"] == ["operators[0].filter.expression": ["x.price"]])
        let right = document(item, "x.price > 1")
        #expect(try await hub.ask(.put, "/streams/a", right, ["If-Match": "\"1\""]).status == .ok)
        #expect(try await hub.ask(.get, "/streams/a").text == right)
    }

    @Test func whatIsUnknownIsStoredAndSharedAndNotRun() async throws {
        let hub = try await Hub([numbers])
        try await hub.hub.run("a").start()
        let future = #"{"id": "a", "stream": [], "operators": [{"id": "q", "quantum": {"spin": 1}}], "later": true}"#
        let answer = try await hub.ask(.put, "/streams/a", future, ["If-Match": "\"1\""])
        #expect(answer.status == .ok)
        #expect(
            try answer.json["errors"]?.array?.compactMap { $0["path"]?.string } == ["operators[0].quantum", "later"]
        )
        #expect(try answer.json["state"] == "running" && answer.json["runs"] == 1 && answer.json["revision"] == 2)
        #expect(try await hub.ask(.get, "/streams/a").text == future)
        try await hub.pass(3)
        #expect(hub.state("a") == .completed)
        #expect(try await hub.ask(.get, "/streams").json[0]?["state"] == "completed")
        #expect(try await hub.ask(.post, "/streams/a/start").status == .unprocessableContent)
        #expect(try await hub.ask(.post, "/streams/a/step").status == .unprocessableContent)
    }

    @Test func referencesThatLeadNowhereBlock() async throws {
        let hub = try await Hub()
        let refers = #"{"id": "b", "source": {"ref": "numbers"}, "operators": []}"#
        let answer = try await hub.ask(.post, "/streams", refers)
        #expect(answer.status == .created)
        #expect(try answer.json["state"] == "blocked")
        #expect(try answer.json["errors"]?[0]?["message"]?.string == #"there is no stream "numbers""#)
        let subscriber = try hub.subscribe()
        _ = try await hub.ask(.post, "/streams", Document.items("a", [1], name: "numbers"))
        #expect(try await subscriber.next("changed").data["id"] == "a")
        #expect(try await subscriber.next("changed").data["state"] == "idle")
        #expect(try await hub.ask(.post, "/streams/b/start").status == .ok)
        let deletion = "/streams/a?dependents=keep"
        #expect(try await hub.ask(.delete, deletion, nil, ["If-Match": "\"1\""]).status == .noContent)
        let errors = try await hub.ask(.post, "/check", refers).json["errors"]
        #expect(errors?.array?.count == 1 && errors?[0]?["message"] == #"there is no stream "numbers""#)
        #expect(errors?[0]?["hint"] == nil)  // what the document refers to is not all that the hub has
    }

    @Test func whoIsRenamedIsNotFoundByTheOldNameAnyMore() async throws {
        let refers = #"{"id": "b", "source": {"ref": "Numbers"}}"#
        let other = #"{"id": "c", "source": {"ref": "b"}}"#
        let hub = try await Hub([numbers, refers, other])
        func states() async throws -> [JSON?] {
            try await hub.ask(.get, "/streams").json.array?.map { $0["state"] } ?? []
        }
        #expect(try await states() == ["idle", "idle", "idle"])
        let renamed = Document.items("a", [1, 2], name: "Digits")
        let keeping = "/streams/a?dependents=keep"
        #expect(try await hub.ask(.put, keeping, renamed, ["If-Match": "\"1\""]).status == .ok)
        #expect(try await states() == ["idle", "blocked", "blocked"])
        #expect(try await hub.ask(.post, "/streams/c/start").status == .unprocessableContent)
        // One of two of a name goes by another: the other is found again.
        _ = try await hub.ask(.put, "/streams/a", numbers, ["If-Match": "\"2\""])
        _ = try await hub.ask(.post, "/streams?dependents=keep", Document.items("d", [1], name: "Numbers"))
        #expect(try await states() == ["idle", "blocked", "blocked", "idle"])
        _ = try await hub.ask(.put, "/streams/d", Document.items("d", [1], name: "Others"), ["If-Match": "\"1\""])
        #expect(try await states() == ["idle", "idle", "idle", "idle"])
    }

    @Test func historyAndRollback() async throws {
        let hub = try await Hub([numbers])
        let second = Document.items("a", [9])
        _ = try await hub.ask(.put, "/streams/a", second, ["If-Match": "\"1\"", "X-Sluice-Author": "bob"])
        #expect(try await hub.ask(.get, "/streams/a/revisions/1").text == numbers)
        #expect(try await hub.ask(.get, "/streams/a/revisions/3").status == .notFound)
        #expect(try await hub.ask(.get, "/streams/a/revisions/x").status == .notFound)
        let back = try await hub.ask(.post, "/streams/a/rollback", #"{"revision": 1}"#, ["If-Match": "\"2\""])
        #expect(back.etag == "\"3\"")
        #expect(try await hub.ask(.get, "/streams/a").text == numbers)
        let history = try await hub.ask(.get, "/streams/a/revisions").json
        #expect(history.array?.map { $0["revision"] } == [3, 2, 1])
        #expect(history[1]?["author"] == "bob")
        #expect(try await hub.ask(.get, "/streams/none/revisions").status == .notFound)
    }

    @Test func defaultsAreNotDeleted() async throws {
        let hub = try await Hub()
        let id = try #require(try await hub.ask(.get, "/streams").json[0]?["id"]?.string)
        let answer = try await hub.ask(.delete, "/streams/\(id)", nil, ["If-Match": "\"1\""])
        #expect(answer.status == .conflict)
        #expect(
            try answer.json["detail"]
                == "'Serial Stream A' is a default stream: default streams cannot be deleted"
        )
    }

    @Test func deletedItIsGoneEverywhere() async throws {
        let hub = try await Hub([numbers])
        try await hub.hub.run("a").start()
        let subscriber = try hub.subscribe()
        #expect(try await hub.ask(.delete, "/streams/a", nil, ["If-Match": "\"1\""]).status == .noContent)
        #expect(try await subscriber.next("removed").data == ["id": "a"])
        for path in ["", "/run", "/output", "/events"] {
            #expect(try await hub.ask(.get, "/streams/a\(path)").status == .notFound)
        }
        #expect(try await hub.ask(.put, "/streams/a", numbers, ["If-None-Match": "*"]).etag == "\"3\"")
        #expect(try await hub.ask(.get, "/streams/a/run").json["state"] == "idle")
    }

    /// The list is cached, while the result of a search is written for each request. Both have to agree.
    @Test func theListIsOfNow() async throws {
        let reference = #"{"id": "r", "source": {"ref": "a"}}"#
        let hub = try await Hub([numbers, reference])
        var last = ""
        func check(_ state: String?, _ place: SourceLocation = #_sourceLocation) async throws {
            let list = try await hub.ask(.get, "/streams")
            #expect(list.text != last && list.headers[.contentType] == "application/json", sourceLocation: place)
            #expect(list.text == (try await hub.ask(.get, "/streams?search=").text), sourceLocation: place)
            #expect(list.text == (try await hub.ask(.get, "/streams").text), sourceLocation: place)
            let head = try list.json.array?.first { $0["id"] == "a" }
            #expect(head?["state"]?.string == state, sourceLocation: place)
            last = list.text
        }
        try await check("idle")
        _ = try await hub.ask(.put, "/streams/a", Document.items("a", [1]), ["If-Match": "\"1\""])
        try await check("idle")
        _ = try await hub.ask(.post, "/streams", Document.items("b", [1]))
        try await check("idle")
        for (act, state) in [("start", "running"), ("pause", "paused"), ("start", "running")] {
            _ = try await hub.ask(.post, "/streams/a/\(act)")
            try await check(state)
        }
        try await hub.pass(5)
        try await check("completed")
        _ = try await hub.ask(.post, "/streams/a/reset")
        try await check("idle")
        _ = try await hub.ask(.delete, "/streams/a?dependents=keep", nil, ["If-Match": "\"2\""])
        try await check(nil)
    }

    @Test func manyDocumentsKeepTheirOrder() async throws {
        let ids = (0..<1000).map { "s\($0)" }
        let hub = try await Hub(ids.map { Document.items($0, [1]) })
        #expect(try await hub.ask(.get, "/streams").json.array?.map { $0["id"]?.string } == ids)
    }

    @Test func searchLooksAtNameDescriptionAndID() async throws {
        let described = #"{"id": "b", "description": "Counts SHEEP", "stream": []}"#
        let hub = try await Hub([numbers, described])
        func found(_ text: String) async throws -> [JSON?]? {
            try await hub.ask(.get, "/streams?search=\(text)").json.array?.map { $0["id"] }
        }
        #expect(try await found("NUMB") == ["a"])
        #expect(try await found("sheep") == ["b"])
        #expect(try await found("b") == ["a", "b"])
        #expect(try await found("%C3%A4") == [])
    }

    @Test func exportAndImport() async throws {
        let hub = try await Hub([numbers, Document.interval("i", 1)])
        let all = try await hub.ask(.get, "/export").text
        let other = try await Hub(["{\"id\": \"z\", \"stream\": []}"])
        #expect(try await other.ask(.post, "/import", all).status == .created)
        #expect(try await other.ask(.get, "/streams/a").text == numbers)
        // All or none.
        let mixed = "[\(Document.items("new", [1])), \(numbers)]"
        #expect(try await other.ask(.post, "/import", mixed).status == .conflict)
        #expect(try await other.ask(.get, "/streams/new").status == .notFound)
        #expect(try await other.ask(.post, "/import", "{}").status == .unprocessableContent)
    }

    @Test func thePlanIsSaidBefore() async throws {
        let counting = Document.interval(
            "a",
            1,
            operators: #"{"id": "n", "count": {}}, {"id": "s", "scan": {"expression": "acc + x"}}"#
        )
        let hub = try await Hub([counting])
        let changed = Document.interval(
            "a",
            2,
            operators: #"{"id": "s", "scan": {"initialValue": 5, "expression": "acc + x"}}, {"share": {}}"#
        )
        let plan = try await hub.ask(.post, "/streams/a/plan", changed).json
        #expect(plan["revision"] == 1 && plan["keepsAll"] == false && plan["errors"] == [])
        #expect(plan["steps"]?.array?.map { $0["action"] } == ["kept", "dropped", "reset", "added"])
        #expect(plan["steps"]?[0]?["changes"] == [["parameter": "seconds", "old": 1, "new": 2]])
        #expect(try await hub.ask(.post, "/streams/none/plan", changed).status == .notFound)
    }

    @Test func limitsAreSaid() async throws {
        var settings = HubSettings()
        (settings.limits.bodySize, settings.limits.documents, settings.limits.operators) = (500, 2, 3)
        let hub = try await Hub([numbers], settings: settings)
        let long = #"{"stream": [], "x-long": "\#(String(repeating: "a", count: 500))"}"#
        let refused = try await hub.ask(.post, "/streams", long)
        #expect(refused.status == .contentTooLarge)
        #expect(try refused.json["detail"] == "the body is longer than 500 bytes")
        let many = #"{"source": {"values": []}, "operators": [{"first": {}}, {"first": {}}, {"first": {}}]}"#
        #expect(
            try await hub.ask(.post, "/streams", many).json["detail"]
                == "the document has 4 operators, sources, and sinks; this hub takes 3"
        )
        #expect(try await hub.ask(.post, "/streams", #"{"stream": []}"#).status == .created)
        let full = try await hub.ask(.post, "/streams", #"{"stream": []}"#)
        #expect(full.status.code == 507)
        #expect(try full.json["detail"] == "too many documents: delete some")
    }

    @Test func aPictureIsBounded() async throws {
        let hub = try await Hub([numbers])
        let fast =
            #"{"document": {"source": {"interval": {"seconds": 0.001}}, "operators": [{"filter": {"expression": "false"}}]}, "until": 1e9}"#
        let cut = try await hub.ask(.post, "/picture", fast)
        #expect(try cut.json["isCut"] == true)
        let through = #"{"document": {"source": {"ref": "Numbers"}, "operators": [{"map": {"expression": "x * 2"}}]}}"#
        let picture = try await hub.ask(.post, "/picture", through).json
        #expect(picture["rows"]?.array?.map { $0["name"] } == ["Numbers", "map"])
        #expect(
            picture["rows"]?[1]?["marks"] == [
                ["time": 1, "value": 2, "origins": [0]], ["time": 2, "value": 4, "origins": [1]],
                ["time": 2, "completed": true, "origins": []],
            ]
        )
        let drawn = try await hub.ask(.post, "/picture?format=svg", through)
        #expect(drawn.headers[.contentType] == "image/svg+xml" && drawn.text.hasPrefix("<svg"))
        for bad in ["{}", "{\"document\": {}}", "{\"document\": {\"stream\": []}, \"until\": -1}"] {
            #expect(try await hub.ask(.post, "/picture", bad).status == .unprocessableContent)
        }
    }

    /// A reader may ask for pictures: neither large values nor expensive ones of a single instant may take much.
    @Test func aPictureOfHostileValuesIsBounded() async throws {
        let hub = try await Hub([])
        let long = String(repeating: "a", count: 300_000)
        let large =
            #"{"source": {"interval": {"seconds": 0.02}}, "operators": [{"combineLatest": {"source": {"values": ["\#(long)"]}}}, {"map": {"expression": "x[1] + string(x[0])"}}]}"#
        var (after, numbers): (Int, [JSON]) = (0, [])
        for _ in 0..<3 {
            let body = #"{"document": \#(large), "until": 4, "after": \#(after)}"#
            let answer = try await hub.ask(.post, "/picture", body)
            #expect(answer.text.utf8.count < 10 << 20)
            #expect(try answer.json["isCut"] == true)
            let marks = try #require(try answer.json["rows"]?[0]?["marks"]?.array, "\(answer.text.prefix(300))")
            #expect(!marks.isEmpty)
            numbers += marks.compactMap { $0["value"] }
            after = try #require(try answer.json["next"]?.int)
        }
        #expect(numbers == (0..<numbers.count).map { .int(Int64($0)) })

        let ten = "[0,1,2,3,4,5,6,7,8,9]"
        let nested = "\(ten).map(a, \(ten).map(b, \(ten).map(c, \(ten).map(d, a * b * c * d + x)))).size()"
        let instant =
            #"{"source": {"range": {"from": 0, "count": 15000}}, "operators": [{"map": {"expression": "\#(nested)"}}]}"#
        let cut = try await hub.ask(.post, "/picture", #"{"document": \#(instant), "until": 10}"#).json
        #expect(cut["isCut"] == true)
        let marks = try #require(cut["rows"]?.array).compactMap { $0["marks"]?.array }.joined()
        // The time is over before as many marks as a picture may have, and the end of the run is not one of the stream.
        #expect(marks.count < 5000 && marks.allSatisfy { $0["error"] == nil && $0["completed"] == nil })
    }

    @Test func aRevisionIsComparedWithTheOneBefore() async throws {
        let hub = try await Hub([])
        let text = { (seconds: Double) in
            #"{"id": "a", "stream": [{"value": 1, "operators": [{"delay": {"seconds": \#(seconds)}}]}]}"#
        }
        #expect(try await hub.ask(.post, "/streams", text(1)).status == .created)
        #expect(try await hub.ask(.put, "/streams/a", text(1.4), ["If-Match": "\"1\""]).status == .ok)
        let first = try await hub.ask(.get, "/streams/a/revisions/1/plan").json
        #expect(first["steps"] == [])
        let second = try await hub.ask(.get, "/streams/a/revisions/2/plan").json
        #expect(second["keepsAll"] == true)
        let change = second["steps"]?[0]?["changes"]?[0]
        #expect(change?["parameter"] == "[0]")
        #expect(change?["new"]?["operators"]?[0]?["delay"]?["seconds"] == 1.4)
        let missing = try await hub.ask(.get, "/streams/a/revisions/3/plan")
        #expect(missing.status == .notFound)
        #expect(try missing.json["detail"] == "the stream 'a' has no revision 3")
    }

    @Test func aPictureThatIsCutOffContinues() async throws {
        let hub = try await Hub([])
        let source = #"{"interval": {"seconds": 0.01, "count": 2600}}"#
        let stream = #""document": {"source": \#(source), "operators": [{"map": {"expression": "x"}}]}"#
        func marks(after count: Int) async throws -> (times: [Double], next: Int?) {
            let picture = try await hub.ask(.post, "/picture", "{\(stream), \"until\": 100, \"after\": \(count)}").json
            #expect(picture["isCut"]?.bool == (picture["next"] != nil))
            let times = picture["rows"]?[1]?["marks"]?.array?.compactMap { $0["time"]?.double } ?? []
            return (times, picture["next"]?.int)
        }
        // 2,600 values and a completion in each of two rows, in pages: none is missing, and none comes twice.
        var (all, next) = try await marks(after: 0)
        #expect(next != nil)
        while let after = next {
            let (more, last) = try await marks(after: after)
            #expect(last.map { $0 > after } ?? true)
            all += more
            next = last
        }
        #expect(all.count == 2601 && all == all.sorted() && Set(all).count == 2600)
        let late = try await hub.ask(.post, "/picture", "{\(stream), \"after\": 200001}")
        #expect(late.status == .unprocessableContent)
        #expect(try late.json["detail"] == #""after" is a number of marks from 0 to 200000"#)
    }

    @Test func wrongMethodsAreSaid() async throws {
        let hub = try await Hub([numbers])
        let answer = try await hub.ask(.patch, "/streams/a")
        #expect(answer.status == .methodNotAllowed && answer.headers[.allow] == "DELETE, GET, HEAD, PUT")
        #expect(try await hub.ask(.get, "/streams/a/start").headers[.allow] == "POST")
    }
}
#endif
