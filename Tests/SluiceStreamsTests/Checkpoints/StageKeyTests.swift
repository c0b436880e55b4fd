import SluiceJSON
import Testing

@testable import SluiceStreams

/// The keys of stages in what is saved.
struct StageKeyTests {
    private func keys(_ ids: [String?]) -> [String] {
        StageKey.keys(
            of: ids.map { id in
                var item = Operator.share
                item.id = id
                return item
            }
        )
    }

    @Test func anIdOfItsOwnIsTheKey() {
        #expect(keys(["a", nil, "b"]) == ["a", "operators[1]", "b"])
    }

    @Test func idsThatSeveralHaveAreNone() {
        #expect(keys(["a", "a", "b"]) == ["operators[0]", "operators[1]", "b"])
    }

    @Test func noKeyIsThereTwice() {
        #expect(keys(["source", "operators[0]", nil]) == ["operators[0]'", "operators[0]", "operators[2]"])
    }
}
