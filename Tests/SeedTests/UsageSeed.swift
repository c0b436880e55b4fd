// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The samples of seeds/usage.md, in its order. Changed only as the design allows: the text's own typing errors are
// mended (`from(dto:)` of User answers a User, `.taskState` is a case, `init(dto:)` is `from(dto:)` of an array), and
// models say that they are Sendable, since they cross threads.
//
// Waiting for the issue on request chains, by section:
// - «Кодировка» (ParametersEncoding) and «Сервис» (ExampleService with UrlChainsBuilder: route, build, query, boolean
//   and array strategies);
// - «Отправка запроса»: delivery in DispatchQueue.main, work begun off the main thread.

import Foundation
import Sluice
import SluiceClassic
import SluiceHTTP
import SluiceJSON
import Testing

// MARK: - Raw Layer Models (RawMappable)

private enum Type: Int, Codable {
    case owner
    case member
}

private struct PhotoEntry: Codable {
    let id: String
    let ref: String
}

extension PhotoEntry: RawDecodable {
    public typealias Raw = Json
}

private struct UserEntry: Codable {
    let name: String
    let age: Int
    let type: Type
    let photos: [PhotoEntry]
}

extension UserEntry: RawDecodable {
    public typealias Raw = Json
}

// MARK: - Application Layer Models (DTOConvertible)

private struct Photo {
    let id: String
    let image: String
}

extension Photo: DTODecodable {

    public typealias DTO = PhotoEntry

    static func from(dto: PhotoEntry) throws -> Photo {
        return .init(id: dto.id, image: dto.ref)
    }
}

private struct User {
    let name: String
    let age: Int
    let type: Type
    let photos: [Photo]
}

extension User: DTODecodable {
    public typealias DTO = UserEntry

    static func from(dto: UserEntry) throws -> User {
        return try .init(
            name: dto.name,
            age: dto.age,
            type: dto.type,
            photos: .from(dto: dto.photos)
        )
    }
}

// MARK: - Маршрутизация

private enum RegistrationRoute {
    case auth
    case users
    case taskState
    case user(String)
}

extension RegistrationRoute: UrlRouteProvider {
    func url() throws -> URL {
        let base = URL(string: "http://example.com")
        switch self {
        case .auth:
            return try base + "/user/auth"
        case .users:
            return try base + "/user/users"
        case .taskState:
            return try base + "/tasks"
        case .user(let id):
            return try base + "/user/\(id)"
        }
    }
}

// MARK: - Ответ: a presenter

/// The service of the sample, over a node in this process until the builder is there.
private final class ExampleService: Sendable {
    let users: AnyNode<Void, [User]>
    init(users: AnyNode<Void, [User]>) { self.users = users }

    func getUsers() -> Observer<[User]> {
        return self.users.process()
    }
}

@MainActor
private final class Presenter {
    private let service: ExampleService
    private(set) var seen: [String] = []
    private let done: () -> Void

    init(service: ExampleService, done: @escaping () -> Void) {
        self.service = service
        self.done = done
    }

    func loadUsers() {
        self.showLoader()
        self.service.getUsers()
            .onCompleted { [weak self] model in
                self?.show(users: model)
            }.onError { [weak self] error in
                self?.show(error: error)
            }.defer { [weak self] in
                self?.hideLoader()
            }
    }

    private func showLoader() { seen.append("loader") }
    private func show(users: [User]) {
        MainActor.preconditionIsolated()
        seen.append("users: \(users.map(\.name))")
    }
    private func show(error: any Error) {
        MainActor.preconditionIsolated()
        seen.append("error")
    }
    private func hideLoader() {
        MainActor.preconditionIsolated()
        seen.append("no loader")
        done()
    }
}

@Suite struct UsageSeed {
    static let raw: Json = [
        "name": "Ada", "age": 36, "type": 1, "photos": [["id": "1", "ref": "ada.png"]],
    ]

    /// «Этого кода будет достаточно для того, чтобы замапить ответ сервера на сущности UserEntry и PhotoEntry»
    @Test func entriesMapTheAnswer() throws {
        let entry = try UserEntry.from(raw: Self.raw)
        #expect(entry.name == "Ada" && entry.age == 36 && entry.type == .member)
        #expect(entry.photos.map(\.ref) == ["ada.png"])
    }

    @Test func modelsMapTheEntries() throws {
        let user = try User.from(dto: UserEntry.from(raw: Self.raw))
        #expect(user.name == "Ada" && user.age == 36 && user.type == .member)
        #expect(user.photos.map(\.image) == ["ada.png"])
    }

    /// «Массивы с элемантами типа DTOConvertible и RawMappable также удовлетворяют этим протоколам»
    @Test func arraysMapToo() throws {
        let users = try [User].from(dto: [UserEntry].from(raw: [Self.raw, Self.raw]))
        #expect(users.map(\.name) == ["Ada", "Ada"])
    }

    @Test func routes() throws {
        #expect(try RegistrationRoute.auth.url().absoluteString == "http://example.com/user/auth")
        #expect(try RegistrationRoute.users.url().absoluteString == "http://example.com/user/users")
        #expect(try RegistrationRoute.taskState.url().absoluteString == "http://example.com/tasks")
        #expect(try RegistrationRoute.user("ada").url().absoluteString == "http://example.com/user/ada")
    }

    /// «Observer … имеет 4 возможных события»
    @Test func presenterHearsTheEvents() async {
        let user = User(name: "Ada", age: 36, type: .owner, photos: [])
        let answers: [(AnyNode<Void, [User]>, [String])] = [
            (AnyNode { [user] }, ["loader", #"users: ["Ada"]"#, "no loader"]),
            (AnyNode { throw HTTPProblem() }, ["loader", "error", "no loader"]),
            (AnyNode { throw CancellationError() }, ["loader", "no loader"]),
        ]
        for (node, expected) in answers {
            let seen = await Self.load(node)
            #expect(seen == expected)
        }
    }

    struct HTTPProblem: Error {}

    @MainActor
    private static func load(_ node: AnyNode<Void, [User]>) async -> [String] {
        var presenter: Presenter?
        await withCheckedContinuation { continuation in
            presenter = Presenter(service: ExampleService(users: node)) { continuation.resume() }
            presenter?.loadUsers()
        }
        return presenter?.seen ?? []
    }
}
