import Foundation
import SluiceJSON
import Testing

/// Classes that are decoded through the type of their superclass.
struct HierarchyTests {
    class Person: Codable, CustomStringConvertible {
        var name: String
        private enum CodingKeys: String, CodingKey { case name }
        init(name: String) { self.name = name }
        required init(from decoder: any Decoder) throws {
            name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
        }
        var description: String { "\(type(of: self)) \(name)" }
    }

    /// Its superclass's part is beside its own.
    class Employee: Person {
        var salary: Int
        private enum CodingKeys: String, CodingKey { case salary }
        init(name: String, salary: Int) {
            self.salary = salary
            super.init(name: name)
        }
        required init(from decoder: any Decoder) throws {
            salary = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .salary)
            try super.init(from: decoder)
        }
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(salary, forKey: .salary)
        }
        override var description: String { "\(super.description) \(salary)" }
    }

    /// Its superclass's part is under `super`.
    final class Manager: Employee {
        var reports: [String]
        private enum CodingKeys: String, CodingKey { case reports }
        init(name: String, salary: Int, reports: [String]) {
            self.reports = reports
            super.init(name: name, salary: salary)
        }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            reports = try container.decode([String].self, forKey: .reports)
            try super.init(from: container.superDecoder())
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(reports, forKey: .reports)
            try super.encode(to: container.superEncoder())
        }
        override var description: String { "\(super.description) \(reports)" }
    }

    /// Decodes a person of a type that is known at run time only, in each way that a container has.
    struct Holder: Decodable, CustomStringConvertible {
        nonisolated(unsafe) static var type: Person.Type = Person.self  // Set by a serial test before it is read.
        var people: [Person?]
        init(from decoder: any Decoder) throws {
            let type = Holder.type
            let container = try decoder.container(keyedBy: TextKey.self)
            people = [
                try container.decode(type, forKey: TextKey("a")),
                try container.decodeIfPresent(type, forKey: TextKey("b")),
                try container.decodeIfPresent(type, forKey: TextKey("c")),
                try type.init(from: try container.superDecoder(forKey: TextKey("a"))),
            ]
            var list = try container.nestedUnkeyedContainer(forKey: TextKey("list"))
            people.append(try list.decode(type))
            people.append(try list.decodeIfPresent(type))
            people.append(try Single(from: list.superDecoder()).person)
        }
        var description: String { "\(people)" }
    }

    struct Single: Decodable {
        var person: Person
        init(from decoder: any Decoder) throws {
            person = try decoder.singleValueContainer().decode(Holder.type)
        }
    }

    @Test func theTypeAtRunTimeIsDecoded() throws {
        let people = [
            Person(name: "a"), Employee(name: "b", salary: 1), Manager(name: "c", salary: 2, reports: ["a", "b"]),
        ]
        let both = SideBySide()
        for person in people {
            let (theirs, ours) = both.encoded(person)
            #expect(theirs == ours)
            let text = Data(theirs.utf8)
            let holder = Data(
                "{\"a\":\(theirs),\"b\":\(theirs),\"c\":null,\"list\":[\(theirs),\(theirs),\(theirs)]}".utf8
            )
            for type in [Person.self, Employee.self, Manager.self] {
                let values = both.decoded(type as Person.Type, text)
                #expect(values.theirs == values.ours)
                Holder.type = type
                let holders = both.decoded(Holder.self, holder)
                #expect(holders.theirs == holders.ours)
            }
        }
        let employee = try SluiceJSONDecoder().decode(Employee.self as Person.Type, from: #"{"name":"x","salary":3}"#)
        #expect("\(employee)" == "Employee x 3")
        let document = try JSONDocument(parsing: #"[{"name":"x","salary":3}]"#)
        let part = try SluiceJSONDecoder().decode(Employee.self as Person.Type, from: try #require(document.root[0]))
        #expect("\(part)" == "Employee x 3")
        let list = both.encoded(people)
        #expect(list.theirs == list.ours)
    }

    @Test(
        arguments: [
            "{}", #"{"reports":[]}"#, #"{"reports":[],"super":null}"#, #"{"reports":[],"super":1}"#,
            #"{"reports":[],"super":{"name":"x"}}"#, #"{"reports":[],"super":{"name":"x","salary":null}}"#,
            #"{"reports":[],"super":{"name":"x","salary":1}}"#, #"{"reports":null,"super":{}}"#,
        ]
    )
    func whatIsMissingIsReportedAsByFoundation(_ text: String) {
        let (theirs, ours) = SideBySide().decoded(Manager.self as Person.Type, Data(text.utf8))
        #expect(theirs == ours)
        let inList = SideBySide().decoded([Manager].self, Data("[\(text)]".utf8))
        #expect(inList.theirs == inList.ours)
    }

    class Shape: JSONConvertible {
        var sides: Int
        required init(json: JSONNode) throws { sides = try Int(json: json) }
        func write(to json: inout JSONWriter) { json.value(sides) }
    }

    final class Square: Shape {}

    @Test func typesThatReadThemselvesToo() throws {
        let shape = try SluiceJSONDecoder().decode(direct: Square.self as Shape.Type, from: "4".utf8)
        #expect(shape is Square)
    }
}
