import SluiceJSON

/// The ordinary answer of a service.
struct Item: Codable {
    var id: Int
    var name: String
    var score: Double
    var isActive: Bool
    var tags: [String]

    static func sample(_ index: Int) -> Item {
        Item(
            id: index,
            name: "Item number \(index)",
            score: Double(index) * 0.25,
            isActive: index % 2 == 0,
            tags: ["alpha", "a somewhat longer tag"]
        )
    }
}

/// The same, reading and writing itself.
struct DirectItem: JSONConvertible {
    var id: Int
    var name: String
    var score: Double
    var isActive: Bool
    var tags: [String]

    init(_ item: Item) {
        (id, name, score, isActive, tags) = (item.id, item.name, item.score, item.isActive, item.tags)
    }

    init(json: JSONNode) throws {
        var object = try json.object()
        id = try object["id"]
        name = try object["name"]
        score = try object["score"]
        isActive = try object["isActive"]
        tags = try object["tags"]
    }

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("id", id)
            $0.member("name", name)
            $0.member("score", score)
            $0.member("isActive", isActive)
            $0.member("tags", tags)
        }
    }
}

struct Pair: Codable {
    var a: Int
    var b: Int
}

struct DirectPair: JSONConvertible {
    var a: Int
    var b: Int

    init(a: Int, b: Int) { (self.a, self.b) = (a, b) }

    init(json: JSONNode) throws {
        var object = try json.object()
        a = try object["a"]
        b = try object["b"]
    }

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("a", a)
            $0.member("b", b)
        }
    }
}

/// An operator of a stream, as the synthesized Codable has it.
enum Step: Codable {
    case delay(seconds: Double)
    case take(count: Int)
    case map(expression: String)

    static func sample(_ index: Int) -> Step {
        switch index % 3 {
        case 0: .delay(seconds: Double(index) / 4)
        case 1: .take(count: index)
        default: .map(expression: "x * \(index)")
        }
    }
}

/// The same enum, reading and writing itself.
struct DirectStep: JSONConvertible {
    var step: Step

    init(_ step: Step) { self.step = step }

    init(json: JSONNode) throws {
        let member = try json.onlyMember()
        var payload = try member.value.object()
        switch member.key {
        case "delay": step = .delay(seconds: try payload["seconds"])
        case "take": step = .take(count: try payload["count"])
        case "map": step = .map(expression: try payload["expression"])
        default: throw JSONError(.unknownKey, "unknown operator", at: member.keyNode)
        }
    }

    func write(to json: inout JSONWriter) {
        json.object {
            switch step {
            case .delay(let seconds):
                $0.key("delay")
                $0.object { $0.member("seconds", seconds) }
            case .take(let count):
                $0.key("take")
                $0.object { $0.member("count", count) }
            case .map(let expression):
                $0.key("map")
                $0.object { $0.member("expression", expression) }
            }
        }
    }
}

/// A deep object.
final class Level: Codable, Sendable {
    let value: Int
    let next: Level?

    init(value: Int, next: Level?) {
        self.value = value
        self.next = next
    }

    static func sample(_ depth: Int) -> Level {
        (0..<depth).reduce(Level(value: 0, next: nil)) { Level(value: $1, next: $0) }
    }
}
