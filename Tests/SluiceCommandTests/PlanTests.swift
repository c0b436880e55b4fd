#if Command
import SluiceTestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct PlanTests {
    @Test func aLineForEachStage() async throws {
        let old = try TemporaryFile(
            #"{"source": {"interval": {"seconds": 1}}, "operators": [{"id": "d", "delay": {"seconds": 1}}, {"count": {}}]}"#
        )
        let new = try TemporaryFile(
            #"{"source": {"interval": {"seconds": 1}}, "operators": [{"share": {}}, {"id": "d", "delay": {"seconds": 2}}]}"#
        )
        let outcome = try await Tool.sluice.run(["plan", old.path, new.path])
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        #expect(
            outcome.output == """
                keep   source.interval
                add    operators[0].share
                keep   operators[1].delay (d): seconds 1 → 2
                drop   operators[1].count

                """
        )
    }

    @Test func aChangeOfThePartitionsSaysWhatMoves() async throws {
        func file(_ count: Int) throws -> TemporaryFile {
            try TemporaryFile(
                #"""
                {"partition": {"by": "x.user", "count": \#(count)}, "source": {"never": {}},
                 "operators": [{"id": "sums", "groupBy": {"key": "x.user", "operators": [{"count": {}}]}}, {"count": {}}]}
                """#
            )
        }
        let (old, new) = (try file(4), try file(16))
        let outcome = try await Tool.sluice.run(["plan", old.path, new.path])
        #expect(
            outcome.output.hasSuffix(
                """
                divide partition: count 4 → 16
                move   operators[0].groupBy (sums): each group goes to the partition of its key
                reset  operators[1].count, in each partition: its state is not kept by the key of the partition

                """
            ),
            "\(outcome.output) \(outcome.errors)"
        )
    }

    @Test func aDocumentThatDoesNotCheck() async throws {
        let good = try TemporaryFile(#"{"source": {"never": {}}}"#)
        let bad = try TemporaryFile(#"{"source": {"neverr": {}}}"#)
        let outcome = try await Tool.sluice.run(["plan", good.path, bad.path])
        #expect(outcome.status == 65)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(#"\#(bad.path):1:13: error: source.neverr: unknown source "neverr""#))
    }

    @Test func aFileThatCannotBeRead() async throws {
        let good = try TemporaryFile(#"{"source": {"never": {}}}"#)
        #expect(try await Tool.sluice.run(["plan", good.path, "/no/such/file.json"]).status == 64)
    }
}
#endif
