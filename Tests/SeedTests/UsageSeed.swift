// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
#if HTTP && OpenCombine && SQLite && Server
// The samples of seeds/usage.md, in its order, as its text calls them: from synchronous functions. Changes to the samples:
//
// - Typing errors are mended: `from(dto:)` of User returns a User, `.taskState` is a case of the route, the dictionary of
//   `set(query:)` is one, `maxCount` is `max`, and `url()` has its last brace.
// - PhotoEntry and UserEntry are RawMappable, Photo and User are DTOConvertible, and Photo and User have a `toDTO()`: the
//   text declares the `…Decodable` halves alone and sends the models all the same.
// - ExampleService is final and Sendable, and has a keychain to save to; its builder carries requests to the server that
//   a test names.
// - The address is that of a server that the tests start.
// - The presenter is there twice: nonisolated, as the text has it, and on the main actor.

import Dispatch
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
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

extension PhotoEntry: RawMappable {
    public typealias Raw = Json
}

private struct UserEntry: Codable {
    let name: String
    let age: Int
    let type: Type
    let photos: [PhotoEntry]
}

extension UserEntry: RawMappable {
    public typealias Raw = Json
}

// MARK: - Application Layer Models (DTOConvertible)

private struct Photo {
    let id: String
    let image: String
}

extension Photo: DTOConvertible {

    public typealias DTO = PhotoEntry

    func toDTO() throws -> PhotoEntry {
        return .init(id: id, ref: image)
    }

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

extension User: DTOConvertible {
    public typealias DTO = UserEntry

    func toDTO() throws -> UserEntry {
        return try .init(name: name, age: age, type: type, photos: photos.toDTO())
    }

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
        let base = URL(string: Server.address)
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

// MARK: - Сервис

private final class ExampleService: Sendable {
    let keychain = Locked<[String]>([])

    var builder: UrlChainsBuilder<RegistrationRoute> {
        return .init()
    }

    func auth(user: User) -> Observer<Void> {
        return self.builder
            .route(.post, .auth)
            .build()
            .process(user)
            .map { [weak self] (user: User) in
                self?.saveToKeychain(user)
                return ()
            }
    }

    func getUser(by id: String) -> Observer<User> {
        return self.builder
            .route(.get, .user(id))
            .build()
            .process()
    }

    func getUsers() -> Observer<[User]> {
        return self.builder
            .route(.get, .users)
            .build()
            .process()
    }

    func updateState(by params: [String], descending: Bool, by map: [String: Any], max: Int, users: [User]) -> Observer<
        Void
    > {
        return self.builder
            .set(query: ["params": params, "desc": descending, "map": map, "max": max])
            .set(boolEncodingStartegy: .asBool)
            .set(arrayEncodingStrategy: .noBrackets)
            .route(.post, RegistrationRoute.taskState)
            .build()
            .process(users)
    }

    private func saveToKeychain(_ user: User) { keychain.withLock { $0.append(user.name) } }
}

/// A real server for the service: it answers with users, and keeps what it was told.
private enum Server {
    @TaskLocal static var address = "http://example.com"

    /// Runs `body` while the server stands.
    static func run(_ body: @Sendable @escaping (Told) async throws -> Void) async throws {
        let told = Told()
        let ada = #"{"name":"Ada","age":36,"type":0,"photos":[{"id":"1","ref":"ada.png"}]}"#
        let router = Router()
        @Sendable func tell(_ request: Request) async throws {
            let body = try await request.body.collect(upTo: 1 << 16)
            let text = String(buffer: body)
            told.lines.withLock { $0.append("\(request.method) \(request.uri) \(text)") }
        }
        router.post("/user/auth") { request, _ in
            try await tell(request)
            return ada
        }
        router.get("/user/users") { _, _ in "[\(ada),\(ada)]" }
        router.get("/user/:id") { _, context in
            guard context.parameters.get("id") == "ada" else { throw HTTPError(.notFound) }
            return ada
        }
        router.post("/tasks") { request, _ in
            try await tell(request)
            return ""
        }
        try await Application(router: router).test(.live) { client in
            try await $address.withValue("http://127.0.0.1:\(client.port ?? 0)") { try await body(told) }
        }
    }
}

/// What the server was told.
private final class Told: Sendable {
    let lines = Locked<[String]>([])
}

// MARK: - Ответ: a presenter

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

/// The same as the text has it: on no actor. Its events say on which thread they come.
private final class PlainPresenter: Sendable {
    private let service = ExampleService()
    private let seen: Told
    private let done: @Sendable () -> Void

    init(seen: Told, done: @escaping @Sendable () -> Void) {
        self.seen = seen
        self.done = done
    }

    func loadUsers() {
        self.service.getUsers()
            .onCompleted { [self] model in
                note("users")
            }.onError { [self] error in
                note("error")
            }.defer { [self] in
                note("no loader")
                done()
            }
    }

