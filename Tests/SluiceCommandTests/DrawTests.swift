#if Command
import Foundation
import SluiceTestSupport
import Testing

/// `sluice draw`, and the pictures of `sluice run`.
@Suite(.timeLimit(.minutes(30))) struct DrawTests {
    static let document = #"""
        {"name": "A <merge> & more", "source": {"merge": [{"marbles": {"text": "1-3|", "frame": 1}},
         {"marbles": {"text": "-2-4|", "frame": 1}}]}, "operators": [{"map": {"expression": "x * 10"}}]}
        """#

    @Test func aRowAStageAndTheSameBytes() async throws {
        let file = try TemporaryFile(Self.document)
        let picture = FileManager.default.temporaryDirectory.appending(path: "sluice-\(UUID().uuidString).svg")
        defer { try? FileManager.default.removeItem(at: picture) }
        let outcome = try await Tool.sluice.run(["draw", file.path, "-o", picture.path])
        #expect(outcome.status == 0)
        #expect(outcome.output == "" && outcome.errors == "")
        let svg = try String(contentsOf: picture, encoding: .utf8)
        #expect(svg.contains("<title>A &lt;merge&gt; &amp; more</title>"))
        #expect(svg.contains("x * 10"))
        let again = try await Tool.sluice.run(["draw", file.path, "-o", "-"])
        #expect(again.output == svg)
    }

    @Test func aDiagramAtTheEnd() async throws {
        let file = try TemporaryFile(Self.document)
        let outcome = try await Tool.sluice.run(["run", file.path, "--virtual", "--format", "marbles"])
        #expect(outcome.status == 0)
        #expect(outcome.output == "'10' '20' '30' '40'|\n")
    }

    @Test func aTunnelInAPipeHasNoEscapes() async throws {
        let file = try TemporaryFile(Self.document)
        let outcome = try await Tool.sluice.run(["run", file.path, "--virtual", "--format", "tunnel"])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("(10)") && !outcome.output.contains("\u{1B}"))
    }

    @Test func whereItCannotWrite() async throws {
        let file = try TemporaryFile(Self.document)
        let outcome = try await Tool.sluice.run(["draw", file.path, "-o", "/no/such/folder/a.svg"])
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("/no/such/folder/a.svg: error: cannot be written: "))
    }
}
#endif
