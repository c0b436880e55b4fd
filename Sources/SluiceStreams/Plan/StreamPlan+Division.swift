package import SluiceJSON

extension StreamPlan {
    /// The effects of a change of `partition` on what the partitions of a stream keep, where workers run it.
    ///
    /// ```swift
    /// func document(_ count: Int) throws -> StreamDocument {
    ///     try StreamDocument(parsing: """
    ///         {"partition": {"by": "x.user", "count": \(count)}, "source": {"never": {}},
    ///          "operators": [{"id": "sums", "groupBy": {"key": "x.user", "operators": [{"count": {}}]}}, {"count": {}}]}
    ///         """)
    /// }
    /// print(try StreamPlan(from: document(4), to: document(16)).division?.description ?? "")
    /// // divide partition: count 4 → 16
    /// // move   operators[0].groupBy (sums): each group goes to the partition of its key
    /// // reset  operators[1].count, in each partition: its state is not kept by the key of the partition
    /// ```
    public struct Division: Sendable, Hashable, Codable {
        /// The effect on one operator with state.
        public struct Stage: Sendable, Hashable, Codable {
            /// The name of the operator.
            public let name: String
            /// Its id, if it has one.
            public let id: String?
            /// Its path in the new document.
            public let path: String
            /// A Boolean value that indicates whether its groups move to the partitions of their keys. If not, it puts out what
            /// it holds, and begins without state in each new partition.
            public let isMoved: Bool
            /// The reason why its state does not move; `nil` if it does.
            public let reason: String?
        }

        /// The members of `partition` that differ.
        public let changes: [Change]
        /// The operators with state, in the order of the new document.
        public let stages: [Stage]

        /// A Boolean value that indicates whether no operator loses its state.
        public var keepsAll: Bool { stages.allSatisfy(\.isMoved) }
    }
}

extension StreamPlan.Division: CustomStringConvertible {
    /// The division as text: a line for the change, and one for each operator with state.
    public var description: String {
        let change = "divide partition: " + changes.map(\.description).joined(separator: ", ")
        return ([change] + stages.map(\.description)).joined(separator: "\n")
    }
}

extension StreamPlan.Division.Stage: CustomStringConvertible {
    /// The effect as text, such as `move   operators[1].groupBy (sums): each group goes to the partition of its key`.
    public var description: String {
        let place = path + (id.map { " (\($0))" } ?? "")
        return isMoved
            ? "move   \(place): each group goes to the partition of its key"
            : "reset  \(place), in each partition\(reason.map { ": \($0)" } ?? "")"
    }
}

extension StreamPlan.Division {
    /// Returns the effects of an edit; `nil` for one that does not change the division.
    init?(from old: StreamDocument, to new: StreamDocument, in library: StreamLibrary, _ given: [String: JSON] = [:]) {
        // As the workers divide: the values of parameters that the key names are a part of the division.
        let values = (old.partitionParameters, new.partitionParameters)
        let haveValuesChanged = old.partition != nil && new.partition != nil && values.0 != values.1
        guard old.partition != new.partition || haveValuesChanged else { return nil }
        var changes: [StreamPlan.Change] = []
        func compare(_ name: String, _ member: (StreamPartition) -> JSON) {
            let (was, now) = (old.partition.map(member), new.partition.map(member))
            if was != now { changes.append(StreamPlan.Change(parameter: name, old: was, new: now)) }
        }
        compare("by") { .string($0.by) }
        compare("count") { .int(Int64($0.count)) }
        if haveValuesChanged {
            func json(_ values: [String: JSON]?) -> JSON? {
                values.map { .object(JSON.Object($0.sorted { $0.key < $1.key })) }
            }
            changes.append(StreamPlan.Change(parameter: "parameters", old: json(values.0), new: json(values.1)))
        }
        let moving =
            haveValuesChanged ? nil : new.movingOperator(from: old.partition?.by, to: new.partition?.by)
        func reason(_ index: Int) -> String? {
            if index == moving?.index { return nil }
            if haveValuesChanged { return "the values that the key of the partition names change" }
            return new.reasonToReset(index, old.partition, new.partition)
        }
        let operators = new.pipeline.operators
        let stages = new.operatorsWithState(in: library, given).map { index in
            Stage(
                name: operators[index].name,
                id: operators[index].id,
                path: "operators[\(index)].\(operators[index].name)",
                isMoved: index == moving?.index,
                reason: reason(index)
            )
        }
        self.init(changes: changes, stages: stages)
    }
}

extension StreamDocument {
    /// The values of the parameters, if the key of the partition names some: they are a part of the division then.
    package var partitionParameters: [String: JSON]? { partition?.by.contains("${") ?? false ? parameters : nil }

    /// Returns the places of the operators that keep something from one item to the next.
    fileprivate func operatorsWithState(in library: StreamLibrary, _ given: [String: JSON]) -> [Int] {
        let operators = pipeline.operators
        var alone = pipeline
        alone.source = .named(NamedSource(.never))
        let document = StreamDocument(id: id, name: name, parameters: parameters, pipeline: alone)
        guard let run = try? StreamRun(document, in: library, parameters: given) else { return [] }
        run.advance(to: .zero)
        let children = run.savedStages
        return zip(operators.indices, StageKey.keys(of: operators)).compactMap { index, key in
            guard !operators[index].isDisabled, let node = children[key] else { return nil }
            return node.states.isEmpty && node.children.isEmpty && node.inner.isEmpty ? nil : index
        }
    }

    private func isExpression(_ index: Int, _ by: String?) -> Bool {
        guard let by, pipeline.operators[index].name == OperatorKind.groupBy.name,
            let key = pipeline.operators[index].text(of: "key")
        else { return false }
        return MovingOperator.canonical(key) == MovingOperator.canonical(by)
    }

    fileprivate func reasonToReset(_ index: Int, _ old: StreamPartition?, _ new: StreamPartition?) -> String {
        if let old, let new, MovingOperator.canonical(old.by) != MovingOperator.canonical(new.by) {
            return "the key of the partition changes"
        }
        guard isExpression(index, (new ?? old)?.by) else { return "its state is not kept by the key of the partition" }
        let before = pipeline.operators[..<index].firstIndex {
            !$0.isDisabled && !MovingOperator.passing.contains($0.name)
        }
        guard let before else { return "its groups refer to other documents" }
        let (name, id) = (pipeline.operators[before].name, pipeline.operators[before].id)
        return "operators[\(before)].\(name)\(id.map { " (\($0))" } ?? "") may change its items, or hold them"
    }
}
