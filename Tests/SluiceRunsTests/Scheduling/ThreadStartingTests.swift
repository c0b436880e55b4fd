import Foundation
import Sluice
import Testing

@testable import SluiceRuns

@Suite struct ThreadStartingTests {
    /// Foundation on Linux lost the names of some threads when many were started.
    @Test(.timeLimit(.minutes(10))) func eachThreadHasItsName() async {
        let names = Locked<[String?]>([])
        for _ in 0..<500 {
            Thread.start("sluice.test") {
                let name = Thread.current.name
                names.withLock { $0.append(name) }
            }
        }
        while names.withLock({ $0.count }) < 500, !Task.isCancelled { await Task.yield() }
        #expect(names.withLock { $0.allSatisfy { $0 == "sluice.test" } })
    }
}
