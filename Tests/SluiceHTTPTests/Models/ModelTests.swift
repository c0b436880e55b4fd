#if HTTP
import Sluice
import SluiceHTTP
import SluiceJSON
import Testing

struct UserEntry: Codable, Sendable, Equatable, RawMappable {
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
        let error = #expect(throws: RawMappingError.self) { try UserEntry.from(raw: ["name": "Ada"]) }
        #expect(error?.cause is DecodingError)
        #expect(error?.description == "1:1: The key \"age\" is missing.")
    }

    @Test func arraysMapTheirElements() throws {
        let entries = [UserEntry(name: "Ada", age: 36), UserEntry(name: "Bob", age: 7)]
        let raw = try entries.toRaw()
        #expect(raw == [["name": "Ada", "age": 36], ["name": "Bob", "age": 7]])
        #expect(try [UserEntry].from(raw: raw) == entries)
        #expect(throws: ModelError.noArray) { try [UserEntry].from(raw: ["name": "Ada"]) }
    }

    @Test func containersAndScalars() throws {
        #expect(try [[1, 2], []].toRaw() == [[1, 2], []])
        #expect(try [[Int]].from(raw: [[1, 2], []]) == [[1, 2], []])
        #expect(try ["b": 1.5, "a": 2].toRaw().description == #"{"a":2,"b":1.5}"#)
        #expect(try [String: [Bool]].from(raw: ["a": [true]]) == ["a": [true]])
        #expect(try String?.from(raw: .null) == nil)
        #expect(try String?.from(raw: "Ada") == "Ada")
        #expect(try String?.none.toRaw() == .null)
        #expect(throws: ModelError.noObject) { try [String: Int].from(raw: [1]) }
    }

    @Test func modelsOfOneLayerStandOnBoth() throws {
        let entry = UserEntry(name: "Ada", age: 36)
        #expect(entry.toDTO() == entry)
        #expect(UserEntry.from(dto: entry) == entry)
    }

    /// A type that maps itself, although it is also Codable.
    struct Own: Codable, Sendable, Equatable, RawMappable {
        var text: String
        func toRaw() throws -> JSON { .string(text.uppercased()) }
        static func from(raw: JSON) throws -> Own { Own(text: raw.string?.lowercased() ?? "") }
    }

    @Test func whatMapsItselfIsAsked() throws {
        #expect(!Own.isWrittenAsEncodable && !Own.isReadAsDecodable)
        #expect(UserEntry.isWrittenAsEncodable && UserEntry.isReadAsDecodable)
        #expect(
            ![Own].isReadAsDecodable && [UserEntry].isReadAsDecodable && [[String: UserEntry?]].isWrittenAsEncodable
        )
    }

    @Test func twoLayers() throws {
        let users = [User(fullName: "Ada")]
        #expect(try users.toDTO() == [UserEntry(name: "Ada", age: 36)])
        #expect(try [User].from(dto: users.toDTO()) == users)
    }
}
#endif
