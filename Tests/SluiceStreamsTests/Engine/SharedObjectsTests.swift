import Testing

@testable import SluiceStreams

@Suite struct SharedObjectsTests {
    final class Object {}

    @Test func onePartAToken() {
        var objects = SharedObjects()
        let (a, b) = (Token(), Token())
        let object = objects.object(a) { Object() }
        #expect(objects.object(a) { Object() } === object)
        #expect(objects.object(b) { Object() } !== object)
    }

    /// Parts whose token nobody keeps are swept out; the others stay.
    @Test func partsThatNobodyAsksForGo() {
        var objects = SharedObjects()
        let kept = (0..<100).map { _ in Token() }
        let first = kept.map { token in objects.object(token) { Object() } }
        for _ in 0..<10_000 { _ = objects.object(Token()) { Object() } }
        #expect(objects.count < 1000)
        for (token, object) in zip(kept, first) { #expect(objects.object(token) { Object() } === object) }
    }
}
