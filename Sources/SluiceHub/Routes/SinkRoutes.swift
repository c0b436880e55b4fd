#if Hub
import Foundation
import HTTPTypes
import Hummingbird
import SluiceJSON
import SluiceRuns
import SluiceStreams

extension HubRoutes {
    /// The sinks of streams.
    var sinkOperations: [Operation] {
        [
            Operation(
                method: .get,
                path: "/streams/{id}/sinks",
                id: "listSinks",
                role: .read,
                summary: "The sinks of a stream, and what they have delivered",
                result: .json("Sinks"),
                problems: [.notFound]
            ) { _, context in .json(try await hub.sinks(of: context.parameter("id"))) },
            act("retry", "Attempts a delivery that has failed again now, with the same request", { .retry(sink: $0) }) {
                try await $0.retry($1, of: $2)
            },
            act(
                "skip",
                "Moves a delivery that has failed to the dead letters, and continues after it",
                { .skip(sink: $0) }
            ) {
                try await $0.skip($1, of: $2)
            },
        ]
    }

    private func act(
        _ verb: String,
        _ summary: String,
        _ command: @escaping @Sendable (_ sink: String) -> LeasedCommand,
        _ act: @escaping @Sendable (Deliveries, _ sink: String, _ stream: String) async throws -> Bool?
    ) -> Operation {
        Operation(
            method: .post,
            path: "/streams/{id}/sinks/{sink}/\(verb)",
            id: "\(verb)Sink",
            role: .run,
            summary: summary,
            result: .json("Sinks"),
            problems: [.notFound, .conflict, .serviceUnavailable, .insufficientStorage]
        ) { _, context in
            let (id, sink) = (try context.parameter("id"), try context.parameter("sink"))
            return .json(try await hub.command(command(sink), on: sink, of: id) { try await act($0, sink, id) })
        }
    }

    /// The deliveries that were given up.
    var deadLetterOperations: [Operation] {
        [
            Operation(
                method: .get,
                path: "/streams/{id}/dead-letters",
                id: "listDeadLetters",
                role: .read,
                summary: "The deliveries that were given up",
                parameters: [
                    .init(name: "sink", location: .query, text: "only letters of the sink with this id"),
                    .init(
                        name: "after",
                        location: .query,
                        text: "the number of the last letter that was read",
                        schema: ["type": "integer", "minimum": 0]
                    ),
                ],
                result: .json("DeadLetters"),
                problems: [.notFound]
            ) { request, context in
                let id = try context.parameter("id")
                let query = request.uri.queryParameters
                guard let after = query["after"].map({ Int($0) }) ?? 0, after >= 0 else {
                    throw Problem(.badRequest, "\"after\" must be the number of a dead letter")
                }
                let store = try await hub.letters(of: id)
                let sink = query["sink"].map { String($0) }
                let letters = try await store.deadLetters(of: id, sink: sink, after: after, limit: 100)
                return .json(.array(letters.map(\.json)))
            },
            Operation(
                method: .get,
                path: "/streams/{id}/dead-letters/{letter}",
                id: "readDeadLetter",
                role: .read,
                summary: "A delivery that was given up",
                result: .json("DeadLetter"),
                problems: [.notFound]
            ) { _, context in .json(try await letter(context).json) },
            Operation(
                method: .post,
                path: "/streams/{id}/dead-letters/{letter}/resend",
                id: "resendDeadLetter",
                role: .run,
                summary: "Sends a dead letter again, with a new request; it is removed when it is delivered",
                result: .json("DeadLetter"),
                problems: [.notFound, .conflict, .unprocessableContent, .serviceUnavailable, .insufficientStorage]
            ) { _, context in
                let letter = try await letter(context)
                if let outcome = try await hub.forward(.resend(letter: letter.number), of: letter.stream) {
                    guard outcome == .letter(isFound: true) else { throw Problem.noSink(letter.sink) }
                    // It is gone where it was delivered already.
                    var sent = letter
                    sent.isResending = true
                    return .json((try await hub.letter(letter.number, of: letter.stream) ?? sent).json)
                }
                do {
                    guard let sent = try await hub.around.deliveries?.resend(letter.number, of: letter.stream) else {
                        throw Problem.noSink(letter.sink)
                    }
                    return .json(sent.json)
                } catch let error as StreamError {
                    throw Problem(.unprocessableContent, "the request can't be made: \(error.description)")
                }
            },
            Operation(
                method: .delete,
                path: "/streams/{id}/dead-letters/{letter}",
                id: "dropDeadLetter",
                role: .run,
                summary: "Drops a dead letter",
                status: .noContent,
                problems: [.notFound, .serviceUnavailable, .insufficientStorage]
            ) { _, context in
                let letter = try await letter(context)
                try await hub.dropLetter(letter.number, of: letter.stream)
                return Response(status: .noContent)
            },
        ]
    }

    /// Returns the dead letter that a path names.
    private func letter(_ context: HubRequestContext) async throws -> StoredDeadLetter {
        let (id, text) = (try context.parameter("id"), try context.parameter("letter"))
        guard let number = Int(text), let letter = try await hub.letter(number, of: id) else {
            throw Problem(.notFound, "there is no dead letter '\(Problem.shown(text))'")
        }
        return letter
    }
}

extension Problem {
    fileprivate static func noSink(_ id: String) -> Problem {
        Problem(.conflict, "the stream delivers to no sink '\(shown(id))'")
    }
}

extension StoredDeadLetter {
    fileprivate var json: JSON {
        var object: JSON.Object = [
            "number": .int(Int64(number)), "sink": .string(sink), "output": .string(place.description),
            "error": .string(error), "time": .string(time.ISO8601Format()),
            "items": (try? JSON(parsing: items)) ?? [], "attempt": .int(Int64(round)),
            "isResending": .bool(isResending),
        ]
        if !key.isEmpty { object["key"] = .string(key) }
        if let request { object["request"] = (try? JSON(parsing: request)) ?? .string(request) }
        return .object(object)
    }
}
#endif
