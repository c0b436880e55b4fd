#if Command
import Foundation
import SluiceTestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct CheckTests {
    @Test func rightDocumentSaysNothing() async throws {
        let file = try TemporaryFile(try RunTests.serialStreamA)
        let outcome = try await Tool.sluice.run(["check", file.path])
        #expect(outcome.status == 0)
        #expect(outcome.output == "" && outcome.errors == "")
    }

    /// A stack in the folder of a document is found by its id, and is checked itself.
    @Test func stacksAreChecked() async throws {
        let folder = try TemporaryFolder()
        func write(_ name: String, _ text: String) throws -> String { try folder.write(name, Array(text.utf8)) }
        let stack = try write("s.json", #"{"id": "s", "filters": [{"retry": {}}, {"hedge": {}}, {"breaker": {}}]}"#)
        let poll = #"{"source": {"poll": {"url": "http://a.example/", "seconds": 1, "stack": "s"}}}"#
        #expect(try await Tool.sluice.run(["check", try write("a.json", poll)]).status == 0)
        let warned = try await Tool.sluice.run(["check", stack])
        #expect(warned.status == 0 && warned.errors.contains("s.json:1:55: warning: hedge around breaker"), "\(warned)")
        let events = #"{"source": {"events": {"url": "http://a.example/", "stack": "s"}}, "operators": []}"#
        let refused = try await Tool.sluice.run(["check", try write("b.json", events)])
        #expect(refused.status == 65 && refused.errors.contains(#"the stack "s" can't be used here: filters[1].hedge"#))
        let wrong = try write("w.json", #"{"id": "w", "filters": [{"timeout": {"seconds": 1}}, {"retry": {}}]}"#)
        let told = try await Tool.sluice.run(["check", wrong])
        #expect(
            told.status == 65 && told.errors.contains("filters[1].retry: \"retry\" must be the first filter"),
            "\(told)"
        )
    }

    @Test func everyErrorWithItsPlace() async throws {
        let file = try TemporaryFile(
            """
            {
              "stream": [
                {"value": 1, "operators": [{"dely": {"seconds": 1}}]},
                {"operators": [{"delay": {"seconds": -1}}]}
              ]
            }
            """
        )
        let outcome = try await Tool.sluice.run(["check", file.path])
        #expect(outcome.status == 65)
        #expect(outcome.output == "")
        #expect(
            outcome.errors == """
                \(file.path):3:33: error: stream[0].operators[0].dely: unknown operator "dely"
                  hint: did you mean "delay"?
                \(file.path):4:5: error: stream[1]: the key "value" is missing
                \(file.path):4:42: error: stream[1].operators[0].delay.seconds: expected a number of seconds from 0 to 1000000000, found -1

                """
        )
    }

    /// The document's own errors, those of its expressions, and those of its references, in the order of the text.
    @Test func errorsOfReferencesAreReportedWithAllOthers() async throws {
        let file = try TemporaryFile(
            """
            {"source": {"merge": [{"ref": "nobody"}, {"values": [1]}]},
             "operators": [{"filter": {"expression": "x >"}}, {"dely": {"seconds": 1}},
                           {"merge": {"source": {"ref": "no one"}}}, {"prefix": {"count": -1}}]}
            """
        )
        let outcome = try await Tool.sluice.run(["check", file.path])
        #expect(outcome.status == 65)
        let errors = outcome.errors.split(separator: "\n").filter { !$0.hasPrefix("  hint: ") }
        #expect(
            errors.map { $0.dropFirst(file.path.count + 1).prefix { $0 != " " } }
                == ["1:32:", "2:46:", "2:52:", "3:46:", "3:79:"],
            "\(outcome.errors)"
        )
        #expect(errors.first == #"\#(file.path):1:32: error: source.merge[0].ref: there is no stream "nobody""#)
    }

    /// A reference to a document with errors says so, whether the document was given before or after.
    @Test(arguments: [false, true])
    func referenceToADocumentWithErrors(_ isReversed: Bool) async throws {
        let bad = try TemporaryFile(#"{"id": "bad", "source": {"ref": "nobody"}, "operators": [{"dely": {}}]}"#)
        let file = try TemporaryFile(#"{"id": "a", "source": {"ref": "bad"}, "operators": [{"dely": {}}]}"#)
        let paths = [bad.path, file.path]
        let outcome = try await Tool.sluice.run(["check"] + (isReversed ? paths.reversed() : paths))
        #expect(outcome.status == 65)
        for start in [
            #"\#(bad.path):1:34: error: source.ref: there is no stream "nobody""#,
            #"\#(bad.path):1:59: error: operators[0].dely: unknown operator "dely""#,
            #"\#(file.path):1:32: error: source.ref: the stream "bad" has errors: "#,
            #"\#(file.path):1:54: error: operators[0].dely: unknown operator "dely""#,
        ] {
            #expect(outcome.errors.contains(start), "\(start) in \(outcome.errors)")
        }
    }

    @Test func oneBadFileDoesNotHideTheOthers() async throws {
        let (good, bad) = (try TemporaryFile(try RunTests.serialStreamA), try TemporaryFile("{]"))
        let outcome = try await Tool.sluice.run(["check", "/no/such/file.json", bad.path, good.path])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("/no/such/file.json: error: cannot be read: there is no such file\n"))
        #expect(outcome.errors.contains("\(bad.path):1:2: error: "))
    }

    @Test func fileThatCannotBeRead() async throws {
        for path in ["/no/such/file.json", "/", "/proc/self/mem"] {
            for command in ["check", "run"] {
                let outcome = try await Tool.sluice.run([command, path])
                #expect(outcome.status == 64, "\(path)")
                #expect(outcome.errors.hasPrefix("\(path): error: cannot be read: "))
                #expect(outcome.errors.split(separator: "\n").count == 1)
            }
        }
    }

    @Test(arguments: [
        "", "{", "null", "[]", "\u{FEFF}{}", #"{"stream": 1}"#, #"{"stream": [{"value": 1e999}]}"#,
        #"{"stream": [{"value": 1}], "stream": []}"#, String(repeating: "[", count: 100_000),
    ])
    func wrongDocumentIsAnErrorOfEveryCommand(_ text: String) async throws {
        let file = try TemporaryFile(text)
        for arguments in [["check", file.path], ["run", file.path], ["run", file.path, "--virtual"]] {
            let outcome = try await Tool.sluice.run(arguments)
            #expect(outcome.status == 65)
            #expect(outcome.output == "")
            #expect(outcome.errors.hasPrefix("\(file.path):1:"))
        }
    }

    @Test func bytesThatAreNoText() async throws {
        let file = try TemporaryFile("")
        let text = Data(#"{"stream": [], "name": ""#.utf8) + [0xFF, 0xFE] + Data(#""}"#.utf8)
        try text.write(to: URL(fileURLWithPath: file.path))
        let outcome = try await Tool.sluice.run(["check", file.path])
        #expect(outcome.status == 65)
        #expect(outcome.errors.hasPrefix("\(file.path):1:25: error: "), "\(outcome.errors)")
    }

    @Test func everyKindOfFileIsRead() async throws {
        let file = try TemporaryFile(try RunTests.serialStreamA)
        let shell = Tool(URL(fileURLWithPath: "/bin/bash"))
        let script = #"cat "$1" | "$0" check /dev/stdin && "$0" check <(cat "$1") && "$0" check - < "$1""#
        let outcome = try await shell.run(["-c", script, Tool.products.path + "/sluice", file.path])
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
    }

    @Test func inputThatIsTooLongIsNotHeld() async throws {
        let shell = Tool(URL(fileURLWithPath: "/bin/bash"))
        let outcome = try await shell.run(
            ["-c", #"head -c 100000000 /dev/zero 2>/dev/null | "$0" check -"#, Tool.products.path + "/sluice"]
        )
        #expect(outcome.status == 65)
        #expect(outcome.errors == "<stdin>: error: is longer than 67108864 bytes\n")
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
    func outputThatCannotBeWritten() async throws {
        let shell = Tool(URL(fileURLWithPath: "/bin/bash"))
        let outcome = try await shell.run(
            ["-c", #""$0" run - --virtual > /dev/full"#, Tool.products.path + "/sluice"],
            input: RunTests.serialStreamA
        )
        #expect(outcome.status == 70)
        #expect(outcome.errors == "<stdout>: error: cannot be written: No space left on device\n")
    }

    @Test(arguments: [
        ["run"], ["check"], ["run", "-", "--until", "-1"], ["run", "-", "--until", "nan"],
        ["run", "-", "--take", "-1"],
        ["nothing"], ["call", "GET"], ["call", "GET", "example.com"], ["call", "GET", "ftp://example.com"],
        ["call", "G T", "http://127.0.0.1"], ["call", "GET", "http://127.0.0.1", "--retry", "-1"],
        ["call", "GET", "http://127.0.0.1", "--timeout", "0"], ["call", "GET", "http://127.0.0.1", "--header", "x"],
        ["serve", "--host", "0.0.0.0"], ["serve", "--port", "70000"], ["serve", "--port", "x"],
        ["serve", "--store", ""],
    ])
    func wrongUsage(_ arguments: [String]) async throws {
        let outcome = try await Tool.sluice.run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("Error: "))
    }
}
#endif
