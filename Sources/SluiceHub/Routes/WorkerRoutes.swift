#if Hub
import HTTPTypes
import Hummingbird
import SluiceJSON
import SluiceRuns

extension HubRoutes {
    /// The workers of the cluster that the hub shares its documents with.
    var workerOperations: [Operation] {
        [
            Operation(
                method: .get,
                path: "/workers",
                id: "listWorkers",
                role: .read,
                summary: "The workers of the cluster with their partitions; none of a hub that shares no documents",
                result: .json("Workers"),
                problems: [.serviceUnavailable],
                schemas: Self.workerSchemas
            ) { _, _ in
                .json(.array(try await settings.workers?.workers().map(\.json) ?? []))
            },
            drain("drainWorker", .put, "Has a worker give its partitions to the others, and take no more", true),
            drain("undrainWorker", .delete, "Has a worker that is drained take partitions again", false),
        ]
    }

    private func drain(
        _ id: String,
        _ method: HTTPRequest.Method,
        _ summary: String,
        _ isDraining: Bool
    ) -> Operation {
        Operation(
            method: method,
            path: "/workers/{worker}/drain",
            id: id,
            role: .run,
            summary: summary,
            status: .noContent,
            problems: [.notFound, .serviceUnavailable]
        ) { _, context in
            let worker = try context.parameter("worker")
            guard try await settings.workers?.drain(worker, isDraining) ?? false else {
                throw Problem(.notFound, "there is no worker '\(Problem.shown(worker))': GET /workers lists them")
            }
            return Response(status: .noContent)
        }
    }

    private static let workerSchemas: JSON.Object = {
        let (text, number): (JSON, JSON) = (["type": "string"], ["type": "integer", "minimum": 0])
        let partition: JSON = [
            "type": "object",
            "properties": [
                "stream": text, "generation": number, "partition": number, "state": text, "reason": text,
                "behind": number, "waiting": number, "isBlocked": ["type": "boolean"],
            ],
            "required": ["stream", "generation", "partition", "state"],
        ]
        let worker: JSON = [
            "type": "object",
            "properties": [
                "id": text, "group": text, "name": text, "since": ["type": "string", "format": "date-time"],
                "isDraining": ["type": "boolean"], "takeovers": number, "losses": number, "repeats": number,
                "partitions": ["type": "array", "items": partition],
            ],
            "required": ["id", "group", "name", "since", "isDraining", "partitions"],
        ]
        return ["Workers": ["type": "array", "items": worker]]
    }()
}

extension WorkerReport {
    /// The worker as the API shows it.
    fileprivate var json: JSON {
        var object: JSON.Object = [
            "id": .string(id), "group": .string(group), "name": .string(name),
            "since": .string(since.text),
            "isDraining": .bool(isDraining),
        ]
        if let counts {
            object["takeovers"] = .int(Int64(counts.takeovers))
            object["losses"] = .int(Int64(counts.losses))
            object["repeats"] = .int(Int64(counts.repeats))
        }
        object["partitions"] = .array(units.map(\.json))
        return .object(object)
    }
}

extension WorkerReport.Unit {
    fileprivate var json: JSON {
        var object: JSON.Object = [
            "stream": .string(unit.stream), "generation": .int(Int64(unit.generation)),
            "partition": .int(Int64(unit.partition)), "state": .string(state),
        ]
        object["reason"] = reason.map(JSON.string)
        object["behind"] = behind.map { .int(Int64($0)) }
        object["waiting"] = waiting.map { .int(Int64($0)) }
        object["isBlocked"] = isBlocked.map(JSON.bool)
        return .object(object)
    }
}
#endif
