import SluiceJSON
import SluiceTestSupport

@testable import SluiceStreams

/// The examples of the operators and sources, each parameter changed in several ways.
extension LiveEditPropertyTests {
    /// An example, and the same with another argument.
    struct Pair: CustomStringConvertible, Sendable {
        /// The name of the kind.
        let name: String
        let isOperator: Bool
        let parameter: String
        let old: StreamDocument
        let new: StreamDocument
        let library: StreamLibrary
        /// The marbles that the operator reads; `nil` for a source.
        let input: String?
        /// The kind of stage: `operator map`, `source interval`.
        var kind: String { "\(isOperator ? "operator" : "source") \(name)" }

        /// The parameter with its kind: `operator delay.seconds`.
        var place: String { "\(kind).\(parameter)" }

        var description: String { "\(name).\(parameter): \(old.text) → \(new.text)" }
    }

    /// The seconds by which inputs are late, so that nothing comes at the instant of the subscription.
    static let lateness = 5

    static let pairs: [Pair] = {
        DiagramTests.blocks.filter { $0.file.contains("/Operators/") || $0.file.contains("/Sources/") }
            .flatMap { block -> [Pair] in
                guard let diagram = try? Diagram(block.lines), let made = try? LiveEditPropertyTests.late(diagram)
                else {
                    return []
                }
                return made.stages.indices.flatMap { LiveEditPropertyTests.pairs(of: made, $0, diagram.input) }
            }
    }()

    /// The pairs of one stage of an example: each parameter changed in several ways, each of which compiles.
    private static func pairs(of made: Late, _ index: Int, _ input: String?) -> [Pair] {
        guard let old = try? made.document(), let member = made.stages[index].object?.first else { return [] }
        let (kindName, parameters, bare): (String, [Parameter], String?)
        if made.isOperator {
            guard let kind = OperatorKind.named[member.key] else { return [] }
            (kindName, parameters, bare) = (kind.name, kind.parameters, nil)
        } else {
            guard let kind = SourceKind.named[member.key] else { return [] }
            (kindName, parameters, bare) = (kind.name, kind.parameters, kind.bare)
        }
        // `{"values": [1]}` is short for `{"values": {"values": [1]}}`.
        let arguments: JSON.Object
        let names = Set(parameters.map(\.name))
        if case .object(let object) = member.value, bare == nil || object.allSatisfy({ names.contains($0.key) }) {
            arguments = object
        } else {
            arguments = bare.map { key -> JSON.Object in [key: member.value] } ?? [:]
        }
        var pairs: [Pair] = []
        for parameter in parameters {
            let (every, some) = variants(of: arguments[parameter.name], parameter)
            var count = 0
            for (number, value) in (every + some).enumerated() {
                if number >= every.count, count == 2 { break }
                var changed = (made: made, arguments: arguments)
                changed.arguments[parameter.name] = value
                changed.made.stages[index] = .object([member.key: .object(changed.arguments)])
                guard let new = try? changed.made.document(), (try? new.flow(in: made.library)) != nil,
                    new.text != old.text
                else { continue }
                if number >= every.count { count += 1 }
                pairs.append(
                    Pair(
                        name: kindName,
                        isOperator: made.isOperator,
                        parameter: parameter.name,
                        old: old,
                        new: new,
                        library: made.library,
                        input: input
                    )
                )
            }
        }
        return pairs
    }

    /// A diagram with late inputs.
    private struct Late {
        var library: StreamLibrary
        let isOperator: Bool
        /// The operators, or the source.
        var stages: [JSON]

        func document() throws -> StreamDocument {
            var object: JSON.Object = [:]
            object["source"] = isOperator ? ["ref": "input"] : stages.first ?? .null
            if isOperator { object["operators"] = .array(stages) }
            return try StreamDocument(parsing: JSON.object(object).text())
        }
    }

    private static func late(_ diagram: Diagram, by seconds: Int = lateness) throws -> Late {
        let idle = String(repeating: "-", count: seconds)
        var library = StreamLibrary()
        for (name, marbles) in diagram.others {
            library.add(try Diagram.document(name, marbles.contains("^") ? marbles : idle + marbles))
        }
        if let input = diagram.input { library.add(try Diagram.document("input", idle + input)) }
        let stages = if case .array(let stages) = diagram.json { stages } else { [diagram.json] }
        return Late(library: library, isOperator: diagram.input != nil, stages: stages)
    }

