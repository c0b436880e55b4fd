#if Command
import Foundation
import SluiceClient
import SluiceJSON
import SluiceTestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct PushPullTests {
    let folder: ScratchFolder
    let hub: ServedHub

    init() async throws {
        folder = try ScratchFolder()
        hub = try await ServedHub(store: folder.path + "/hub.sqlite")
    }

    private func push(_ arguments: String...) async throws -> Tool.Outcome {
        try await Tool.sluice.run(["push", hub.address] + arguments)
    }

    private func pull(_ arguments: String...) async throws -> Tool.Outcome {
        try await Tool.sluice.run(["pull", hub.address] + arguments)
    }

    private static func document(_ seconds: Int) -> String {
        """
        {
          "id": "a",
          "name": "Ticks",
          "source": {"interval": {"seconds": \(seconds)}}
        }

        """
    }

    @Test func createsAndReplacesWhatTheFileNames() async throws {
        let file = try folder.write(Self.document(1), "a.json")
        let created = try await push(file)
        #expect(created.output == "\(file): created a, revision 1\n")
        #expect(created.errors == "" && created.status == 0)
        #expect(try folder.text("a.json").contains(#"{\#n  "revision": 1, "id": "a",\#n"#))
        let edited = try folder.text("a.json").replacing(#""seconds": 1"#, with: #""seconds": 2"#)
        _ = try folder.write(edited, "a.json")
        #expect(try await push(file).output == "\(file): replaced a, revision 2\n")
        #expect(try folder.text("a.json") == edited.replacing(#""revision": 1"#, with: #""revision": 2"#))
        let history = try await hub.client.history(of: "a")
        #expect(history.map(\.revision) == [2, 1])
        #expect(history.first?.author == NSUserName())
    }

    @Test func conflictShowsBothAndThePlan() async throws {
        let mine = try folder.write(Self.document(1), "mine.json")
        _ = try await push(mine)
        let theirs = try folder.write(
            try folder.text("mine.json").replacing(#""seconds": 1"#, with: #""seconds": 5"#),
            "theirs.json"
        )
        _ = try await push(theirs)
        let edit = try folder.text("mine.json").replacing(#""seconds": 1"#, with: #""seconds": 9"#)
        _ = try folder.write(edit, "mine.json")
        let conflict = try await push(mine)
        #expect(conflict.status == 1 && conflict.output == "")
        #expect(
            conflict.errors == """
                \(mine): error: the hub has revision 2, and this is an edit of revision 1
                  hint: pull it and make the edit there, or --force
                  revision 2, as the hub has it:
                    {
                      "revision": 1, "id": "a",
                      "name": "Ticks",
                      "source": {"interval": {"seconds": 5}}
                    }
                  this:
                    {
                      "revision": 1, "id": "a",
                      "name": "Ticks",
                      "source": {"interval": {"seconds": 9}}
                    }
                  what this would do:
                    keep   source.interval: seconds 5 → 9

                """
        )
        #expect(try folder.text("mine.json") == edit)
        #expect(try await hub.client.document("a").revision == 2)
        let forced = try await push(mine, "--force", "--no-update")
        #expect(forced.output == "\(mine): replaced a, revision 3\n")
        #expect(try folder.text("mine.json") == edit)
        // What the hub has already is no conflict.
        #expect(try await push(mine, "--no-update").output == "\(mine): unchanged a, revision 3\n")
    }

    @Test func fileThatNamesNoRevisionIsNoEdit() async throws {
        let file = try folder.write(Self.document(1), "a.json")
        _ = try await push(file)
        let other = try folder.write(Self.document(2), "b.json")
        let outcome = try await push(other)
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.hasPrefix(
                "\(other): error: the hub has revision 1, and this is no edit of it: it names no revision\n"
            )
        )
    }

    @Test func documentWithoutAnIdIsGivenOne() async throws {
        let file = try folder.write(#"{"source": {"never": {}}}"#, "a.json")
        let outcome = try await push(file)
        let id = try #require(outcome.output.split(separator: " ").dropFirst(2).first?.dropLast())
        #expect(try folder.text("a.json") == #"{"id": "\#(id)", "revision": 1, "source": {"never": {}}}"#)
        let piped = try await Tool.sluice.run(["push", hub.address, "-"], input: #"{"source": {"never": {}}}"#)
        #expect(piped.output.hasPrefix("<stdin>: created "))
    }

    @Test func errorsHaveTheirPlaces() async throws {
        let bad = try folder.write(#"{"source": {"interval": {"seconds": -1}}}"#, "bad.json")
        let broken = try folder.write("{", "broken.json")
        let unknown = try folder.write(#"{"id": "u", "source": {"intrval": 1}}"#, "unknown.json")
        let good = try folder.write(Self.document(1), "good.json")
        let outcome = try await push(bad, broken, folder.path + "/none.json", unknown, good)
        #expect(outcome.status == 65)
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines.first?.hasPrefix("\(bad):1:37: error: source.interval.seconds: ") == true)
        #expect(lines.contains { $0.hasPrefix("\(broken):1:2: error: ") })
        #expect(lines.contains { $0.hasPrefix("\(folder.path)/none.json: error: cannot be read") })
        #expect(lines.contains { $0.hasPrefix("\(unknown):1:24: warning: source.intrval: unknown source") })
        #expect(outcome.lines == ["\(unknown): created u, revision 1", "\(good): created a, revision 1"])
    }

    @Test func pullsOneToTheOutput() async throws {
        let file = try folder.write(Self.document(1), "a.json")
        _ = try await push(file)
        let text = try folder.text("a.json")
        #expect(try await pull("a").output == text)
        #expect(try await pull("Ticks").output == text)
        let none = try await pull("nobody")
        #expect(none.status == 1 && none.errors == "pull: error: the hub has no stream or stack 'nobody'\n")
        let several = try await pull()
        #expect(several.status == 64)
        #expect(several.errors == "pull: error: 13 documents do not fit into one output\n  hint: -o FOLDER\n")
        _ = try await push(try folder.write(#"{"id": "b", "name": "Ticks", "source": {"never": {}}}"#, "b.json"))
        let ambiguous = try await pull("Ticks")
        #expect(ambiguous.status == 64)
        #expect(ambiguous.errors == "pull: error: 2 documents are named 'Ticks'\n  hint: one of a, b\n")
    }

    @Test func filesThatWereEditedAreLeftAsTheyAre() async throws {
        let client = try hub.client
        try await client.create(Self.document(1), id: "a")
        let output = folder.path + "/out"
        #expect(try await pull("a", "-o", output).output == "\(output)/ticks.json: revision 1\n")
        #expect(try await pull("a", "-o", output).output == "\(output)/ticks.json: unchanged, revision 1\n")
        try await client.replace("a", with: Self.document(2), at: 1)
        #expect(try await pull("a", "-o", output).output == "\(output)/ticks.json: revision 2\n")
        let edit = try folder.text("out/ticks.json").replacing("2}", with: "7}")
        _ = try folder.write(edit, "out/ticks.json")
        try await client.replace("a", with: Self.document(3), at: 2)
        let refused = try await pull("a", "-o", output)
        #expect(refused.status == 1)
        #expect(
            refused.errors
                == "\(output)/ticks.json: error: was edited since revision 2 was pulled\n  hint: push it, or --force\n"
        )
        #expect(try folder.text("out/ticks.json") == edit)
        #expect(try await pull("a", "-o", output, "--force").output == "\(output)/ticks.json: revision 3\n")
        _ = try folder.write("something else", "out/ticks.json")
        let other = try await pull("a", "-o", output)
        #expect(other.errors.hasPrefix("\(output)/ticks.json: error: is another document\n"))
    }

    @Test func hostileNamesStayInTheFolder() async throws {
        let client = try hub.client
        let names = [
            "../../etc/passwd", "/etc/passwd", "..", "", "a\u{0}b", "CON/..", String(repeating: "é", count: 400),
            "Ticks", "ticks",
        ]
        for (index, name) in names.enumerated() {
            var document: JSON.Object = ["source": ["never": [:]]]
            document["name"] = .string(name)
            try await client.create(JSON.object(document).description, id: "s\(index)")
        }
        let outcome = try await pull("-o", folder.path + "/deep/out")
        #expect(outcome.status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().first == "deep")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/deep") == ["out"])
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/deep/out")
        #expect(files.count == names.count + 12)
        #expect(
            Set(files).isSuperset(of: [
                "etc-passwd.json", "etc-passwd-2.json", "stream.json", "ticks.json", "ticks-2.json",
            ])
        )
        #expect(files.allSatisfy { $0.utf8.count <= 120 })
    }

    /// Stacks are pushed and pulled as streams are, each to its own routes.
    @Test func stacksGoAlong() async throws {
        let stack =
            #"{"id": "patient", "name": "Patient", "filters": [{"retry": {"maxAttempts": 5}}, {"timeout": {"seconds": 5}}]}"#
        let stream =
            #"{"id": "price", "source": {"poll": {"url": "http://127.0.0.1:9/", "seconds": 60, "stack": "patient"}}}"#
        let files = [try folder.write(stack, "patient.json"), try folder.write(stream, "price.json")]
        let created = try await push(files[0], files[1])
        #expect(
            created.lines == ["\(files[0]): created patient, revision 1", "\(files[1]): created price, revision 1"]
        )
        #expect(created.errors == "" && created.status == 0)
        let stored = try folder.text("patient.json")
        #expect(stored.hasPrefix(#"{"revision": 1, "id": "patient""#))
        let edited = stored.replacing(#""seconds": 5"#, with: #""seconds": 9"#)
        _ = try folder.write(edited, "patient.json")
        #expect(try await push(files[0]).output == "\(files[0]): replaced patient, revision 2\n")
        // An edit of an old revision shows both and the effects on the filters.
        let old = try folder.write(stored.replacing(#""seconds": 5"#, with: #""seconds": 7"#), "old.json")
        let conflict = try await push(old)
        #expect(conflict.status == 1)
        #expect(conflict.errors.hasPrefix("\(old): error: the hub has revision 2, and this is an edit of revision 1\n"))
        #expect(conflict.errors.contains("  what this would do:\n    reset: timeout; kept: retry\n"))
        #expect(try await push(old, "--force").output == "\(old): replaced patient, revision 3\n")
        // What is pulled can be checked, edited, and pushed.
        let output = folder.path + "/out"
        let pulled = try await pull("Patient", "price", "-o", output)
        #expect(pulled.lines == ["\(output)/patient.json: revision 3", "\(output)/price.json: revision 1"])
        #expect(try await Tool.sluice.run(["check", "\(output)/patient.json", "\(output)/price.json"]).errors == "")
        #expect(try await pull("patient", "-o", output).output == "\(output)/patient.json: unchanged, revision 3\n")
        #expect(try await push("\(output)/patient.json").output.hasSuffix("replaced patient, revision 4\n"))
        #expect(try await pull().errors.hasPrefix("pull: error: 14 documents do not fit"))
    }

    /// A stack is refused with the reason of the hub, not as a conflict of revisions.
    @Test func refusedStacksSayWhy() async throws {
        let poll = #"{"poll": {"url": "http://127.0.0.1:9/", "seconds": 60}}"#
        let sink = #"{"id": "out", "post": {"url": "http://127.0.0.1:9/", "stack": "s"}}"#
        let file = try folder.write(#"{"id": "s", "filters": [{"timeout": {"seconds": 5}}]}"#, "s.json")
        let stream = try folder.write(#"{"id": "a", "source": \#(poll), "sinks": [\#(sink)]}"#, "a.json")
        #expect(try await push(file, stream).status == 0)
        let hedge = try folder.text("s.json").replacing(#"{"timeout": {"seconds": 5}}"#, with: #"{"hedge": {}}"#)
        _ = try folder.write(hedge, "s.json")
        let broken = try await push(file)
        #expect(broken.status != 0 && broken.output == "")
        #expect(broken.errors.contains("streams that refer to it would no longer run"))
        #expect(broken.errors.contains("a: 1:") && broken.errors.contains("\"hedge\" can't be used here"))
        // The id of a stack is not one for a stream.
        let taken = try folder.write(#"{"id": "s", "source": \#(poll)}"#, "taken.json")
        #expect(try await push(taken).errors.contains("'s' is the id of a stack: choose another"))
        let invalid = try folder.write(#"{"id": "i", "filters": [{"timeout": {"seconds": -1}}]}"#, "invalid.json")
        let refusal = try await push(invalid)
        #expect(refusal.status == 65 && refusal.errors.hasPrefix("\(invalid):1:"))
    }

    @Test func hubThatIsNotThere() async throws {
        for command in ["push", "pull"] {
            let arguments = command == "push" ? [try folder.write(Self.document(1), "a.json")] : []
            let outcome = try await Tool.sluice.run([command, "http://127.0.0.1:9"] + arguments)
            #expect(outcome.status == 69)
            #expect(outcome.errors.hasSuffix("error: the connection was refused\n"))
        }
    }
}
#endif
