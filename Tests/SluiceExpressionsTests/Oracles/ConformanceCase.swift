import Foundation
import SluiceExpressions
import SluiceJSON

/// One case of the specification's own tests.
struct ConformanceCase {
    struct Malformed: Error {
        var json: JSON?
    }

    let json: JSON
    let file: String
    let section: String
    let name: String
    let text: String

    init(_ json: JSON) throws {
        self.json = json
        file = json["file"]?.string ?? ""
        section = json["section"]?.string ?? ""
        name = json["name"]?.string ?? ""
        guard let text = json["expr"]?.string else { throw Malformed(json: json) }
        self.text = text
    }

    /// A description of the difference between the results, or nil.
    func problem() -> String? {
        do {
            let bindings = try bindings()
            let program: CELExpression
            do {
                program = try CELExpression(
                    text,
                    variables: try variables(bindings),
                    functions: try functions(),
                    container: json["container"]?.string ?? "",
                    isChecked: json["disable_check"]?.bool != true
                )
            } catch let error as CELError where json["kind"]?.string == "error" {
                return error.issues.isEmpty ? "an error without an issue" : nil
            }
            if let typed = json["typed_result"], let wanted = typed["deduced_type"] {
                let type = try ConformanceCase.type(wanted)
                if program.type != type { return "has type \(program.type), expected \(type)" }
            }
            if json["check_only"]?.bool == true { return nil }
            return answer(of: program, bindings)
        } catch {
            return "\(error)"
        }
    }

    private func answer(of program: CELExpression, _ bindings: [String: CELValue]) -> String? {
        do {
            let value = try program.evaluate(bindings)
            switch json["kind"]?.string {
            case "error": return "is \(value), expected an error"
            case "true": return value == .bool(true) ? nil : "is \(value), expected true"
            default:
                guard let wanted = json["value"] ?? json["typed_result"]?["result"] else { return nil }
                let expected = try ConformanceCase.value(wanted)
                return ConformanceCase.isSame(value, expected) ? nil : "is \(value), expected \(expected)"
            }
        } catch {
            return json["kind"]?.string == "error" ? nil : "\(error)"
        }
    }

    private func bindings() throws -> [String: CELValue] {
        var bindings: [String: CELValue] = [:]
        for (name, value) in json["bindings"]?.object ?? JSON.Object() {
            guard let value = value["value"] else { throw Malformed(json: value) }
            bindings[name] = try ConformanceCase.value(value)
        }
        return bindings
    }

    private func variables(_ bindings: [String: CELValue]) throws -> [String: CELType] {
        var variables = bindings.mapValues { _ in CELType.dyn }
        for declaration in json["type_env"]?.array ?? [] {
            guard let name = declaration["name"]?.string, let type = declaration["ident"]?["type"] else { continue }
            variables[name] = try ConformanceCase.type(type)
        }
        return variables
    }

    private func functions() throws -> [CELFunction] {
        var functions: [CELFunction] = []
        for declaration in json["type_env"]?.array ?? [] {
            guard let name = declaration["name"]?.string else { continue }
            for overload in declaration["function"]?["overloads"]?.array ?? [] {
                guard let result = overload["result_type"] else { throw Malformed(json: overload) }
                functions.append(
                    CELFunction(
                        name,
                        try (overload["params"]?.array ?? []).map(ConformanceCase.type),
                        try ConformanceCase.type(result),
                        isMember: overload["is_instance_function"]?.bool == true
                    ) { _ in throw Malformed(json: nil) }
                )
            }
        }
        return functions
    }

    /// NaN is the same as NaN here.
    static func isSame(_ left: CELValue, _ right: CELValue) -> Bool {
        if case .double(let left) = left, case .double(let right) = right {
            return left.isNaN ? right.isNaN : left == right && left.sign == right.sign
        }
        if case .list(let left) = left, case .list(let right) = right {
            return left.count == right.count && zip(left, right).allSatisfy(isSame)
        }
        return left == right
    }

    static func value(_ json: JSON) throws -> CELValue {
        guard let (kind, value) = json.object?.first else { throw Malformed(json: json) }
        switch kind {
        case "null_value": return .null
        case "bool_value": if let bool = value.bool { return .bool(bool) }
        case "int64_value": if let int = value.string.flatMap({ Int64($0) }) { return .int(int) }
        case "uint64_value": if let uint = value.string.flatMap({ UInt64($0) }) { return .uint(uint) }
        case "double_value":
            if let double = value.double ?? value.string.flatMap({ Double($0) }) { return .double(double) }
        case "string_value": if let string = value.string { return .string(string) }
        case "bytes_value":
            if let data = value.string.flatMap({ Data(base64Encoded: $0) }) { return .bytes(Array(data)) }
        case "type_value": if let name = value.string { return .type(name) }
        case "list_value": return .list(try (value["values"]?.array ?? []).map(ConformanceCase.value))
        case "map_value":
            let entries = try (value["entries"]?.array ?? []).map { entry in
                (try ConformanceCase.value(entry["key"] ?? .null), try ConformanceCase.value(entry["value"] ?? .null))
            }
            if let map = CELMap(entries) { return .map(map) }
        case "object_value":
            let text = value["value"]?.string ?? ""
            if let duration = CELDuration(text) { return .duration(duration) }
            if let timestamp = CELTimestamp(text) { return .timestamp(timestamp) }
        default: break
        }
        throw Malformed(json: json)
    }

    static func type(_ json: JSON) throws -> CELType {
        guard let (kind, value) = json.object?.first else { throw Malformed(json: json) }
        switch kind {
        case "primitive":
            let types: [String: CELType] = [
                "BOOL": .bool, "INT64": .int, "UINT64": .uint, "DOUBLE": .double, "STRING": .string, "BYTES": .bytes,
            ]
            if let type = types[value.string ?? ""] { return type }
        case "null": return .null
        case "dyn": return .dyn
        case "type_param": return .parameter(value.string ?? "")
        case "type": return .type(value.object?.isEmpty ?? true ? .dyn : try type(value))
        case "well_known":
            if value.string == "TIMESTAMP" { return .timestamp }
            if value.string == "DURATION" { return .duration }
            if value.string == "ANY" { return .dyn }
        case "list_type": return .list(try value["elem_type"].map(type) ?? .dyn)
        case "map_type":
            return .map(try value["key_type"].map(type) ?? .dyn, try value["value_type"].map(type) ?? .dyn)
        case "abstract_type":
            let parameters = try (value["parameter_types"]?.array ?? []).map(type)
            let name = value["name"]?.string ?? ""
            return name == "optional_type" && parameters.count == 1
                ? .optional(parameters[0]) : .opaque(name, parameters)
        default: break
        }
        throw Malformed(json: json)
    }
}
