extension Int64 {
    /// Returns the sum, limited to what an integer can hold.
    func advanced(byClamping other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}

extension Duration {
    /// The duration in nanoseconds, limited to what an integer can hold.
    var inNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        return product.advanced(byClamping: attoseconds / 1_000_000_000)
    }
}
