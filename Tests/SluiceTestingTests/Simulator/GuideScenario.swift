import Foundation
import Sluice
import SluiceFilters
import SluiceTesting

/// A situation in which the client of the guide is tried: four endpoints that do five calls at a time, each in 100 ms on
/// average, so 200 calls a second together.
struct GuideScenario: Sendable {
    let name: String
    var callsPerSecond = 100.0
    let endpoints: [SimulatedEndpoint]

    /// Twice the load that the endpoints can bear, one endpoint that takes two seconds, one that never responds, ten
    /// seconds in which every call fails, and ten seconds in which every other call fails.
    static let all: [GuideScenario] = [
        GuideScenario(name: "overload", callsPerSecond: 400, endpoints: endpoints()),
        GuideScenario(name: "a slow endpoint", endpoints: endpoints(last: .constant(.seconds(2)))),
        GuideScenario(name: "a hanging endpoint", endpoints: endpoints(last: .constant(.seconds(3600)))),
        GuideScenario(name: "an outage and the return", endpoints: endpoints(failing: 1)),
        GuideScenario(name: "an error burst", endpoints: endpoints(failing: 0.5)),
    ]

    /// - Parameters:
    ///   - last: The latency of the last endpoint from the fifth second to the 25th.
    ///   - failing: The share of calls that fail at every endpoint, from the fifth second to the fifteenth.
    private static func endpoints(last: Latency? = nil, failing: Double = 0) -> [SimulatedEndpoint] {
        let usual = Latency.exponential(mean: .milliseconds(100))
        return ["a", "b", "c", "d"].map { name in
            let changed = last.map { usual.replaced(by: $0, during: .seconds(5)..<(.seconds(25))) } ?? usual
            return SimulatedEndpoint(name, latency: name == "d" ? changed : usual, capacity: 5) { time in
                (Duration.seconds(5)..<(.seconds(15))).contains(time) ? failing : 0
            }
        }
    }

    /// Simulates thirty seconds of a stack document.
    func run(_ document: String, seed: UInt64) async throws -> SimulationReport {
        let document = try StackDocument(parsing: document)
        return try await Simulation(
            of: .seconds(30),
            arrivals: .poisson(perSecond: callsPerSecond),
            endpoints: endpoints,
            seed: seed
        ).run { world in
            let nodes = Dictionary(uniqueKeysWithValues: world.endpoints.map { ("\($0)", AnyNode($0)) })
            let bindings = StackBindings<Int, String>(clock: world.clock, random: world.random)
            return try StackNode(document, bindings: bindings) { name in
                nodes[name] ?? AnyNode { _ in throw SimulatedError(endpoint: name) }
            }
        }
    }
}

/// The client of the guide without one of its parts.
struct GuideVariant {
    let name: String
    let document: String

    /// Returns the client, and the client without each filter that has an id but the total timeout, and without budgets.
    static func all(of document: String) -> [GuideVariant] {
        var variants = [GuideVariant(name: "the client", document: document)]
        for match in document.matches(of: #/\{"id": "(\w+)", /#) where match.output.1 != "total" {
            let text = document.replacingCharacters(
                in: match.range,
                with: #"{"id": "\#(match.output.1)", "disabled": true, "#
            )
            variants.append(GuideVariant(name: "without \(match.output.1)", document: text))
        }
        let text = document.replacingOccurrences(of: #", "budget": "extra""#, with: "")
        return variants + [GuideVariant(name: "without budget", document: text)]
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        var copy = self
        copy.replaceSubrange(range, with: text)
        return copy
    }
}
