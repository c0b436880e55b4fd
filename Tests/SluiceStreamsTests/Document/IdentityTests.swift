import Testing

@testable import SluiceStreams

@Suite struct IdentityTests {
    @Test func everyOperatorGetsAnIdThatNoneHas() throws {
        let document = try StreamDocument(
            parsing: #"""
                {"source": {"source": {"merge": [{"ref": "a"}, {"source": {"ref": "b"}, "operators": [{"filter": {"expression": "true"}}]}]},
                            "operators": [{"filter": {"expression": "x > 1"}}]},
                 "operators": [{"id": "filter", "filter": {"expression": "x > 2"}}, {"take": {"count": 1}}, {"take": {"count": 2}},
                               {"flatMap": {"to": {"source": {"ref": "a"}, "operators": [{"delay": {"seconds": 1}}]}}}]}
                """#
        )
        let pipeline = document.pipeline.identified()
        var ids: [String] = []
        pipeline.forEachOperator { ids.append($0.id ?? "none") }
        #expect(Set(ids) == ["filter", "filter-2", "filter-3", "prefix", "prefix-2", "flatMap", "delay"])
        #expect(ids.count == Set(ids).count)
        #expect(pipeline.identified() == pipeline)
        #expect(document.pipeline.references == ["a", "b"])
    }
}