    private func note(_ event: String) {
        seen.lines.withLock { $0.append((UsageSeed.isOnMainQueue ? "main: " : "elsewhere: ") + event) }
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

    // MARK: - Кодировка

    /// «json», «formUrl», «urlQuery»: where each puts the parameters, and in which form.
    @Test(
        arguments: [
            (nil, #"{"id":"1 2","ref":"ä"}"#, "application/json", "/user/users"),
            (.json, #"{"id":"1 2","ref":"ä"}"#, "application/json", "/user/users"),
            (.formUrl, "id=1%202&ref=%C3%A4", "application/x-www-form-urlencoded", "/user/users"),
            (.urlQuery, "", nil, "/user/users?id=1%202&ref=%C3%A4"),
        ] as [(ParametersEncoding?, String, String?, String)]
    )
    func encodings(_ encoding: ParametersEncoding?, body: String, type: String?, target: String) async throws {
        let requests = Locked<[TransportRequest]>([])
        let transport = AnyNode<TransportRequest, TransportResponse> { request in
            requests.withLock { $0.append(request) }
            return TransportResponse()
        }
        func send() -> Observer<Void> {
            let builder = UrlChainsBuilder<RegistrationRoute>(transport: transport)
            return (encoding.map { builder.encode(as: $0) } ?? builder)
                .route(.post, .users)
                .build()
                .process(PhotoEntry(id: "1 2", ref: "ä"))
        }
        try await send().value
        let request = try #require(requests.withLock { $0.first })
        #expect(String(decoding: request.body?.bytes ?? [], as: UTF8.self) == body)
        #expect(request.headers[.contentType].map { $0.hasPrefix(type ?? "none") } ?? (type == nil))
        #expect(request.url.absoluteString == "http://example.com" + target)
    }

    // MARK: - Сервис: its four calls against a real server

    @Test func theFourCallsOfTheService() async throws {
        try await Server.run { told in
            let service = ExampleService()
            let ada = User(name: "Ada", age: 36, type: .owner, photos: [Photo(id: "1", image: "ada.png")])
            try await service.auth(user: ada).value
            #expect(service.keychain.withLock { $0 } == ["Ada"])
            #expect(try await service.getUser(by: "ada").value.photos.map(\.image) == ["ada.png"])
            #expect(try await service.getUsers().value.map(\.name) == ["Ada", "Ada"])
            try await service.updateState(by: ["a", "b"], descending: true, by: ["k": 1], max: 10, users: [ada]).value
            let user = #"{"name":"Ada","age":36,"type":0,"photos":[{"id":"1","ref":"ada.png"}]}"#
            #expect(
                told.lines.withLock { $0 } == [
                    "POST /user/auth \(user)",
                    "POST /tasks?desc=true&map%5Bk%5D=1&max=10&params=a&params=b [\(user)]",
                ]
            )
            await #expect(throws: SluiceHTTP.HTTPError.self) { try await service.getUser(by: "nobody").value }
        }
    }

    // MARK: - Ответ

    /// «Ответ от сервиса приходит в DispatchQueue.main, если поведение по-умолчанию не изменялось»: a presenter without
    /// isolation, started off the main queue, hears value, error, and `defer` on the main queue.
    @Test func theAnswerArrivesOnTheMainQueue() async throws {
        try await Server.run { _ in
            #expect(await Self.loadWithoutIsolation() == ["main: users", "main: no loader"])
        }
        await Server.$address.withValue("http://127.0.0.1:9") {
            #expect(await Self.loadWithoutIsolation() == ["main: error", "main: no loader"])
        }
    }

    @concurrent private static func loadWithoutIsolation() async -> [String] {
        let seen = Told()
        await withCheckedContinuation { continuation in
            Self.start(PlainPresenter(seen: seen) { continuation.resume() })
        }
        return seen.lines.withLock { $0 }
    }

    private static func start(_ presenter: PlainPresenter) {
        #expect(!isOnMainQueue)
        presenter.loadUsers()
    }

    /// «Сама цепочка с самого начинает свою работу в DispatchQueue.global(qos: .userInitiated)»: off the main thread, at
    /// that priority, whoever starts it; both change where the builder says so.
    @Test(arguments: [TaskPriority?.none, .utility])
    func theChainStartsAtUserInitiated(_ priority: TaskPriority?) async throws {
        let starts = Locked<[String]>([])
        let transport = AnyNode<TransportRequest, TransportResponse> { _ in
            let place = "\(Task.currentPriority) \(Self.isOnMainQueue ? "main" : "off main")"
            starts.withLock { $0.append(place) }
            return TransportResponse()
        }
        func send() -> Observer<Void> {
            let builder = UrlChainsBuilder<RegistrationRoute>(transport: transport)
            return (priority.map { builder.set(priority: $0) } ?? builder).route(.get, .users).build().process()
        }
        let expected = "\(priority ?? .userInitiated) off main"
        let low = Task.detached(priority: .background) { send() }
        try await low.value.value
        let main = await MainActor.run { send() }
        try await main.value
        #expect(starts.withLock { $0 } == [expected, expected])
    }

    private static let mainQueue = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// The queue is asked, not the thread: with an async main, another thread may drain the main queue.
    static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueue) == true }

    /// «Observer … имеет 4 возможных события»
    @Test func presenterHearsTheEvents() async throws {
        try await Server.run { _ in
            #expect(await Self.load() == ["loader", #"users: ["Ada", "Ada"]"#, "no loader"])
        }
        // Nobody listens on port 9 of loopback.
        await Server.$address.withValue("http://127.0.0.1:9") {
            #expect(await Self.load() == ["loader", "error", "no loader"])
        }
    }

    /// The fourth event: cancel.
    @Test func whoLeavesHearsOfIt() async throws {
        try await Server.run { _ in
            let heard = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                let call = ExampleService().getUsers()
                call.onCanceled(isolation: nil) { continuation.resume(returning: true) }
                call.cancel()
            }
            #expect(heard)
        }
    }

    @MainActor
    private static func load() async -> [String] {
        var presenter: Presenter?
        await withCheckedContinuation { continuation in
            presenter = Presenter(service: ExampleService()) { continuation.resume() }
            presenter?.loadUsers()
        }
        return presenter?.seen ?? []
    }
}
#endif
