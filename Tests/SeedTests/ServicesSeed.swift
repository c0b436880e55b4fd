#if HTTP && OpenCombine && SQLite && Server
// Every sample of seeds/services-and-filters.md, in its order, as its text calls it: from synchronous functions. Changes to
// the samples:
//
// - `class X: Service<A, B>` is `struct X: Service<A, B>`, since `Service` is a protocol, and `override` goes.
// - The composed calls use VoidService, since the text's filters take `Void` where its TestService takes `Int`.
// - `print("result is …")` notes the line, so that the test can read it, and each call returns its Future to the test.
// - NetworkDataService gets a transport, and `<url>` is an address. One test uses the real network of the machine.
// - `AuthFilter()` is declared here: the text does not say how its filter logs in.

import Foundation
import Sluice
import SluiceClassic
import SluiceFilters
import SluiceHTTP
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// MARK: - Service: «Простой пример сервиса»

private struct TestService: Service<Int, String> {
    func apply(request: Int) -> Future<String> {
        return Future<String>.success("test ok")
    }
}

/// The same with nothing to take, as the composed calls use it; it answers once one is logged in.
private struct VoidService: Service<Void, String> {
    var account = Account()
    func apply(request: Void) -> Future<String> {
        account.calls.withLock { $0 += 1 }
        if account.isOut.withLock({ $0 }) { return .failure(UnauthorizedError()) }
        return Future<String>.success("test ok")
    }
}

private final class Account: Sendable {
    let isOut = Locked(true)
    let calls = Locked(0)
    static let test = Account()
}

/// The sample's `AuthFilter()`: the test's own login.
extension AuthFilter where Request == Void, Response == String {
    fileprivate init() {
        self.init(refresh: { Account.test.isOut.withLock { $0 = false } })
    }
}

@Suite(.serialized) struct ServicesSeed {
    init() {
        Account.test.isOut.withLock { $0 = true }
        Account.test.calls.withLock { $0 = 0 }
    }

    @Test func simpleService() async throws {
        func call() -> Future<String> { return TestService().apply(request: 1) }
        #expect(try await call().value == "test ok")
    }

    // MARK: - Фильтр авторизации

    @Test func authFilter() async throws {
        let results = Locked<[String]>([])
        func start() -> Future<String> {
            AuthFilter<Void, String>()
                .andThen(VoidService(account: .test))
                .apply()
                .respond { result in results.withLock { $0.append("result is \(result)") } }
        }
        let call = start()
        _ = try await call.value
        await settled(call)
        #expect(results.withLock { $0 } == [#"result is success("test ok")"#])
        #expect(Account.test.calls.withLock { $0 } == 2)
    }

    // MARK: - «к примеру к запросу выше можно добавить фильтр RetryFilter»

    @Test func authAndRetryFilter() async throws {
        let results = Locked<[String]>([])
        func start() -> Future<String> {
            AuthFilter<Void, String>()
                .andThen(RetryFilter<Void, String>(attempt: 3))
                .andThen(VoidService(account: .test))
                .apply()
                .respond { result in results.withLock { $0.append("result is \(result)") } }
        }
        let call = start()
        _ = try await call.value
        await settled(call)
        #expect(results.withLock { $0 } == [#"result is success("test ok")"#])
        // Three tries before the login, one after it.
        #expect(Account.test.calls.withLock { $0 } == 4)
    }

    // MARK: - «при возникновении ошибки запрос будет выполнен 3 раза»

    @Test func retryReturnsTheErrorAfterThreeTries() async throws {
        let stack = RetryFilter<Void, String>(attempt: 3).andThen(VoidService(account: .test))
        let call = stack.apply()
        await #expect(throws: UnauthorizedError()) { try await call.value }
        #expect(Account.test.calls.withLock { $0 } == 3)
    }

    // MARK: - Простой сетевой запрос к апи

    struct User: Decodable, Equatable, Sendable { let name: String }
    struct UserError: Error, Decodable, Equatable { let reason: String }

