#if Hub
import SluiceJSON

/// The schemas of what goes over the hub's routes.
enum OpenAPISchemas {
    static let all: JSON = [
        "Document": document,
        "Documents": array("Document"),
        "Head": object(
            [
                "id": string, "name": string, "description": string, "isDefault": boolean, "revision": revision,
                "runs": revision, "state": state, "error": string, "errors": array("Error"),
            ],
            required: ["id", "isDefault", "revision", "state"]
        ),
        "Heads": array("Head"),
        "Overview": object(
            [
                "time": ["type": "number", "minimum": 0], "subscribers": number, "others": number,
                "role": role, "name": string, "hasSession": boolean, "hasWorkers": boolean,
                "secrets": ["type": "array", "items": string],
                "streams": array("StreamFigures"),
            ],
            required: ["time", "subscribers", "others", "role", "hasSession", "hasWorkers", "secrets", "streams"]
        ),
        "StreamFigures": object(
            [
                "id": string, "state": state, "source": string,
                "references": ["type": "array", "items": string],
                "subscriptions": ["type": "array", "items": string],
                "sinks": [
                    "type": "array", "items": object(["id": string, "name": string], required: ["name"]),
                ],
                "in": number, "out": number, "work": ["type": "number", "minimum": 0], "stateSize": number,
                "lag": ["type": "number", "minimum": 0], "waiting": number, "isBlocked": boolean,
                "last": object(
                    ["value": string, "time": ["type": "number", "minimum": 0]],
                    required: ["value", "time"]
                ),
            ],
            required: ["id", "state", "references", "subscriptions", "sinks"]
        ),
        "Revisions": [
            "type": "array",
            "items": object(
                ["revision": revision, "time": time, "author": string, "name": string, "isDeleted": boolean],
                required: ["revision", "isDeleted"]
            ),
        ],
        "Rollback": object(["revision": revision], required: ["revision"]),
        "Login": object(["token": string], required: ["token"]),
        "Error": object(
            [
                "path": string, "line": count, "column": count, "message": string, "hint": string, "test": string,
                "report": string, "stream": string,
            ],
            required: ["path", "line", "column", "message"]
        ),
        "Check": object(
            [
                "errors": array("Error"),
                "fields": ["type": "object", "additionalProperties": ["type": "array", "items": string]],
                "findings": array("StackFinding"),
            ],
            required: ["errors"]
        ),
        "Step": object(
            [
                "action": ["enum": ["kept", "reset", "added", "dropped"]], "name": string, "id": string,
                "oldPath": string, "newPath": string, "isMoved": boolean,
                "changes": [
                    "type": "array",
                    "items": object(["parameter": string, "old": [:], "new": [:]], required: ["parameter"]),
                ],
                "reason": string, "text": string,
            ],
            required: ["action", "name", "isMoved", "changes", "text"]
        ),
        "Plan": object(
            [
                "revision": revision, "keepsAll": boolean, "steps": array("Step"), "errors": array("Error"),
                "tests": array("Error"), "dependents": array("Dependent"),
            ],
            required: ["revision", "keepsAll", "steps", "errors", "tests", "dependents"]
        ),
        "RevisionPlan": object(
            ["keepsAll": boolean, "isEnded": boolean, "steps": array("Step")],
            required: ["keepsAll", "isEnded", "steps"]
        ),
        "Dependent": object(
            [
                "id": string, "name": string, "errors": array("Error"), "tests": array("Error"), "keepsAll": boolean,
                "steps": array("Step"),
            ],
            required: ["id", "errors"]
        ),
        "PictureRequest": object(
            [
                "document": reference("Document"),
                "until": ["type": ["number", "null"], "minimum": 0, "maximum": 1e9],
                "after": ["type": "integer", "minimum": 0, "maximum": .int(Int64(PictureRun.skipped))],
            ],
            required: ["document"]
        ),
        "Picture": object(
            [
                "title": string, "end": ["type": "number"], "isCut": boolean,
                "next": ["type": "integer", "minimum": 0], "rows": ["type": "array", "items": ["type": "object"]],
            ],
            required: ["title", "end", "isCut", "rows"]
        ),
        "Stage": object(
            [
                "name": string, "id": string, "path": string, "expression": string,
                "inputs": ["type": "array", "items": ["type": "integer", "minimum": 0]],
            ],
            required: ["name", "path", "inputs"]
        ),
        "Run": object(
            [
                "stream": string, "run": ["type": "integer", "minimum": 0],
                "revision": ["type": "integer", "minimum": 0],
                "state": state, "time": ["type": "number", "minimum": 0], "speed": speed, "error": string,
                "lag": ["type": "number", "minimum": 0], "skipped": count, "waiting": string,
                "warning": string, "stages": array("Stage"),
            ],
            required: ["stream", "run", "revision", "state", "time", "speed", "stages"]
        ),
        "Speed": object(["speed": speed], required: ["speed"]),
        "Output": [
            "type": "array",
            "items": object(
                [
                    "cursor": string, "run": count, "sequence": count, "time": ["type": "number"], "value": [:],
                    "completed": boolean, "error": string, "reported": string,
                ],
                required: ["cursor", "run", "sequence", "time"]
            ),
        ],
        "Sink": object(
            [
                "id": string, "kind": string,
                "state": ["enum": ["idle", "delivering", "waiting", "blocked", "disabled"]], "delivered": number,
                "waiting": number, "failed": number, "deadLetters": number, "cursor": string, "error": string,
                "retryIn": ["type": "number", "minimum": 0], "output": string, "key": string, "request": [:],
            ],
            required: ["id", "kind", "state", "delivered", "waiting", "failed", "deadLetters", "cursor"]
        ),
        "Sinks": array("Sink"),
        "DeadLetter": object(
            [
                "number": count, "sink": string, "output": string, "error": string, "time": time, "key": string,
                "request": [:], "items": ["type": "array"], "attempt": count, "isResending": boolean,
            ],
            required: ["number", "sink", "output", "error", "time", "items", "attempt", "isResending"]
        ),
        "DeadLetters": array("DeadLetter"),
        "Groups": [
            "type": "array",
            "items": object(
                ["name": string, "streams": ["type": "array", "items": string], "members": ["type": "integer"]],
                required: ["name", "streams", "members"]
            ),
        ],
        "Group": object(
            [
                "name": string,
                "streams": [
                    "type": "array",
                    "items": object(
                        ["id": string, "name": string, "revision": revision],
                        required: ["id", "revision"]
                    ),
                ],
                "members": [
                    "type": "array",
                    "items": object(
                        [
                            "id": string, "name": string, "isPresent": boolean, "seen": time,
                            "streams": array("MemberStream"),
                        ],
                        required: ["id", "isPresent", "seen", "streams"]
                    ),
                ],
            ],
            required: ["name", "streams", "members"]
        ),
        "MemberStream": object(
            [
                "id": string, "revision": ["type": "integer"], "state": string, "time": ["type": "number"],
                "error": string,
            ],
            required: ["id", "revision", "state"]
        ),
        "Report": object(["name": string, "streams": array("MemberStream")], required: ["streams"]),
        "Tokens": array("Token"),
        "Token": object(["name": string, "role": role, "created": time], required: ["name", "role", "created"]),
        "TokenRequest": object(["name": tokenName, "role": role], required: ["name", "role"]),
        "NewToken": object(
            ["name": string, "role": role, "created": time, "token": string],
            required: ["name", "role", "created", "token"]
        ),
        "Health": object(
            ["status": string, "shared": ["type": "string", "enum": ["ok", "away"]]],
            required: ["status"]
        ),
        "Catalog": object(
            ["operators": ["type": "array"], "sources": ["type": "array"]],
            required: ["operators", "sources"]
        ),
        "Schema": ["type": "object"],
        "OpenAPI": ["type": "object"],
        "Problem": object(
            [
                "title": string, "status": count, "detail": string, "errors": array("Error"),
                "dependents": array("Dependent"),
            ],
            required: ["title", "status", "detail"]
        ),
        "Conflict": object(
            [
                "title": string, "status": count, "detail": string, "current": reference("Version"),
                "yours": reference("Version"), "plan": ["type": "object"],
            ],
            required: ["title", "status", "detail"]
        ),
        "Version": object(["revision": revision, "text": string], required: ["revision", "text"]),
    ]

