#if Hub
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The effects of replacing a stored filter stack with another.
struct StackPlan: Sendable {
    let revision: Int
    /// The effects on its filters, wherever they run.
    let change: StackChange?
    let errors: [JSONError]
    let findings: [StackFinding]
    /// The streams that name it, with the errors that would keep them from running.
    let dependents: [(id: String, name: String?, errors: [JSONError])]

    var json: JSON {
        var object: JSON.Object = [
            "revision": .int(Int64(revision)), "errors": .array(errors.map(\.json)),
            "findings": .array(findings.map(\.json)),
        ]
        func names(_ names: [String]) -> JSON { .array(names.map { .string($0) }) }
        if let change {
            object["change"] = [
                "kept": names(change.kept), "reset": names(change.reset), "added": names(change.added),
                "dropped": names(change.dropped),
            ]
        }
        object["dependents"] = .array(
            dependents.map { dependent in
                var object: JSON.Object = [
                    "id": .string(dependent.id), "errors": .array(dependent.errors.map(\.json)),
                ]
                object["name"] = dependent.name.map(JSON.string)
                return .object(object)
            }
        )
        return .object(object)
    }
}

extension StreamHub {
    /// The heads of all stacks, in the order in which they came.
    var stackHeads: JSON { .array(set.all.filter(\.isStack).map(stackHead)) }

    /// Returns the entry of a stack in a list.
    func stackHead(_ document: HubDocument) -> JSON {
        var head: JSON.Object = ["id": .string(document.id)]
        head["name"] = document.stored.name.map(JSON.string)
        head["description"] = document.description.map(JSON.string)
        head["revision"] = .int(Int64(document.stored.revision))
        head["filters"] = document.stack.map { .string("\($0)") }
        let streams = set.graph.referrers(of: StreamDocument.stackReference(document.id))
        head["count"] = .int(Int64(streams.count))
        head["streams"] = .array(streams.sorted().prefix(Self.listedUsers).map { .string($0) })
        if !document.errors.isEmpty { head["errors"] = .array(document.errors.map(\.json)) }
        return .object(head)
    }

    /// The number of streams that the head of a stack lists.
    private static let listedUsers = 100

    /// Makes a stack that was stored the one that running sources name.
    func noteStack(_ document: HubDocument) {
        if document.isStack { around.settings.host.stacks.update(document.id, document.stack) }
    }

    /// Returns a Boolean value that indicates whether a stream names filter stacks.
    func namesStacks(_ id: String) -> Bool {
        set[id]?.references.contains { !set.graph.targets(of: $0).allSatisfy { set[$0]?.isStack == false } } ?? false
    }

    /// Returns what putting a stack in place of the stored one would do to its filters and to the streams that name it.
    func stackPlan(_ id: String, _ bytes: [UInt8]) async throws -> StackPlan {
        let old = try document(id, .stack)
        let revision = old.stored.revision
        let draft: DocumentDraft
        do {
            draft = try await compiler.perform(size: bytes.count) { [limits] in
                try DocumentDraft(bytes, id: id, limits, as: .stack)
            }
        } catch let error as JSONErrors {
            return StackPlan(revision: revision, change: nil, errors: error.errors, findings: [], dependents: [])
        }
        let change = try await checked([draft.change])
        let (effects, findings) = try await compiler.perform(size: bytes.count) {
            let running = try old.stack.map { try StackFilter<JSON, JSON>($0) }
            return (running?.plan(try draft.document.connectorStack()), draft.original.stackFindings)
        }
        return StackPlan(
            revision: revision,
            change: effects,
            errors: [],
            findings: findings,
            dependents: change.job.targets.filter { $0 != id }.map { other in
                (other, set[other]?.stored.name, change.checks[other]?.all ?? [])
            }
        )
    }

    /// Returns the likely mistakes of a document that is a filter stack; empty for a stream.
    func findings(_ bytes: [UInt8]) async throws -> [StackFinding] {
        // A stream has no filters of its own.
        guard String(decoding: bytes, as: UTF8.self).contains("\"filters\"") else { return [] }
        return try await compiler.perform(size: bytes.count) {
            (try? StreamDocument(reading: bytes))?.stackFindings ?? []
        }
    }
}

extension StackFinding {
    /// The finding as the hub's answers have it.
    var json: JSON {
        var object: JSON.Object = [
            "rule": .string(rule.rawValue), "message": .string("\(outer) around \(inner): \(reason)"),
        ]
        object["line"] = position.map { .int(Int64($0.line)) }
        object["column"] = position.map { .int(Int64($0.column)) }
        return .object(object)
    }
}
#endif
