#if Hub
import HTTPTypes
import Hummingbird
import SluiceJSON
import SluiceRuns
import SluiceStreams

extension HubRoutes {
    /// The one run of each stream.
    var runOperations: [Operation] {
        [
            Operation(
                method: .get,
                path: "/streams/{id}/run",
                id: "readRun",
                role: .read,
                summary: "The run of a stream",
                result: .json("Run"),
                problems: [.notFound]
            ) { _, context in .json(try await hub.status(context.parameter("id"))) },
            act("start", "Begins a new run", continues: [], as: .start) {
                try await $0.start()
            },
            act(
                "resume",
                "Continues a run that is paused, or from its last checkpoint one that has failed or was stopped",
                continues: [.running, .paused, .restarting],
                as: .resume
            ) {
                try await $0.resume()
            },
            act("stop", "Ends the run") { await $0.stop() },
            act("pause", "Pauses the time of the run", as: .pause) { await $0.pause() },
            act(
                "step",
                "Moves to the next thing that is due, and pauses there",
                continues: [.running, .paused],
                as: .step
            ) {
                try await $0.step()
            },
            act("reset", "Discards the run: its state and its output", leavesRun: false, as: .reset) {
                try await $0.reset()
            },
            Operation(
                method: .post,
                path: "/streams/{id}/speed",
                id: "changeSpeed",
                role: .run,
                summary: "Changes how fast time goes",
                body: "Speed",
                result: .json("Run"),
                problems: [.notFound, .conflict, .contentTooLarge, .unprocessableContent, .serviceUnavailable]
            ) { request, context in
                let id = try context.parameter("id")
                guard let speed = try await request.json(upTo: settings.limits.bodySize)["speed"]?.double,
                    Pace.speeds.contains(speed)
                else {
                    throw Problem(.unprocessableContent, "a speed is {\"speed\": N}, with N from 0.01 to 100")
                }
                if let answer = try await hub.forwardRun(.speed(factor: speed), of: id) { return .json(answer) }
                let run = try await hub.run(id)
                return .json(
                    await run.command {
                        await run.change(speed: speed)
                        await run.save()
                        return await run.json
                    }
                )
            },
            Operation(
                method: .get,
                path: "/streams/{id}/output",
                id: "readOutput",
                role: .read,
                summary: "The stored outputs of a stream",
                parameters: [
                    .init(
                        name: "run",
                        location: .query,
                        text: "the run whose outputs are wanted; without it and \"after\", the newest run",
                        schema: ["type": "integer", "minimum": 1]
                    ),
                    .init(
                        name: "after",
                        location: .query,
                        text: "the \"cursor\" of the last output that was read, or \"start\"; reading continues into "
                            + "the next run",
                        schema: ["type": "string", "examples": ["start", "2-17"]]
                    ),
                    .init(
                        name: "limit",
                        location: .query,
                        text: "how much, up to 1000",
                        schema: ["type": "integer", "minimum": 1, "maximum": 1000]
                    ),
                ],
                result: .json("Output"),
                problems: [.notFound, .gone]
            ) { request, context in
                let document = try await hub.document(context.parameter("id"))
                let outputs = try await hub.outputs(
                    of: document.id,
                    run: try number("run", 1...Int.max, request),
                    after: try request.uri.queryParameters["after"].map { try OutputCursor(String($0)) },
                    limit: try number("limit", 1...1000, request) ?? 1000
                )
                return .json(.array(outputs.map(\.json)))
            },
        ]
    }

    /// A number of the query.
    private func number(_ name: String, _ range: ClosedRange<Int>, _ request: Request) throws -> Int? {
        guard let text = request.uri.queryParameters[name[...]] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let most = range.upperBound == .max ? "" : " to \(range.upperBound)"
            throw Problem(.badRequest, "\(name) is a whole number from \(range.lowerBound)\(most)")
        }
        return number
    }

    /// Returns the operation of a request to a run. When it is answered, the run is stored: a kill loses no request
    /// that was acknowledged.
    ///
    /// - Parameters:
    ///   - states: for a command that makes the stream run, the states of a run that it continues; in others it begins one,
    ///     and needs a document that can run. `nil` for a command that does neither.
    ///   - leavesRun: a Boolean value that indicates whether there is a run to store afterward.
    ///   - command: the command that a member performs that runs the stream; `nil` for one that is refused there.
    private func act(
        _ verb: String,
        _ summary: String,
        continues states: Set<RunState>? = nil,
        leavesRun: Bool = true,
        as command: LeasedCommand? = nil,
        _ act: @escaping @Sendable (RunSupervisor) async throws -> Void
    ) -> Operation {
        Operation(
            method: .post,
            path: "/streams/{id}/\(verb)",
            id: "\(verb)Run",
            role: .run,
            summary: summary,
            result: .json("Run"),
            problems: [.notFound, .conflict, .unprocessableContent, .serviceUnavailable, .insufficientStorage]
        ) { _, context in
            let id = try context.parameter("id")
            if let command, let answer = try await hub.forwardRun(command, of: id) { return .json(answer) }
            if verb == "stop" { try await hub.refuseStop(of: id) }
            // A run that cannot be stored is not begun.
            if states != nil { try await hub.around.store.check() }
            let run =
                if let states { try await hub.runnable(id, continuing: states) } else { try await hub.run(id) }
            // The answer, too, waits for no instant that takes long.
            return .json(
                try await run.command {
                    try await act(run)
                    if leavesRun { await run.save() }
                    return await run.json
                }
            )
        }
    }
}

extension StoredOutput {
    fileprivate var json: JSON {
        var object: JSON.Object = [
            "cursor": .string(OutputCursor(self).description), "run": .int(Int64(run)),
            "sequence": .int(Int64(sequence)), "time": .number(time),
        ]
        switch kind {
        case .value: object["value"] = (try? JSON(parsing: text)) ?? .string(text)
        case .completed: object["completed"] = true
        case .failed: object["error"] = .string(text)
        case .reported: object["reported"] = .string(text)
        }
        return .object(object)
    }
}
#endif