    /// Other values of an argument: those of `every` are all used, and of `some` the first two that compile.
    private static func variants(of value: JSON?, _ parameter: Parameter) -> (every: [JSON], some: [JSON]) {
        // These have a form of their own.
        switch parameter.name {
        case "buffer": return ([["size": 3], ["size": 1, "whenFull": "dropOldest"]], [])
        case "paging": return ([["link": "next"], ["cursor": "x.next", "query": "after", "maxPages": 2]], [])
        case "auth": return (["token", ["hmac": ["header": "X", "algorithm": "sha256", "secret": "${secret:a}"]]], [])
        case "stack":
            return ([["filters": [["rate": ["perSecond": 5]]]], ["filters": [["retry": ["maxAttempts": 2]]]]], [])
        case "from": if case .text = parameter.form { return (["start", "2-17"], []) }
        default: break
        }
        switch (parameter.form, value) {
        case (.seconds, let value?):
            guard let seconds = value.double else { return ([], []) }
            return ([seconds / 4, seconds / 2, seconds * 1.5, seconds * 3, seconds + 0.25].map { .double($0) }, [])
        case (.seconds, nil): return ([1, 2], [])
        case (.count, let value?):
            return ([.int(Int64((value.int ?? 1) + 1)), .int(Int64(max(0, (value.int ?? 1) - 1)))], [])
        case (.count, nil): return ([1, 2], [])
        case (.bool, let value): return ([.bool(!(value?.bool ?? false)), .bool(value?.bool ?? false)], [])
        case (.choice(let choices), _): return (choices.map { .string($0) }, [])
        case (.expression, .string(let text)?):
            // The first means the same, the others don't.
            return (
                ["(\(text))"], ["!(\(text))", "(\(text)) + 1", "(\(text)) + 'a'", "[\(text)]"].map { JSON.string($0) }
            )
        case (.expression, nil): return ([], ["x > 1", "x + 1", "a + x", "a", "x", "'k'", "1"])
        case (.text, .string(let text)?): return ([], [.string(text + "2"), .string("-" + text), "other", "input"])
        case (.text, nil): return (["a text", "a-name"], [])
        case (.value, .int(let value)?): return ([.int(value + 1)], ["a", 1.5])
        case (.value, .double(let value)?): return ([.double(value + 0.5)], [3])
        case (.value, .string(let value)?): return ([.string(value + "!")], [3])
        case (.value, .bool(let value)?): return ([.bool(!value)], [])
        case (.value, .array(let values)?): return ([.array(values + [7])], [])
        case (.value, .object(var object)?):
            object["another"] = 7
            return ([.object(object)], [])
        case (.value, _): return ([7], [])
        case (.values, .array(let values)?): return ([.array(values + [7]), .array(Array(values.dropFirst()))], [])
        case (.object, .object(let object)?):
            var (more, other) = (object, object)
            more["another"] = 7
            if let first = object.first { other[first.key] = first.value == 7 ? 8 : 7 }
            return ([.object(more), .object(other)], [])
        case (.object, nil): return ([["another": 7]], [])
        case (.source, let value?):
            return (
                [
                    ["source": value, "operators": [["delay": ["seconds": 0.5]]]],
                    ["source": value, "operators": [["map": ["expression": "x"]]]],
                ], [["timer": ["seconds": 3]]]
            )
        case (.source, nil): return ([], [["timer": ["seconds": 3]], ["never": [:]]])
        case (.sources, .array(let sources)?):
            return (
                [
                    .array(sources.reversed()), .array(Array(sources.dropFirst())),
                    .array(sources + [["timer": ["seconds": 3]]]),
                ], []
            )
        case (.sources, nil): return ([[["timer": ["seconds": 3]]]], [])
        case (.operators, .array(let operators)?):
            return (
                [.array(operators + [["replaceNil": ["value": nil]]])], [.array(operators + [["prefix": ["count": 1]]])]
            )
        case (.operators, nil): return ([[["prefix": ["count": 1]]], [["count": [:]]]], [])
        case (.items, .array(let items)?):
            return (
                [
                    .array(items + [["value": 7]]), .array(Array(items.dropFirst())),
                    .array([["value": 7, "operators": [["delay": ["seconds": 1]]]]] + items),
                ], []
            )
        default: return ([], [])
        }
    }
}
