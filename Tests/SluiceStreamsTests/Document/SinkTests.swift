import Foundation
import SluiceJSON
import Testing

@testable import SluiceStreams

/// The sinks of documents.
@Suite struct SinkTests {
    func document(_ sinks: String, operators: String = "[]", parameters: String = "{}") -> String {
        #"{"source": {"values": [1]}, "parameters": \#(parameters), "operators": \#(operators), "sinks": \#(sinks)}"#
    }

    func errors(_ sinks: String, operators: String = "[]") -> [String] {
        do {
            _ = try StreamDocument(parsing: document(sinks, operators: operators))
            return []
        } catch {
            return error.errors.map { "\($0.path): \($0.message)" + ($0.hint.map { " (\($0))" } ?? "") }
        }
    }

    func compiled(_ sinks: String, parameters: String = "{}") throws -> [CompiledSink] {
        let document = try StreamDocument(parsing: document(sinks, parameters: parameters))
        return try CompiledDocument(document, in: StreamLibrary([document])).sinks
    }

    @Test func aSinkIsWrittenAsItWas() throws {
        let text = #"""
            {
              "source": {"values":[1]},
              "operators": [
                {"id":"a","count":{}}
              ],
              "sinks": [
                {"id":"hook","note":"n","disabled":true,"post":{"url":"http://h/","method":"PUT","when":"x > 1","x-a":1},"x-b":[2]},
                {"later": {"a": 1}}
              ],
              "tests": [
                {"name":"t","expect":"(1|)"}
              ]
            }

            """#
        let document = try StreamDocument(preserving: Array(text.utf8))
        #expect(document.canonicalText == text)
        #expect(document.sinks.map(\.id) == ["hook", nil] && document.sinks.map(\.isDisabled) == [true, false])
        #expect(document.errors?.errors.map(\.message).first?.contains("later") ?? false)
        // The model keeps them byte for byte.
        let model = try SluiceJSONDecoder().decode(StreamModel<Int>.self, from: Array(text.utf8))
        let saved = String(decoding: try SluiceJSONEncoder().encode(model), as: UTF8.self)
        #expect(try StreamDocument(preserving: Array(saved.utf8)).sinks == document.sinks)
    }

    @Test func idsAreGivenAndUnique() throws {
        let sinks =
            #"[{"post": {"url": "http://h/"}}, {"id": "post", "lines": {"path": "f"}}, {"post": {"url": "http://h/"}}]"#
        let document = try StreamDocument(parsing: document(sinks, operators: #"[{"id": "post-2", "count": {}}]"#))
        #expect(document.identified(as: "a").sinks.map(\.id) == ["post-3", "post", "post-4"])
        let taken = errors(#"[{"id": "a", "lines": {"path": "f"}}]"#, operators: #"[{"id": "a", "count": {}}]"#)
        #expect(taken.count == 1 && taken[0].hasPrefix("sinks[0].id: the id \"a\" is taken"))
    }

    @Test func mistakesAreAllReportedWithHints() {
        #expect(errors(#"[{"pots": {"url": "http://h/"}}]"#).first?.contains("did you mean \"post\"") ?? false)
        #expect(errors(#"[{"post": {"ulr": "http://h/"}}]"#).joined().contains("did you mean \"url\""))
        #expect(errors(#"[{"post": {}}]"#).first?.contains("\"url\" is missing") ?? false)
        #expect(errors(#"[{"post": {"url": "u", "body": "x.size("}}]"#).first?.hasPrefix("sinks[0].post.body") ?? false)
        #expect(errors(#"[{"post": {"url": "u", "body": "y"}}]"#).count == 1)
        #expect(errors(#"[{"post": {"url": "u", "when": "x + 1"}}]"#, operators: #"[{"count": {}}]"#).count == 1)
        #expect(
            errors(#"[{"post": {"url": "u", "onFailure": "ignore"}}]"#).first?.contains("block, skip, fail") ?? false
        )
        #expect(errors(#"[{"post": {"url": "u", "from": "yesterday"}}]"#).first?.contains("2-17") ?? false)
        #expect(errors(#"[{"post": {"url": "u", "concurrency": 4}}]"#).first?.contains("needs \"key\"") ?? false)
        #expect(errors(#"[{"post": {"url": "u", "key": "x"}}]"#).first?.contains("no effect") ?? false)
        #expect(errors(#"[{"post": {"url": "u", "concurrency": 999, "key": "x"}}]"#).first?.contains("256") ?? false)
        #expect(errors(#"[{"post": {"url": "u", "batch": {}}}]"#).first?.contains("needs") ?? false)
        #expect(errors(#"[{"post": {"url": "u", "batch": {"count": 1, "second": 2}}}]"#).count == 2)
        #expect(errors(#"[{"post": {"url": "u", "batch": {"count": 9}, "concurrency": 2, "key": "x"}}]"#).count == 1)
        #expect(errors(#"[{"post": {"url": "${host}"}}]"#).first?.contains("no parameter \"host\"") ?? false)
        // A template of a source is a plain text here: nothing may be delivered to an address that nobody meant.
        for sink in [
            #"{"post": {"url": "http://h/${x.id}"}}"#, #"{"post": {"url": "http://${x}/"}}"#,
            #"{"post": {"url": "http://h/", "headers": {"X-Id": "${x.id}"}}}"#,
            #"{"lines": {"path": "a/${x.day}.log"}}"#,
        ] {
            let found = errors("[\(sink)]")
            #expect(found.count == 1 && found[0].contains("${x"), "\(sink)")
            #expect(found.first?.contains("has no value here: this is the same for all outputs") ?? false, "\(sink)")
        }
        #expect(errors(#"[{"lines": {"path": "a/${secret:a}"}}]"#).first?.contains("a secret can be used in") ?? false)
        #expect(errors(#"[{"post": {"url": "http://h/${x"}}]"#).count == 1)
        // All at once, and with a mistake of an operator.
        let all = errors(
            #"[{"pots": {}}, {"post": {"url": "u", "from": "f"}}]"#,
            operators: #"[{"filter": {"expression": "y"}}]"#
        )
        #expect(all.count == 3)
    }

    @Test func anEscapeIsText() throws {
        let sinks = #"[{"lines": {"path": "a$${x}.log"}}, {"post": {"url": "u", "headers": {"A": "$${x}"}}}]"#
        let requests = try compiled(sinks).map { try $0.request(for: [1]) }
        #expect(requests[0]["path"]?.string == "a${x}.log")
        // Secrets are put into header fields when they are sent, and escapes are resolved then.
        #expect(requests[1]["headers"]?["A"]?.string == "$${x}")
    }

    @Test func aRequestIsRenderedFromTheOutput() throws {
        let sinks = #"""
            [{"post": {"url": "${url}", "headers": {"B": "1", "A": "2"}, "body": "{'n': x + ${add}}", "when": "x > 1"}},
             {"id": "b", "post": {"url": "u", "batch": {"count": 5}, "body": "x.size()"}},
             {"id": "c", "outside": {"name": "r", "arguments": {"q": [1]}, "concurrency": 2, "key": "{'k': x}"}}]
            """#
        let compiled = try compiled(sinks, parameters: #"{"url": "http://h/", "add": 40}"#)
        let request = #"{"url":"http://h/","method":"POST","headers":{"A":"2","B":"1"},"body":{"n":42}}"#
        #expect(try compiled[0].request(for: [2]) == JSON(parsing: request))
        #expect(try compiled[0].accepts(2) && !compiled[0].accepts(1))
        #expect(throws: (any Error).self) { try compiled[0].accepts("a") }
        #expect(try compiled[1].request(for: [7])["body"] == 1 && compiled[1].rules.batchCount == 5)
        #expect(try compiled[2].request(for: [3]) == ["arguments": ["q": [1]], "value": 3])
        #expect(try compiled[2].key(of: 3) == #"{"k":3}"# && compiled[2].receiver == "r")
        // The fingerprint differs if the deliveries differ, and only then.
        let other = try self.compiled(sinks, parameters: #"{"url": "http://h/", "add": 41}"#)
        #expect(other[0].fingerprint != compiled[0].fingerprint)
        let noted = try self.compiled(
            sinks.replacing("{\"id\": \"b\",", with: "{\"id\": \"b\", \"note\": \"n\","),
            parameters: #"{"url": "http://h/", "add": 40}"#
        )
        #expect(noted.map(\.fingerprint) == compiled.map(\.fingerprint))
    }

    /// Values that operators have made keep their types in the text in which they are stored.
    @Test func typedOutputsAreRead() throws {
        let text =
            #"{"item": "int", "source": {"values": [1]}, "operators": [{"map": {"expression": "double(x)"}}], "sinks": [{"post": {"url": "u", "body": "x + 0.5"}}]}"#
        let document = try StreamDocument(parsing: text)
        let value = try document.virtualEvents().compactMap(\.value)[0]
        let sink = try CompiledDocument(document, in: StreamLibrary([document])).sinks[0]
        #expect(try sink.request(for: [JSON(parsing: value.description)])["body"] == 1.5)
    }

    @Test func planSaysWhatBecomesOfSinks() throws {
        let old = try StreamDocument(
            parsing: document(
                #"[{"id": "a", "post": {"url": "u"}}, {"id": "b", "post": {"url": "u"}}, {"lines": {"path": "f"}}]"#
            )
        )
        let new = try StreamDocument(
            parsing: document(
                #"[{"id": "c", "post": {"url": "u", "from": "start"}}, {"id": "a", "disabled": true, "post": {"url": "v"}}, {"lines": {"path": "f"}}]"#
            )
        )
        let plan = StreamPlan(from: old, to: new)
        #expect(
            plan.steps.dropFirst().map(\.description) == [
                "add    sinks[0].post (c), begins at start",
                #"keep   sinks[1].post (a), keeps its cursor: disabled false → true, url "u" → "v""#,
                "keep   sinks[2].lines, keeps its cursor",
                "drop   sinks[1].post (b)",
            ]
        )
        #expect(!plan.keepsAll && !plan.isEmpty && StreamPlan(from: old, to: old).isEmpty)
        // A run says the same.
        let run = try StreamRun(old)
        run.advance(to: .zero)
        #expect(try run.plan(to: new).steps.suffix(4).map(\.description) == plan.steps.suffix(4).map(\.description))
    }

    @Test func theCatalogHasThem() throws {
        let catalog = try JSON(parsing: StreamCatalog.text)
        #expect(catalog["sinks"]?.array?.compactMap { $0["name"]?.string } == ["post", "lines", "publish", "outside"])
        let post = try #require(catalog["sinks"]?.array?.first?["parameters"]?.array)
        #expect(post.first { $0["name"] == "method" }?["default"] == "POST")
    }
}
