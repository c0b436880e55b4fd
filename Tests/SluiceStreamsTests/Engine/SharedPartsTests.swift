import Testing

@testable import SluiceStreams

@Suite struct SharedPartsTests {
    final class Part {}

    @Test func onePartAToken() {
        var parts = SharedParts()
        let (a, b) = (Token(), Token())
        let part = parts.part(a) { Part() }
        #expect(parts.part(a) { Part() } === part)
        #expect(parts.part(b) { Part() } !== part)
    }

    /// Parts whose token nobody keeps are swept out; the others stay.
    @Test func partsThatNobodyAsksForGo() {
        var parts = SharedParts()
        let kept = (0..<100).map { _ in Token() }
        let first = kept.map { token in parts.part(token) { Part() } }
        for _ in 0..<10_000 { _ = parts.part(Token()) { Part() } }
        #expect(parts.count < 1000)
        for (token, part) in zip(kept, first) { #expect(parts.part(token) { Part() } === part) }
    }
}
