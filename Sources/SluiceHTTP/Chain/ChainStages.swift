#if HTTP
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceJSON

/// The stages of a chain between its codec and its transport, as they were added, and the order that results from their
/// declarations.
struct ChainStages: Sendable {
    /// A function that puts a stage around the stages inside it.
    fileprivate typealias Wrap =
        @Sendable (AnyNode<TransportRequest, TransportResponse>) -> AnyNode<
            TransportRequest, TransportResponse
        >

    /// The position that a stage was given.
    fileprivate enum Placement {
        /// The position that follows from its name, or from its declaration if the name is not known.
        case byName
        case outside(of: StageName)
        case inside(of: StageName)
    }

    fileprivate struct Stage: Sendable {
        let name: StageName
        let place: Placement
        let declaration: StageDeclaration
        let role: StackRole
        let lint: LintStage
        let wrap: Wrap

        init(_ name: StageName, _ filter: some SimpleFilter<TransportRequest, TransportResponse>, _ place: Placement) {
            self.name = name
            self.place = place
            declaration = StageDeclaration(of: filter)
            role = (filter as? any StackStage)?.stackRole ?? .other
            lint = LintStage(name.description, of: filter)
            wrap = { AnyNode(filter.andThen($0)) }
        }

        private init(_ stage: Stage, _ place: Placement) {
            name = stage.name
            self.place = place
            (declaration, role, lint, wrap) = (stage.declaration, stage.role, stage.lint, stage.wrap)
        }

        func placed(_ place: Placement) -> Stage { Stage(self, place) }

        /// The scope and the rank among all stages that were not positioned by hand.
        var position: (scope: StageScope, rank: Int) {
            if let place = name.place { return place }
            guard let scope = declaration.scope else { return (.call, -1) }
            let name = declaration.position ?? ChainStages.name(of: role)
            if let place = name?.place, place.scope == scope { return place }
            // Around its whole scope.
            return (scope, (StageName.ordered.first { $0.scope == scope }?.place?.rank ?? 0) - 1)
        }
    }

    /// The stages in the order in which they were added.
    private var added: [Stage] = []

    // MARK: - Adding

    /// Adds a filter at the position that follows from its name and its declaration, replacing a filter with the same
    /// name.
    mutating func set(_ name: StageName, _ filter: some SimpleFilter<TransportRequest, TransportResponse>) {
        if let index = index(of: name) {
            added[index] = Stage(name, filter, added[index].place)
        } else {
            added.append(Stage(name, filter, .byName))
        }
    }

    /// Removes a stage; stages that were positioned next to it stay where they are.
    mutating func remove(_ name: StageName) throws(ChainOrderError) {
        remove(name, at: try found(name))
    }

    private mutating func remove(_ name: StageName, at index: Int) {
        let place = added[index].place
        added.remove(at: index)
        for index in added.indices {
            switch added[index].place {
            case .outside(of: name), .inside(of: name):
                if case .byName = place { continue }
                added[index] = added[index].placed(place)
            default: continue
            }
        }
    }

    /// Removes a stage if the chain contains it.
    mutating func removeIfThere(_ name: StageName) {
        if let index = index(of: name) { remove(name, at: index) }
    }

    /// Replaces the filter of a stage.
    mutating func replace(
        _ name: StageName,
        with filter: some SimpleFilter<TransportRequest, TransportResponse>
    ) throws(ChainOrderError) {
        let index = try found(name)
        added[index] = Stage(name, filter, added[index].place)
    }

    /// Puts a filter immediately outside or inside a stage.
    mutating func insert(
        _ new: StageName,
        _ filter: some SimpleFilter<TransportRequest, TransportResponse>,
        outside: Bool,
        of name: StageName
    ) throws(ChainOrderError) {
        if name != .transport || !outside { _ = try found(name) }
        added.append(Stage(new, filter, outside ? .outside(of: name) : .inside(of: name)))
    }

    private func index(of name: StageName) -> Int? { added.firstIndex { $0.name == name } }

    /// Returns the index of a stage.
    ///
    /// - Throws: ``ChainOrderError`` if the chain has no such stage.
    private func found(_ name: StageName) throws(ChainOrderError) -> Int {
        if let index = index(of: name) { return index }
        let names = ordered().outline.map(\.name.description)
        let hint = nearestName(to: name.description, among: names).map { "; did you mean '\($0)'?" } ?? ""
        throw ChainOrderError(
            reasons: ["the chain has no stage '\(name)': it has \(names.joined(separator: ", "))\(hint)"]
        )
    }

    // MARK: - Order

    /// A chain with its stages in order, outermost first, and the reasons why it is refused.
    struct Ordered {
        fileprivate let stages: [Stage]
        /// The stages with their scopes, followed by the transport.
        let outline: [ChainOutline.Stage]
        /// The reasons why the chain is refused; empty for a valid one.
        let faults: [String]

        /// Returns a transport with the stages around it.
        func wrapping(
            _ transport: AnyNode<TransportRequest, TransportResponse>
        ) -> AnyNode<TransportRequest, TransportResponse> {
            let sharing = stages.contains { $0.role == .cache || $0.role == .singleFlight }
            let innermost = AnyNode(TransportGate(notesFields: sharing).andThen(transport))
            return stages.reversed().reduce(innermost) { node, stage in stage.wrap(node) }
        }
    }

