#if Hub
import Hummingbird
import SluiceJSON

extension HubRoutes {
    /// The route that tries a part of a document.
    var trialOperations: [Operation] {
        [
            Operation(
                method: .post,
                path: "/try",
                id: "try",
                role: .edit,
                summary: "Fetches an item of a document's source once, or delivers a sample to one of its sinks",
                body: "Trial",
                result: .json("TrialOutcome"),
                problems: [.notFound, .contentTooLarge, .unprocessableContent, .tooManyRequests],
                schemas: [
                    "Trial": [
                        "type": "object",
                        "properties": [
                            "document": ["$ref": "#/components/schemas/Document"], "sink": ["type": "string"],
                            "value": [:],
                        ],
                        "required": ["document"],
                    ],
                    "TrialOutcome": [
                        "type": "object",
                        "properties": ["value": [:], "request": [:], "error": ["type": "string"]],
                    ],
                ]
            ) { request, _ in
                let bytes = try await request.bytes(upTo: settings.limits.bodySize)
                return .json(try await hub.tryOut(try TrialRequest(parsing: bytes)))
            }
        ]
    }
}
#endif