    /// Any object here: `/schema.json` says what a document may say.
    private static let document: JSON = [
        "type": "object",
        "description": "a stream document: see /schema.json",
        "examples": [["name": "Ticks", "source": ["interval": ["seconds": 1]], "operators": []]],
    ]

    private static let role: JSON = ["enum": .array(Role.allCases.map { .string($0.rawValue) })]
    private static let tokenName: JSON = ["type": "string", "pattern": "^[A-Za-z0-9._+@-]{1,100}$"]
    private static let string: JSON = ["type": "string"]
    private static let boolean: JSON = ["type": "boolean"]
    private static let count: JSON = ["type": "integer", "minimum": 1]
    private static let number: JSON = ["type": "integer", "minimum": 0]
    private static let revision: JSON = ["type": "integer", "minimum": 1]
    private static let time: JSON = ["type": "string", "format": "date-time"]
    private static let speed: JSON = ["type": "number", "minimum": 0.01, "maximum": 100]
    private static let state: JSON = [
        "enum": ["idle", "running", "paused", "restarting", "completed", "failed", "blocked"]
    ]

    private static func array(_ name: String) -> JSON { ["type": "array", "items": reference(name)] }

    private static func reference(_ name: String) -> JSON { OpenAPI.reference(name) }

    private static func object(_ properties: JSON.Object, required: [JSON]) -> JSON {
        ["type": "object", "properties": .object(properties), "required": .array(required)]
    }
}
#endif
