import Testing

@testable import SluiceRuns

/// Tests of changes of sinks that overlap: runs make them outside of the actor that delivers.
@Suite struct OutputLedgerTests {
    private let ledger = OutputLedger()

    @Test func anOlderChangeRemovesNothing() throws {
        let first = try #require(ledger.hold("s", hasSinks: true))
        // The deliverer has stored the first change, and the run makes another one.
        let second = try #require(ledger.hold("s", hasSinks: true))
        #expect(!ledger.remove("s", at: first))
        #expect(ledger.isCurrent("s", second))
        #expect(ledger.contains("s"))
        #expect(ledger.remove("s", at: second))
        #expect(!ledger.contains("s"))
        #expect(!ledger.remove("s", at: second))
    }

    @Test func anOlderChangeLetsNoRunGoOn() throws {
        let first = try #require(ledger.hold("s", hasSinks: true))
        let second = try #require(ledger.hold("s", hasSinks: true))
        ledger.open("s", [], after: .start, at: first)
        #expect(!ledger.hasRoom("s"))
        ledger.open("s", [], after: .start, at: second)
        #expect(ledger.hasRoom("s"))
    }

    /// A stream that is removed and created again has changes of its own.
    @Test func aRemovedStreamKnowsNoChangeOfBefore() throws {
        let first = try #require(ledger.hold("s", hasSinks: true))
        ledger.remove("s")
        #expect(ledger.hold("s", hasSinks: false) == nil)
        let second = try #require(ledger.hold("s", hasSinks: true))
        #expect(first != second)
        ledger.open("s", [], after: .start, at: first)
        #expect(!ledger.remove("s", at: first))
        #expect(ledger.contains("s") && !ledger.hasRoom("s"))
    }
}
