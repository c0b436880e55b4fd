import Foundation
import Testing

@testable import SluiceFilters

@Suite struct ExponentialWeightTests {
    /// On both sides of where the series ends, 2⁻¹⁰ of the span.
    @Test(arguments: [0, 1, 1000, 500_000, 976_562, 976_563, 2_000_000, 1_000_000_000, 20_000_000_000])
    func isTheExponential(_ age: Int64) {
        let expected = exp(-Double(age) / 1e9)
        #expect(abs(exponentialWeight(age: age, span: 1e9) - expected) <= 0x1p-53)
    }

    @Test func withoutASpanThePastWeighsNothing() {
        #expect(exponentialWeight(age: 0, span: 0) == 0)
        #expect(exponentialWeight(age: 5, span: 0) == 0)
    }
}
