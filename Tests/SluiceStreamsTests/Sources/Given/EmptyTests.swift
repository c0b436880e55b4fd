import SluiceStreams
import Testing

@Suite struct EmptyTests {
    @Test func isNative() { #expect(text(Flow<Int>.empty.virtualEvents()) == ["0|"]) }
}
