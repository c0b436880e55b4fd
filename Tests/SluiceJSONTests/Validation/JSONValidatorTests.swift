import SluiceJSON
import Testing

struct JSONValidatorTests {
    @Test func everythingIsCollected() throws {
        let document = try JSONDocument(
            parsing: """
                {
                  "id": 7, "opertors": [],
                  "x-mine": 1,
                  "stream": [{"value": 1, "operators": [{"dealy": {"seconds": "1"}}, {"id": "a"}, {"map": 1, "nte": 2}]}]
                }
                """
        )
        var check = JSONValidator()
        let fields = check.object(
            document.root,
            keys: ["id", "stream", "operators"],
            required: ["id", "stream", "name"]
        )
        let id = check.string(fields?["id"])
        #expect(id == nil)
        for item in check.elements(fields?["stream"]) {
            let item = check.object(item, keys: ["value", "operators"])
            for step in check.elements(item?["operators"]) {
                let member = check.namedMember(
                    step,
                    names: ["delay", "map"],
                    ignored: ["id", "note", "disabled"],
                    what: "operator"
                )
                guard let member, member.key == "dealy" else { continue }
                let parameters = check.object(member.value, keys: ["seconds"])
                let seconds = check.double(parameters?["seconds"], in: 0...10)
                #expect(seconds == nil)
            }
        }
        #expect(
            check.errorsByPosition.map(\.description) == [
                "1:1: the key \"name\" is missing",
                "2:9: id: expected a string, found a number",
                "2:12: opertors: unknown key \"opertors\" (did you mean \"operators\"?)",
                "4:42: stream[0].operators[0].dealy: unknown operator \"dealy\" (did you mean \"delay\"?)",
                "4:63: stream[0].operators[0].dealy.seconds: expected a number, found a string",
                "4:70: stream[0].operators[1]: the key that names the operator is missing (one of: delay, map)",
                "4:94: stream[0].operators[2].nte: exactly one key may name the operator, found \"map\", \"nte\" "
                    + "(did you mean \"note\"?)",
            ]
        )
        let errors = #expect(throws: JSONErrors.self) { try check.throwErrors() }
        #expect(errors?.errors.count == 7)
        #expect(fields?.others.map(\.key) == ["opertors", "x-mine"])
    }

    @Test func valuesAreHeldToTheirRange() throws {
        let document = try JSONDocument(parsing: #"[1.5, 99999999999999999999, -1, 1e999, 7, "abd"]"#)
        let nodes = Array(document.root.elements)
        var check = JSONValidator()
        var values: [Bool] = []
        values.append(check.int(nodes[0]) == nil)
        values.append(check.int(nodes[1]) == nil)
        values.append(check.int(nodes[2], in: 0...Int.max) == nil)
        values.append(check.double(nodes[3]) == nil)
        values.append(check.double(nodes[4], in: 0...2.5) == nil)
        values.append(check.string(nodes[5], oneOf: ["abc", "xyz"]) == nil)
        values.append(check.int(nodes[4], in: 0...9) == 7)
        #expect(values == Array(repeating: true, count: 7))
        #expect(
            check.errors.map(\.description) == [
                "1:2: [0]: expected a whole number, found 1.5",
                "1:7: [1]: the number 99999999999999999999 does not fit into 64 bits",
                "1:29: [2]: the number -1 is not at least 0",
                "1:33: [3]: the number 1e999 is beyond the largest double",
                "1:40: [4]: the number 7 is not from 0.0 to 2.5",
                "1:43: [5]: \"abd\" is not allowed here (did you mean \"abc\"?)",
            ]
        )
    }

    @Test func whatIsBeyondTheLimitIsCounted() throws {
        let document = try JSONDocument(parsing: "[1,2,3]")
        var check = JSONValidator(limit: 2)
        for node in document.root.elements { check.expect(.string, node) }
        let errors = #expect(throws: JSONErrors.self) { try check.throwErrors() }
        #expect(
            errors?.description == """
                1:2: [0]: expected a string, found a number
                1:4: [1]: expected a string, found a number
                and 1 more
                """
        )
        #expect(
            errors?.diagnostics(file: "f.json") == """
                f.json:1:2: error: [0]: expected a string, found a number
                f.json:1:4: error: [1]: expected a string, found a number
                """
        )
    }

    /// Ninety thousand unknown keys cost as many hints as there are errors that are kept.
    @Test func messagesAndHintsAreMadeForErrorsThatAreKept() throws {
        let document = try JSONDocument(parsing: "[1,2,3]")
        var check = JSONValidator(limit: 2)
        var made = (messages: 0, hints: 0)
        func message() -> String {
            made.messages += 1
            return "no"
        }
        func hint() -> String? {
            made.hints += 1
            return nil
        }
        for _ in 0..<100 { check.note(at: document.root, message(), hint: hint()) }
        #expect(made == (2, 2))
        #expect(check.errors.count == 2 && check.omittedCount == 98)
    }

    @Test func aMessageNamesFewKeys() throws {
        let keys = (0..<5000).map { #""key\#($0)": 1"# }.joined(separator: ", ")
        let document = try JSONDocument(parsing: "{\(keys)}")
        var check = JSONValidator()
        _ = check.namedMember(document.root, names: ["map"], what: "operator")
        _ = check.object(document.root, keys: ["a"], required: ["a"])
        #expect(check.errors.allSatisfy { $0.description.utf8.count < 500 })
        #expect(check.errors[0].message.hasSuffix(", and 4990 more"))
        #expect(check.errors.count == 100)
    }
}
