import Foundation

/// The committed bounds that `bin/bench --check` compares the measurements with.
struct Bounds: Codable {
    struct Bound: Codable {
        /// The least ratio of the first peer's time to ours.
        var ratio: Double
        /// The largest number of allocations of an operation.
        var allocations: Int?
    }

    /// The share of a measured ratio that becomes its bound.
    static let share = 0.9

    /// The bounds by `GROUP/ROW/PEER`.
    var bounds: [String: Bound]

    static func read(_ path: String) throws -> Bounds {
        try JSONDecoder().decode(Bounds.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Writes the bounds with sorted keys, so that a change shows as the lines that it changes.
    func write(_ path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
    }

    /// Sets the bound of a measurement to nine tenths of its ratio, with two significant digits at least.
    ///
    /// The bound of the allocations, which are counted and not measured, stays as it is; a new row gets what it makes.
    mutating func set(_ key: String, ratio: Double, allocations: Int?) {
        let bound = ratio * Self.share
        let digits = max(2, 1 - Int(log10(bound).rounded(.down)))
        let unit = pow(10, Double(digits))
        bounds[key] = Bound(
            ratio: (bound * unit).rounded(.down) / unit,
            allocations: bounds[key]?.allocations ?? allocations
        )
    }

    /// Returns the bound that a measurement breaks, or nil.
    ///
    /// - Parameter margin: the part of the bound that noise may take.
    func complaint(_ key: String, ratio: Double, allocations: Int?, margin: Double = 0) -> String? {
        guard let bound = bounds[key] else { return "\(key): there is no bound; bin/bench --set-bounds sets it" }
        if !(bound.ratio > 0) { return "\(key): the bound \(bound.ratio) can't be broken" }
        if ratio < bound.ratio * (1 - margin) {
            return "\(key): \(text(ratio)) times the first peer's speed, the bound is \(text(bound.ratio))"
        }
        if let limit = bound.allocations, let allocations, allocations > limit {
            return "\(key): \(allocations) allocations, the bound is \(limit)"
        }
        return nil
    }
}

/// Returns a number with two decimals, or with three digits if it is small.
func text(_ value: Double) -> String { String(format: value < 0.1 ? "%.3g" : "%.2f", value) }
