import Sluice
import SluiceHTTP
import SluiceJSON
import Testing

struct UserEntry: Codable, Sendable, Equatable, RawMappable {
    typealias Raw = JSON
    let name: String
    let age: Int
}

struct User: Sendable, Equatable, DTOConvertible {
    let fullName: String

    func toDTO() throws -> UserEntry { UserEntry(name: fullName, age: 36) }
    static func from(dto: UserEntry) throws -> User { User(fullName: dto.name) }
}

@Suite struct ModelTests {
    @Test func codableTypesMapThemselves() throws {
        let raw = try UserEntry(name: "Ada", age: 36).toRaw()
        #expect(raw == ["name": "Ada", "age": 36])
        #expect(try UserEntry.from(raw: raw) == UserEntry(name: "Ada", age: 36))
        #expect(throws: DecodingError.self) { try UserEntry.from(raw: ["name": "Ada"]) }
    }

    @Test func arraysMapTheirElements() throws {
        let entries = [UserEntry(name: "Ada", age: 36), UserEntry(name: "Bob", age: 7)]
        let raw = try entries.toRaw()
        #expect(raw == [["name": "Ada", "age": 36], ["name": "Bob", "age": 7]])
        #expect(try [UserEntry].from(raw: raw) == entries)
        #expect(throws: ModelError.noArray) { try [UserEntry].from(raw: ["name": "Ada"]) }
    }

    @Test func twoLayers() throws {
        let users = [User(fullName: "Ada")]
        #expect(try users.toDTO() == [UserEntry(name: "Ada", age: 36)])
        #expect(try [User].from(dto: users.toDTO()) == users)
    }
}
