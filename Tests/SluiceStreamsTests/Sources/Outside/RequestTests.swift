import Sluice
import SluiceJSON
import SluiceTesting
import Testing

@testable import SluiceStreams

@Suite struct RequestTests {
    /// Runs a document whose requests a closure answers; returns the values and the arguments of the requests.
    private func run(
        _ text: String,
        _ answer: @escaping @Sendable (JSON) throws -> JSON = { _ in nil }
    ) async throws -> (values: [JSON], requests: [JSON]) {
        let requests = Locked<[JSON]>([])
        var host = StreamHost()
        for name in ["request", "poll", "events"] {
            host.register(name, hasPositions: true) { arguments, inlet in
                requests.withLock { $0.append(arguments) }
                try await inlet.send(try answer(arguments), at: "1")
            }
        }
        var values: [JSON] = []
        for try await value in try StreamDocument(parsing: text).values(host: host) { values.append(value) }
        return (values, requests.withLock { $0 })
    }

    private func flatMap(_ items: String, _ request: String) -> String {
        #"{"source": {"values": \#(items)}, "operators": [{"concatMap": {"to": {"request": \#(request)}}}]}"#
    }

    /// Returns the URL that is requested for an item.
    private func url(_ template: String, for item: JSON) async throws -> String {
        let requests = try await run(flatMap("[\(item)]", JSON.string(template).text())).requests
        return try #require(requests.first?["url"]?.string)
    }

    @Test(arguments: [
        ("a b/c?d#e&f=g%h+é", "a%20b%2Fc%3Fd%23e%26f%3Dg%25h%2B%C3%A9"), ("a-b_c.d~e", "a-b_c.d~e"), ("", ""),
        ("\r\nHost: x", "%0D%0AHost%3A%20x"), ("\u{0}", "%00"), ("日本", "%E6%97%A5%E6%9C%AC"),
    ])
    func textIsEncodedForItsComponent(_ text: String, _ encoded: String) async throws {
        #expect(try await url("https://x.example/p/${a}/q", for: .string(text)) == "https://x.example/p/\(encoded)/q")
        #expect(try await url("https://x.example/?a=${a}&b", for: .string(text)) == "https://x.example/?a=\(encoded)&b")
    }

    /// Attempts to leave the place of the template.
    @Test(arguments: ["..", ".", "evil.example/", "evil.example#", "u@evil.example", "evil.example:1", "a\\b", ""])
    func anItemLeadsNowhereElse(_ text: String) async throws {
        let item = JSON.string(text)
        await #expect(throws: StreamError.self) { try await url("https://${a}.x.example/", for: item) }
        if text == "." || text == ".." {
            await #expect(throws: StreamError.self) { try await url("https://x.example/p/${a}/q", for: item) }
            await #expect(throws: StreamError.self) { try await url("https://x.example/p/${a}", for: item) }
        }
    }

    @Test func aPartOfAHostIsAName() async throws {
        #expect(try await url("https://${a}.x.example/${a}", for: "eu-1") == "https://eu-1.x.example/eu-1")
    }

