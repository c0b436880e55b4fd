import Foundation
import SluiceHTTP

/// A user as the server has it: the lower layer.
struct UserEntry: Codable, Sendable, RawMappable {
    var id: String?
    var full_name: String
    var age: Int
}

/// A user as the application has it: the upper layer.
struct User: Sendable, DTOConvertible {
    var name: String
    var age: Int

    func toDTO() -> UserEntry { UserEntry(full_name: name, age: age) }
    static func from(dto: UserEntry) -> User { User(name: dto.full_name, age: dto.age) }
}

/// The routes of the playground's requests.
enum Route: URLRouteProvider {
    case users
    case user(String)
    case photos
    case flaky
    case ticks

    /// The server beside us.
    @TaskLocal static var base: URL?

    func url() throws -> URL {
        switch self {
        case .users: try Self.base + "/users"
        case .user(let id): try Self.base + "/users/\(id)"
        case .photos: try Self.base + "/photos"
        case .flaky: try Self.base + "/flaky"
        case .ticks: try Self.base + "/ticks"
        }
    }
}