    /// A server that answers 200 with either, in this process; the same over the network is the test below.
    func api(_ body: String) -> AnyNode<TransportRequest, TransportResponse> {
        AnyNode { _ in TransportResponse(body: Array(body.utf8)) }
    }

    func results(_ service: NetworkDataService, _ url: String) async throws -> [String] {
        let results = Locked<[String]>([])
        let url = try #require(URL(string: url))
        func start() -> Future<User> {
            TransformFailureIfNeededTo<UserError, User>()
                .andThen(TransformJsonTo<User>())
                .andThen(service)
                .apply(request: URLRequest(url: url))
                .respond { result in results.withLock { $0.append("result is \(result)") } }
        }
        let call = start()
        await withCheckedContinuation { continuation in
            call.defer(isolation: nil) { continuation.resume() }
        }
        return results.withLock { $0 }
    }

    @Test func modelOrErrorOfTheServer() async throws {
        let url = "http://example.com/user"
        let user = try await results(NetworkDataService(transport: api(#"{"name": "Ada"}"#)), url)
        #expect(
            user.first?.hasPrefix("result is success(") == true && user.first?.contains(#"User(name: "Ada")"#) == true
        )
        let error = try await results(NetworkDataService(transport: api(#"{"reason": "unknown"}"#)), url)
        #expect(error.first?.contains(#"UserError(reason: "unknown")"#) == true)
        let neither = try await results(NetworkDataService(transport: api("<html>")), url)
        #expect(neither.first?.contains("TransformError") == true)
    }

    static let httpbin = ProcessInfo.processInfo.environment["SLUICE_HTTPBIN"] ?? ""

    @Test(.enabled(if: !httpbin.isEmpty, "httpbin is not there: Python or its packages cannot be had; see bin/test"))
    func simpleNetworkRequest() async throws {
        // httpbin answers with its own address as "url": a User by another name is enough here.
        struct Echo: Decodable, Sendable { let url: String }
        let answer = try await TransformFailureIfNeededTo<UserError, Echo>()
            .andThen(TransformJsonTo<Echo>())
            .andThen(NetworkDataService())
            .apply(request: URLRequest(url: try #require(URL(string: Self.httpbin + "/get"))))
            .value
        #expect(answer.url == Self.httpbin + "/get")
    }

    // MARK: - Создание произвольного фильтра: model in, dictionary to the store and back

    @Test func customFilterBeforeADatabase() async throws {
        let store = AnyNode<[String: String], [String: String]>("store") { $0.merging(["id": "1"]) { $1 } }
        let node = UserToDictionary().andThen(store)
        let user = try await node.process(StoredUser(id: nil, name: "Ada"))
        #expect(user == StoredUser(id: "1", name: "Ada"))
        #expect(node.description == "UserToDictionary → store")
    }

    // MARK: - SimpleFilter: «не преобразует типы запросов и ответов»

    @Test func simpleFilterChangesNoType() async throws {
        struct Same<A: Sendable, B: Sendable>: SimpleFilter<A, B> {
            func process(_ request: A, next: some Node<A, B>) async throws -> B { try await next.process(request) }
        }
        #expect(try await Same().andThen(TestService()).process(1) == "test ok")
    }

    /// Waits for the listeners that were registered before.
    private func settled(_ call: Future<String>) async {
        await withCheckedContinuation { continuation in
            call.defer(isolation: nil) { continuation.resume() }
        }
    }
}

private struct StoredUser: Equatable {
    var id: String?
    var name: String
}

private struct UserToDictionary: Filter<StoredUser, StoredUser, [String: String], [String: String]> {
    func process(
        _ request: StoredUser,
        next: some Node<[String: String], [String: String]>
    ) async throws -> StoredUser {
        let answer = try await next.process(["name": request.name])
        return StoredUser(id: answer["id"], name: answer["name"] ?? "")
    }
}
#endif
