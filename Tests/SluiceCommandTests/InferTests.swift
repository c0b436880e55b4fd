#if Command
import Foundation
import SluiceJSON
import SluiceStreams
import SluiceTestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(30))) struct InferTests {
    private static let orders = #"""
        {
          "type": "object",
          "properties": {
            "id": {
              "type": "integer"
            },
            "price": {
              "type": "number"
            },
            "note": {
              "type": [
                "null",
                "string"
              ]
            }
          },
          "required": [
            "id",
            "price"
          ]
        }

        """#

    @Test(arguments: [
        #"{"id": 1, "price": 2, "note": null}"# + "\n" + #"{"id": 2, "price": 2.5, "note": "a"}"# + "\n\n"
            + #"{"id": 3, "price": 1}"#,
        #"[{"id": 1, "price": 2, "note": null}, {"id": 2, "price": 2.5, "note": "a"}, {"id": 3, "price": 1}]"#,
    ])
    func printsASchema(_ samples: String) async throws {
        let file = try TemporaryFile(samples)
        let outcome = try await Tool.sluice.run(["infer", file.path])
        #expect(outcome.output == Self.orders && outcome.errors == "" && outcome.status == 0)
        let piped = try await Tool.sluice.run(["infer", "-"], input: samples)
        #expect(piped.output == Self.orders)
        // A document accepts the printed schema.
        let document = #"{"item": \#(outcome.output), "source": {"values": [{"id": 1, "price": 2}]}}"#
        #expect(try StreamDocument(parsing: document).errors == nil)
    }

    @Test func anArrayMayBeOneItem() async throws {
        let file = try TemporaryFile("[1, 2]")
        let whole = try await Tool.sluice.run(["infer", "--whole", file.path])
        #expect(try JSON(parsing: whole.output) == ["type": "array", "items": ["type": "integer"]])
        let each = try await Tool.sluice.run(["infer", file.path])
        #expect(try JSON(parsing: each.output) == ["type": "integer"])
        let lines = try TemporaryFile("[1]\n[2.5]")
        let arrays = try await Tool.sluice.run(["infer", lines.path])
        #expect(try JSON(parsing: arrays.output) == ["type": "array", "items": ["type": "number"]])
    }

    @Test(
        arguments: [
            (
                ["infer", "-"], "", 65 as Int32,
                "<stdin>: error: contains no items\n  hint: give JSON lines, an array, or one value\n"
            ),
            (["infer", "-"], "{\"a\": 1}\n{\"a\": ", 65, "<stdin>:2:"),
            (["infer", "-"], "[]", 65, "<stdin>: error: contains no items"),
            (["infer", "/no/such/file"], "", 64, "/no/such/file: error: cannot be read: there is no such file\n"),
            (
                ["infer", "http://127.0.0.1:1/"], "", 64,
                "http://127.0.0.1:1/: error: the address is not on the list of what streams may reach: --allow 127.0.0.1:1 allows it\n"
            ),
            (["infer", "--allow", "127.0.0.1:1", "http://127.0.0.1:1/"], "", 69, "http://127.0.0.1:1/: error: "),
            (["infer", "--allow", "a b", "-"], "", 64, "Error: --allow"),
        ] as [([String], String, Int32, String)]
    )
    func everyFailureHasItsCode(_ arguments: [String], _ input: String, _ status: Int32, _ message: String) async throws
    {
        let outcome = try await Tool.sluice.run(arguments, input: input)
        #expect(outcome.status == status && outcome.output == "")
        #expect(outcome.errors.hasPrefix(message), "\(outcome.errors)")
    }

    /// A hub is an HTTP server with JSON answers.
    @Test func readsAnAddress() async throws {
        let folder = try ScratchFolder()
        let hub = try await ServedHub(store: folder.path + "/hub.sqlite")
        let outcome = try await Tool.sluice.run([
            "infer", "--allow", "127.0.0.1:\(hub.port)", "http://127.0.0.1:\(hub.port)/streams",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let schema = try ItemSchema(parsing: outcome.output)
        let missing = try await Tool.sluice.run([
            "infer", "--allow", "127.0.0.1:\(hub.port)", "http://127.0.0.1:\(hub.port)/streams/none",
        ])
        #expect(missing.status == 1)
        let url = try #require(URL(string: "http://127.0.0.1:\(hub.port)/streams"))
        let (data, _) = try await URLSession.shared.data(from: url)
        let answer = try JSON(parsing: Array(data))
        for item in answer.array ?? [answer] { #expect(schema.problem(with: item) == nil) }
    }
}
#endif
