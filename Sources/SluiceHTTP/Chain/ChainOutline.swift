#if HTTP
import SluiceFilters

/// The stages of a built chain in order, with their scopes.
struct ChainOutline: Sendable {
    struct Stage: Sendable {
        let name: StageName
        let scope: StageScope
        let lint: LintStage
    }

    var stages: [Stage]
    /// The reasons why the chain is refused; empty for a valid one.
    var faults: [String]

    /// Returns one line for each scope, with the stages that work per call, per hop, and per attempt, from the outside
    /// in.
    func picture(of codec: String) -> String {
        let lines = StageScope.allCases.compactMap { scope -> String? in
            var names = stages.filter { $0.scope == scope }.map(\.name.description)
            if scope == .call { names.insert(codec, at: 0) }
            guard !names.isEmpty else { return nil }
            let title = "per \(scope)"
            return title + String(repeating: " ", count: 13 - title.count) + names.joined(separator: " → ")
        }
        return lines.joined(separator: "\n")
    }
}

/// The error of a chain that was refused when it was built, since its stages contradict each other, or since it has no
/// stage with a name.
///
/// ```swift
/// do { _ = try URLChainBuilder<URL>().replace("retrie", with: StatusFilter()) } catch { print(error) }
/// // the chain has no stage 'retrie': it has status, redirects, body, transport
/// ```
public struct ChainOrderError: Error, Sendable, CustomStringConvertible {
    /// The reasons, each with the stages and the remedy.
    public let reasons: [String]

    /// The reasons.
    public var description: String { reasons.joined(separator: "; ") }
}
#endif
