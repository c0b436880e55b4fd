#if Hub
import HTTPTypes
import Hummingbird
import SluiceJSON

/// The description of the hub's routes, in OpenAPI 3.1: made of the routes themselves.
enum OpenAPI {
    /// Returns the description of routes.
    ///
    /// - Parameter cookie: the name of the hub's cookie.
    static func document(_ operations: [Operation], cookie: String) -> JSON {
        var paths: JSON.Object = [:]
        var schemas = OpenAPISchemas.all.object ?? [:]
        for operation in operations {
            for schema in operation.schemas { schemas[schema.key] = schema.value }
            var path = paths[operation.path]?.object ?? [:]
            path[operation.method.rawValue.lowercased()] = operation.json
            paths[operation.path] = .object(path)
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Sluice hub",
                "version": "1",
                "description": "Streams as data: stored, edited live, shared and run.",
            ],
            "paths": .object(paths),
            "components": [
                "schemas": .object(schemas),
                "securitySchemes": [
                    "token": ["type": "http", "scheme": "bearer"],
                    "session": [
                        "type": "apiKey", "in": "cookie", "name": .string(cookie),
                        "description": "POST /session sets it; under https its name begins with __Host-",
                    ],
                ],
            ],
            "security": [[:], ["token": []], ["session": []]],
        ]
    }

    static func reference(_ name: String) -> JSON { ["$ref": .string("#/components/schemas/\(name)")] }
}

extension Operation {
    /// The problems that every route may answer with, beside its own.
    private var common: [HTTPResponse.Status] {
        [.badRequest, .unauthorized, .forbidden, .misdirectedRequest, .tooManyRequests]
            + (WriteRules.isWrite(method) ? [.unsupportedMediaType] : [])
    }

    fileprivate var json: JSON {
        var operation: JSON.Object = ["operationId": .string(id), "summary": .string(summary)]
        if !parameters.isEmpty { operation["parameters"] = .array(parameters.map(\.json)) }
        if let body {
            operation["requestBody"] = [
                "required": .bool(isBodyRequired),
                "content": ["application/json": ["schema": OpenAPI.reference(body)]],
            ]
        }
        var responses: JSON.Object = [:]
        responses["\(status.code)"] = success(status)
        for problem in problems + common {
            responses["\(problem.code)"] =
                switch problem.kind {
                case .successful: success(problem)
                case .redirection: ["description": .string(problem.reasonPhrase)]
                default: Self.problem(problem)
                }
        }
        operation["responses"] = .object(responses)
        if let role { operation["x-role"] = .string(role.rawValue) } else { operation["security"] = [] }
        return .object(operation)
    }

    private func success(_ status: HTTPResponse.Status) -> JSON {
        let content: JSON? =
            switch result {
            case .none: nil
            case .json("Picture"):
                ["application/json": ["schema": OpenAPI.reference("Picture")], "image/svg+xml": [:]]
            case .json(let name): ["application/json": ["schema": OpenAPI.reference(name)]]
            case .text(let type): [type: ["schema": ["type": "string"]]]
            case .events: ["text/event-stream": ["schema": ["type": "string"]]]
            }
        var response: JSON.Object = ["description": .string(status.reasonPhrase)]
        response["content"] = content
        return .object(response)
    }

    private static func problem(_ status: HTTPResponse.Status) -> JSON {
        let schema = status == .preconditionFailed ? "Conflict" : "Problem"
        return [
            "description": .string(status.reasonPhrase),
            "content": ["application/problem+json": ["schema": OpenAPI.reference(schema)]],
        ]
    }
}

extension Operation.Parameter {
    fileprivate var json: JSON {
        [
            "name": .string(name), "in": .string(location.rawValue), "description": .string(text),
            "required": .bool(isRequired), "schema": schema,
        ]
    }
}
#endif
