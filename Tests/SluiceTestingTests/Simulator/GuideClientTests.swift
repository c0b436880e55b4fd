import Foundation
import Sluice
import SluiceFilters
import SluiceTesting
import Testing

extension SimulationTests {
    /// The client that `docs/filters-guide.md` recommends, as the document that the guide shows, against the same client
    /// without one of its parts.
    @Suite struct GuideClientTests {
        /// In each scenario, the client is no worse than 0.95 of the best variant in the mean of ten seeds, and 0.9 with
        /// each seed. The guide shows the figures of this run.
        ///
        /// `SLUICE_WRITE_GUIDE=1` writes them into the guide.
        @Test(.enabled(if: ScenarioSeeds.isComplete, "bin/test scenarios runs it in release mode"))
        func theRecommendedClientWins() async throws {
            let guide = try GuidePage()
            let document = try guide.document()
            #expect(try StackDocument(parsing: document).lint() == [])
            let variants = GuideVariant.all(of: document)
            #expect(variants.count >= 6)
            var table = GuideTable(variants: variants.map(\.name))
            for scenario in GuideScenario.all {
                var shares: [[Double]] = []
                for variant in variants {
                    var row: [Double] = []
                    for seed in ScenarioSeeds.numbers {
                        let report = try await scenario.run(variant.document, seed: seed)
                        row.append(report.success(within: .seconds(1)))
                    }
                    shares.append(row)
                }
                let means = shares.map { $0.reduce(0, +) / Double($0.count) }
                let best = try #require(means.max())
                #expect(means[0] >= 0.95 * best, "\(scenario.name): \(means)")
                for seed in shares[0].indices {
                    let best = try #require(shares.map { $0[seed] }.max())
                    #expect(shares[0][seed] >= 0.9 * best, "\(scenario.name), seed \(seed + 1)")
                }
                table.add(scenario.name, means)
            }
            if ProcessInfo.processInfo.environment["SLUICE_WRITE_GUIDE"] != nil { try guide.write(table) }
            let shown = try GuidePage().table()
            #expect(table.agrees(with: shown), "the guide shows\n\(shown)\nthe simulator finds\n\(table.text)")
        }

        /// The example runs the same filters around its only endpoint.
        @Test func theExampleIsTheSameClient() throws {
            let guide = try StackDocument(parsing: GuidePage().document())
            let file = GuidePage.root.appending(path: "Examples/users-client/stack.json")
            let example = try StackDocument(parsing: String(contentsOf: file, encoding: .utf8))
            func lines(_ document: StackDocument) -> [String] {
                document.canonicalText.split(separator: "\n").map { line in
                    line.trimmingCharacters(in: .whitespaces.union([","]))
                }.filter { $0.hasPrefix("{\"id\"") || $0.hasPrefix("\"extra\"") }
            }
            #expect(lines(example) == lines(guide))
            #expect(lines(guide).count == 7)
        }
    }
}
