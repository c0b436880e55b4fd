import Foundation
import SluiceHTTP
import SluiceJSON

/// A user as the server writes it.
struct UserEntry: Codable, RawMappable, Sendable {
    var id: Int
    var name: String
    var email: String
    var score: Double
    var isActive: Bool
    var tags: [String]

    static func sample(_ index: Int) -> UserEntry {
        UserEntry(
            id: index,
            name: "Ada Lovelace the \(index)th",
            email: "ada.lovelace.\(index)@example.com",
            score: Double(index) * 0.25,
            isActive: index % 2 == 0,
            tags: ["staff", "analytical engine"]
        )
    }

    /// As many users as fit a body of a size, in JSON.
    static func body(of size: Int) throws -> [UInt8] {
        let encoder = JSONEncoder()
        var entries: [UserEntry] = []
        var count = 1
        while true {
            let entry = sample(entries.count + 1)
            count += try encoder.encode(entry).count + 1
            if count > size { return Array(try encoder.encode(entries)) }
            entries.append(entry)
        }
    }
}

/// A user as the server writes it, who reads itself: no Codable.
struct DirectUserEntry: JSONConvertible, RawMappable, Sendable {
    var id: Int
    var name: String
    var email: String
    var score: Double
    var isActive: Bool
    var tags: [String]

    init(json: JSONNode) throws {
        var object = try json.object()
        id = try object["id"]
        name = try object["name"]
        email = try object["email"]
        score = try object["score"]
        isActive = try object["isActive"]
        tags = try object["tags"]
    }

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("id", id)
            $0.member("name", name)
            $0.member("email", email)
            $0.member("score", score)
            $0.member("isActive", isActive)
            $0.member("tags", tags)
        }
    }
}

/// A user as the application uses it.
struct User: DTODecodable, Sendable {
    var id: Int
    var name: String
    var email: String
    var score: Double
    var isActive: Bool
    var tags: [String]

    static func from(dto: UserEntry) -> User {
        User(id: dto.id, name: dto.name, email: dto.email, score: dto.score, isActive: dto.isActive, tags: dto.tags)
    }
}

/// The same, of an entry that reads itself.
struct DirectUser: DTODecodable, Sendable {
    var user: User

    static func from(dto: DirectUserEntry) -> DirectUser {
        DirectUser(
            user: User(
                id: dto.id,
                name: dto.name,
                email: dto.email,
                score: dto.score,
                isActive: dto.isActive,
                tags: dto.tags
            )
        )
    }
}
