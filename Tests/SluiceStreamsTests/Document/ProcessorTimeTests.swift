import Dispatch
import Testing

@testable import SluiceStreams

@Suite struct ProcessorTimeTests {
    /// A thread that waits uses no time, however much another one uses meanwhile.
    @Test func theWorkOfOtherThreadsIsNotCounted() async {
        let used = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let done = DispatchSemaphore(value: 0)
                let begun = ProcessorTime.ofThread
                DispatchQueue(label: "other").async {
                    let begun = ProcessorTime.ofThread
                    while ProcessorTime.ofThread - begun < 50_000_000 {}
                    done.signal()
                }
                done.wait()
                continuation.resume(returning: ProcessorTime.ofThread - begun)
            }
        }
        #expect(used < 25_000_000)
    }
}
