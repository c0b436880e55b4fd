#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Returns the remaining weight of a sample after a while: e^(-`age` / `span`), both in nanoseconds; 0 with a span of
/// 0.
func exponentialWeight(age: Int64, span: Double) -> Double {
    guard span > 0 else { return 0 }
    let x = Double(age) / span
    // For calls that are close together: the series in a third of the time, exact to the last bit (x⁵ ÷ 120 < 2⁻⁵⁶).
    if x < 0x1p-10 { return 1 - x * (1 - x * (1 / 2 - x * (1 / 6 - x / 24))) }
    return exp(-x)
}
