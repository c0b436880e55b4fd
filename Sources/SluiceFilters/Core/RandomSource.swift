internal import Synchronization

/// A source of random numbers for filters, which can be seeded in tests, so that every number is known.
///
/// ```swift
/// let random = RandomSource(seed: 42)
/// let first = random.next()    // 13679457532755275413, always
/// let share = random.double()  // from 0 up to 1, without 1
/// ```
///
/// Copies share one sequence, and any number of threads may draw from it. It is not for secrets.
///
/// The generator is SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014): its
/// state only counts up, so that drawing is one atomic addition.
public struct RandomSource: RandomNumberGenerator, Sendable {
    /// The sequence that filters share by default, seeded from the operating system at its first use.
    public static let system = RandomSource(seed: .random(in: .min ... .max))

    private enum Kind {
        case seeded(State)
        case custom(@Sendable () -> UInt64)
    }

    private final class State: Sendable {
        let value: Atomic<UInt64>
        init(_ seed: UInt64) { value = Atomic(seed) }
    }

    private let kind: Kind

    /// Creates a sequence that is the same for the same seed.
    public init(seed: UInt64) { kind = .seeded(State(seed)) }

    /// Creates a source from a closure, which is called once for each number, on the thread that draws it.
    public init(_ next: @escaping @Sendable () -> UInt64) { kind = .custom(next) }

    /// Returns the next number, evenly distributed over all of `UInt64`.
    public func next() -> UInt64 {
        switch kind {
        case .seeded(let state):
            var z = state.value.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        case .custom(let next): return next()
        }
    }

    /// Returns the next number from 0 up to, but not including, 1, in steps of 2⁻⁵³.
    public func double() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns the next number from 0 up to, but not including, `bound`; 0 for a bound of 0.
    ///
    /// It draws one number, with a bias below `bound` ÷ 2⁶⁴.
    public func below(_ bound: UInt64) -> UInt64 { next().multipliedFullWidth(by: bound).high }
}