    @Test func valuesBecomeText() async throws {
        #expect(
            try await url("https://x.example/${a.id}?n=${a.n * 2}", for: ["id": 7, "n": 1.5])
                == "https://x.example/7?n=3.0"
        )
        #expect(try await url("https://x.example/${a ? 'y' : 'n'}", for: true) == "https://x.example/y")
        #expect(try await url("https://x.example/${{'k': '}'}.k + a}/$${a}", for: "b") == "https://x.example/%7Db/${a}")
        await #expect(throws: StreamError.self) { try await url("https://x.example/${a}", for: nil) }
    }

    @Test func bodiesAndHeadersAreTemplates() async throws {
        let text = flatMap(
            #"[{"id": 1, "tags": ["a"]}]"#,
            #"""
            {"url": "https://x.example/", "method": "PUT", "as": "response", "headers": {"X-Id": "n${a.id}"},
             "body": {"id": "${a.id}", "tags": ["${a.tags}", "t-${a.tags[0]}"], "n": 1}}
            """#
        )
        let requests = try await run(text).requests
        #expect(
            requests == [
                [
                    "method": "PUT", "as": "response", "url": "https://x.example/", "headers": ["X-Id": "n1"],
                    "body": ["id": 1, "tags": [["a"], "t-a"], "n": 1],
                ]
            ]
        )
    }

    /// `poll` and `events` have templates of the document's parameters.
    @Test func parametersAreValues() async throws {
        for (kind, more) in [("poll", #", "seconds": 1"#), ("events", ""), ("request", "")] {
            let text = #"""
                {"parameters": {"base": "https://x.example", "key": "a b"},
                 "source": {"\#(kind)": {"url": "${base}/${key}"\#(more), "headers": {"K": "${key}"}}}}
                """#
            let requests = try await run(text).requests
            #expect(requests.first?["url"] == "https://x.example/a%20b", "\(kind)")
            #expect(requests.first?["headers"] == ["K": "a b"])
        }
    }

    /// Only the document refers to secrets: `$${` and what items contain is text, written so that a transport that puts
    /// the values of secrets in finds it to be one.
    @Test(arguments: [
        ("k ${secret:x}", "k ${secret:x}"), ("$${secret:x}", "$${secret:x}"), ("${a.k}", "$${secret:x}"),
        ("$${a} ${a.k} ${secret:y}", "$${a} $${secret:x} ${secret:y}"), ("$$${a}", "$$${a}"),
        ("$ {${a.k}", "$ {$${secret:x}"), ("$${${a.k}", "$${$${secret:x}"),
    ])
    func onlyTheDocumentNamesSecrets(_ template: String, _ field: String) async throws {
        let request = #"{"url": "https://x.example/", "headers": {"K": \#(JSON.string(template))}}"#
        let requests = try await run(flatMap(#"[{"k": "${secret:x}"}]"#, request)).requests
        #expect(requests.first?["headers"] == ["K": .string(field)])
    }

    /// A text of an item may complete no reference of the document.
    @Test func anItemBeforeASecretDoesNotEndWithADollar() async throws {
        let request = #"{"url": "https://x.example/", "headers": {"K": "${a}${secret:x}"}}"#
        await #expect(throws: StreamError.self) { try await run(flatMap(#"["$"]"#, request)) }
        #expect(try await run(flatMap(#"["b"]"#, request)).requests.first?["headers"] == ["K": "b${secret:x}"])
    }

    /// A name is not computed, not empty, and closed, in all places where a document names secrets.
    @Test(arguments: ["${secret:${a}}", "${secret:}", "${secret:a b}", "${secret:x", "Bearer ${secret:{a}}"])
    func aSecretHasAName(_ reference: String) throws {
        let text = JSON.string(reference)
        let rest = #""url": "https://x.example/", "headers": {"K": \#(text)}"#
        let signature = #"{"header": "X", "algorithm": "sha256", "secret": \#(text)}"#
        for parts in [
            #""source": {"request": {\#(rest)}}"#, #""source": {"events": {\#(rest)}}"#,
            #""source": {"poll": {"seconds": 1, \#(rest)}}"#,
            #""source": {"webhook": {"name": "w", "auth": {"hmac": \#(signature)}}}"#,
            #""source": {"never": {}}, "sinks": [{"id": "p", "post": {\#(rest)}}]"#,
        ] {
            let document = #"{"parameters": {"a": "k"}, \#(parts)}"#
            let errors = #expect(throws: JSONErrors.self) { try StreamDocument(parsing: document).flow() }
            #expect(errors?.errors.first?.message.contains("secret") == true, "\(document) \(errors as Any)")
        }
    }

    @Test(arguments: [
        (#"{"request": "https://x.example/${a"}"#, "an expression is not closed"),
        (#"{"request": "${'https://x.example/'}"}"#, "a URL begins with http:// or https://, before any expression"),
        (#"{"request": "https://x.example/${nobody}"}"#, "nobody"),
        (#"{"request": {"url": "https://x.example/", "as": "text"}}"#, "\"text\" is not allowed here"),
    ])
    func mistakesAreErrorsOfTheDocument(_ source: String, _ message: String) throws {
        let errors = #expect(throws: JSONErrors.self) { try StreamDocument(parsing: #"{"source": \#(source)}"#).flow() }
        #expect(errors?.errors.first?.message.contains(message) == true, "\(String(describing: errors))")
    }

    /// At every point at which a run may be killed, with or without a later checkpoint, no response that was stored is
    /// requested again, and each item has its response once.
    @Test func storedResponsesAreNotRequestedAgain() async throws {
        let text = #"""
            {"source": {"values": [1, 2, 3, 4, 5, 6]}, "operators": [
                {"flatMap": {"to": {"request": "https://x.example/${a}"}, "concurrency": 2, "expression": "a * 10 + x"}}
            ]}
            """#
        let document = try StreamDocument(parsing: text)
        let calls = Locked<[String]>([])
        var host = StreamHost()
        host.register("request", hasPositions: true) { arguments, inlet in
            if inlet.position != nil { return }
            calls.withLock { $0.append(arguments["url"]?.string ?? "") }
            try await inlet.send(7, at: "1")
        }
        let expected: [JSON] = [17, 27, 37, 47, 57, 67]
        for kept in 0...14 {
            for isSaved in [false, true] {
                calls.withLock { $0 = [] }
                let clock = TestClock()
                let journal = Locked<[StreamInput]>([])
                var begin = 0
                let run = try LiveRun(
                    document,
                    journal: { input in journal.withLock { $0.append(input) } },
                    host: host,
                    clock: clock
                )
                var values: [JSON] = []
                var checkpoint: StreamCheckpoint?
                while let event = try await run.next(), !event.isLast {
                    values.append(contentsOf: [event.value].compactMap(\.self))
                    // A checkpoint in the middle, after which the journal begins.
                    if isSaved, values.count == 2, checkpoint == nil {
                        checkpoint = try StreamCheckpoint(parsing: await run.checkpoint().text)
                        begin = journal.withLock { $0.count }
                    }
                }
                #expect(values.sorted { ($0.int ?? 0) < ($1.int ?? 0) } == expected)
                let all = journal.withLock { $0 }
                let inputs = Array(all[begin..<min(all.count, max(begin, kept))])
                let answered = Set((all[..<begin] + inputs).filter { $0.item[0]?.string == "value" }.map(\.source))
                calls.withLock { $0 = [] }
                let other =
                    if let checkpoint {
                        try LiveRun(document, from: checkpoint, replaying: inputs, host: host, clock: clock)
                    } else { try LiveRun(document, replaying: inputs, host: host, clock: clock) }
                var rest: [JSON] = []
                while let event = try await other.next(), !event.isLast {
                    rest.append(contentsOf: [event.value].compactMap(\.self))
                }
                let whole = Array(checkpoint == nil ? [] : values.prefix(2)) + rest
                #expect(whole.sorted { ($0.int ?? 0) < ($1.int ?? 0) } == expected, "\(kept) \(isSaved)")
                #expect(calls.withLock { $0.count } == 6 - answered.count, "\(kept) \(isSaved)")
            }
        }
    }
}
