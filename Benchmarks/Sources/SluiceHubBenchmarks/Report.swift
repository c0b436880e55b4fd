import Foundation

/// The measurements of both servers, by name, round by round.
struct Report {
    private var names: [String] = []
    private var rounds: [String: [(hub: Double, bare: Double)]] = [:]

    mutating func add(_ name: String, hub: Double, bare: Double) {
        if rounds[name] == nil { names.append(name) }
        rounds[name, default: []].append((hub, bare))
    }

    /// Writes the medians. Both of a round had the same machine, so that the median of their ratios varies less than the
    /// ratio of the medians.
    func show(_ title: String) {
        print("\n" + columns(title, "hub", "bare", "hub / bare"))
        for name in names {
            let rounds = rounds[name] ?? []
            let (hub, bare) = (median(rounds.map(\.hub)), median(rounds.map(\.bare)))
            let ratio = median(rounds.map { $0.hub / $0.bare })
            print(columns(name, format(hub), format(bare), String(format: "%.2f", ratio)))
        }
    }

    /// The median of the ratios of the hub to the bare server.
    func ratio(_ name: String) -> Double { median((rounds[name] ?? []).map { $0.hub / $0.bare }) }

    private func format(_ value: Double) -> String { String(format: value < 100 ? "%.1f" : "%.0f", value) }
}
