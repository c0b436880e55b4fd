import Foundation

/// The committed bounds: what `bin/bench --check` holds the measurements to.
struct Bounds: Codable {
    struct Bound: Codable {
        /// How many times as fast as the first peer at least.
        var ratio: Double
        /// How many allocations an operation makes at most.
        var allocations: Int?
    }

    /// By `GROUP/ROW/PEER`.
    var bounds: [String: Bound]

    static func read(_ path: String) throws -> Bounds {
        try JSONDecoder().decode(Bounds.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// What is wrong with a measurement, or nil.
    func complaint(_ key: String, ratio: Double, allocations: Int?) -> String? {
        guard let bound = bounds[key] else { return "\(key): no bound in the file" }
        if ratio < bound.ratio {
            return "\(key): \(text(ratio)) times the first peer's speed, the bound is \(text(bound.ratio))"
        }
        if let limit = bound.allocations, let allocations, allocations > limit {
            return "\(key): \(allocations) allocations, the bound is \(limit)"
        }
        return nil
    }
}

/// A number with two decimals.
func text(_ value: Double) -> String { String(format: "%.2f", value) }
