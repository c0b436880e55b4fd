import SluiceStreams
import Testing

@Suite struct NeverTests {
    @Test func isNative() { #expect(text(Flow<Int>.never.virtualEvents()) == []) }
}