    /// Orders the stages.
    func ordered() -> Ordered {
        var faults: [String] = []
        var stages = sorted(&faults)
        place(in: &stages)
        var scope = StageScope.call
        var outline = stages.map { stage in
            scope = max(scope, stage.declaration.scope ?? stage.name.place?.scope ?? scope)
            return ChainOutline.Stage(name: stage.name, scope: scope, lint: stage.lint)
        }
        outline.append(
            ChainOutline.Stage(name: .transport, scope: .attempt, lint: LintStage("transport", of: Transporting()))
        )
        for stage in stages {
            guard case .byName = stage.place, let named = stage.name.place?.scope,
                let declared = stage.declaration.scope, named != declared
            else { continue }
            faults.append(
                "the stage '\(stage.name)' works per \(named), and its filter per \(declared): use another name for it"
            )
        }
        for finding in LintStage.findings(about: outline.map(\.lint)) where finding.rule.isContradiction {
            faults.append("\(finding)")
        }
        for (index, outer) in stages.enumerated() {
            guard case .named(let needs) = outer.declaration.needs else { continue }
            for inner in stages[(index + 1)...] {
                guard case .named(let adds) = inner.declaration.adds, !adds.isDisjoint(with: needs) else { continue }
                let names = adds.intersection(needs).map(\.rawName).sorted().joined(separator: ", ")
                faults.append("the stage '\(outer.name)' needs \(names), which '\(inner.name)' adds further inside")
            }
        }
        return Ordered(stages: stages, outline: outline, faults: faults)
    }

    /// Returns the stages that were not positioned by hand, ordered by scope; within a scope, a stage that adds a field
    /// is outside those that need it; otherwise by the rank of the names.
    private func sorted(_ faults: inout [String]) -> [Stage] {
        var rest = added.filter { if case .byName = $0.place { true } else { false } }
        let identities = added.compactMap(\.declaration.identity)
        if !identities.isEmpty, index(of: .identity) == nil {
            rest.append(Stage(.identity, IdentityFilter(identities), .byName))
        }
        // Of several stages with the same rank, those with known names are further inside.
        rest = rest.enumerated().sorted { one, other in
            let (a, b) = (one.element.position, other.element.position)
            let (n, m) = (one.element.name.place == nil ? 0 : 1, other.element.name.place == nil ? 0 : 1)
            return (a.scope.rawValue, a.rank, n, one.offset) < (b.scope.rawValue, b.rank, m, other.offset)
        }.map(\.element)
        var stages: [Stage] = []
        while !rest.isEmpty {
            let index = rest.indices.first { index in
                let stage = rest[index]
                return !rest.indices.contains { other in
                    other != index && rest[other].position.scope <= stage.position.scope
                        && (rest[other].position.scope < stage.position.scope
                            || rest[other].declaration.adds.isNeeded(by: stage.declaration.needs))
                }
            }
            if index == nil {
                let names = rest.map { "'\($0.name)'" }.joined(separator: ", ")
                faults.append("each of the stages \(names) needs a field that another of them adds")
            }
            stages.append(rest.remove(at: index ?? 0))
        }
        return stages
    }

    /// Inserts the stages that were positioned by hand next to their neighbors.
    private func place(in stages: inout [Stage]) {
        for stage in added {
            let (anchor, isOutside): (StageName, Bool)
            switch stage.place {
            case .byName: continue
            case .outside(let name): (anchor, isOutside) = (name, true)
            case .inside(let name): (anchor, isOutside) = (name, false)
            }
            if let index = stages.firstIndex(where: { $0.name == anchor }) {
                stages.insert(stage, at: isOutside ? index : index + 1)
            } else if let place = anchor.place {
                // Next to the position of a stage that has been removed.
                let index = stages.firstIndex { ($0.name.place?.rank ?? -1) > place.rank } ?? stages.endIndex
                stages.insert(stage, at: index)
            } else {
                stages.insert(stage, at: 0)
            }
        }
    }

    /// Returns the name of the stages with a role, for filters with custom names.
    private static func name(of role: StackRole) -> StageName? {
        switch role {
        case .fallback: .fallback
        case .redirects: .redirects
        case .refresh: .refresh
        case .credentials: .token
        case .answerFields: .headers
        case .cache: .cache
        case .singleFlight: .deduplication
        case .retry: .retry
        case .hedge: .hedge
        case .attemptFields: .attemptHeaders
        case .signature: .signature
        case .wireStats: .metrics
        case .concurrency, .rate, .shedding: .limits
        case .breaker: .breaker
        default: nil
        }
    }

    /// A placeholder for the transport.
    private struct Transporting: CustomStringConvertible {
        var description: String { "transport" }
    }
}

/// A stage that stops requests of canceled tasks before they reach a transport, and notes on answers the request fields
/// sent on the wire if outer stages need them.
private struct TransportGate: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    let notesFields: Bool

    nonisolated(nonsending) func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        try Task.checkCancellation()
        guard notesFields else { return try await next.process(request) }
        var response = try await next.process(request)
        response.noteSent(request)
        return response
    }

    var description: String { "TransportGate" }
}
#endif
