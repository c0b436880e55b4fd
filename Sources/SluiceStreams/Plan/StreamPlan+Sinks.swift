import SluiceJSON

extension StreamPlan {
    /// Returns the effects of an edit on the sinks of a document: a sink with the id of another keeps its cursor.
    static func steps(from old: [StreamSink], to new: [StreamSink]) -> [Step] {
        let before = places(of: old)
        let after = places(of: new)
        var steps = new.indices.map { index -> Step in
            let sink = new[index]
            let path = "sinks[\(index)].\(sink.name)"
            guard let id = after.ids[index], let match = before.places[id] else {
                return Step(.added, sink, old: nil, new: path, reason: "begins at \(sink.start)")
            }
            return Step(
                .kept,
                sink,
                old: "sinks[\(match)].\(old[match].name)",
                new: path,
                changes: changes(from: old[match], to: sink),
                reason: "keeps its cursor"
            )
        }
        for (index, sink) in old.enumerated() where before.ids[index].map({ after.places[$0] == nil }) ?? true {
            steps.append(Step(.dropped, sink, old: "sinks[\(index)].\(sink.name)", new: nil))
        }
        return steps
    }

    /// Returns the id of each sink, and the index of each id; sinks without one are numbered by their names. Of sinks with
    /// the same id, only the first one has it.
    private static func places(of sinks: [StreamSink]) -> (ids: [String?], places: [String: Int]) {
        var (ids, places): ([String?], [String: Int]) = ([], [:])
        for (index, sink) in sinks.identified(besides: []).enumerated() {
            guard let id = sink.id, places[id] == nil else {
                ids.append(nil)
                continue
            }
            places[id] = index
            ids.append(id)
        }
        return (ids, places)
    }

    private static func changes(from old: StreamSink, to new: StreamSink) -> [Change] {
        var changes: [Change] = []
        if old.name != new.name {
            changes.append(Change(parameter: "kind", old: .string(old.name), new: .string(new.name)))
        }
        if old.isDisabled != new.isDisabled {
            changes.append(Change(parameter: "disabled", old: .bool(old.isDisabled), new: .bool(new.isDisabled)))
        }
        let known = (new.kind?.parameters ?? []).map(\.name)
        let names = known + (old.kind?.parameters ?? []).map(\.name).filter { !known.contains($0) }
        for name in names where old.arguments[name] != new.arguments[name] {
            changes.append(Change(parameter: name, old: old.value(name), new: new.value(name)))
        }
        return changes
    }
}

extension StreamPlan.Step {
    fileprivate init(
        _ action: StreamPlan.Action,
        _ sink: StreamSink,
        old: String?,
        new: String?,
        changes: [StreamPlan.Change] = [],
        reason: String? = nil
    ) {
        self.init(
            action: action,
            name: sink.name,
            id: sink.id,
            oldPath: old,
            newPath: new,
            isMoved: false,
            changes: changes,
            reason: reason,
            notes: []
        )
    }
}

extension StreamSink {
    /// The text of its argument `from`.
    fileprivate var start: String { value("from")?.string ?? "now" }

    /// Returns the plain argument of a parameter.
    fileprivate func value(_ name: String) -> JSON? {
        guard case .json(let json) = arguments[name] else { return nil }
        return json
    }
}
