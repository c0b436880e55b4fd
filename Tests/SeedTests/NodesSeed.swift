#if HTTP && OpenCombine && SQLite && Server
// Every sample of seeds/nodes.md, in its order, as its text calls it: from synchronous functions. Changes to the samples:
//
// - `class X: Node<A, B>` is `final class X: ClassicNode<A, B>`, since `Node` is a protocol, and `override` goes.
// - The second DispatcherNode is named ShortDispatcherNode, since the text has two.
// - Typing errors are mended: `debContext`, `cantConect`, `undefind`, `(error as NSError)?.statusCode`, and the missing
//   `override` of DispatcherNode.
// - DBContext, which the text leaves abstract, is written here.

import Dispatch
import Foundation
import Sluice
import SluiceClassic
import Testing

// MARK: - Принцип работы библиотеки: the structure that we want in the end

private struct User {
    let id: String
    let name: String
    let photo: String
}

/// The text's abstract SQL database; it notes on which queue each query runs.
private final class DBContext: Sendable {
    static let shared = DBContext()
    static let queue = DispatchSpecificKey<String>()
    let places = Locked<[String: [String?]]>([:])

    func execute(_ query: String) throws -> User {
        places.withLock { $0[query, default: []].append(DispatchQueue.getSpecific(key: Self.queue)) }
        guard let id = query.components(separatedBy: "ID == ").last, let code = Int(id) else {
            return User(id: String(query.suffix(3)), name: "Ada", photo: "ada.png")
        }
        throw NSError(domain: "DB", code: code)
    }
}

// MARK: - UserReaderNode

private final class UserReaderNode: ClassicNode<String, User> {

    let dbContext = DBContext.shared

    func process(_ data: String) -> Observer<User> {

        let result = Context<User>()

        do {
            let user = try self.dbContext.execute("SELECT user from user_table WHERE ID == \(data)")
            result.emit(user)
        } catch {
            result.emit(error: error)
        }

        return result
    }
}

// MARK: - «Теперь мы можем использовать это вот так»

private func getUser(by id: String) -> Observer<User> {
    return UserReaderNode().process(id)
}

// MARK: - ErrorMapperNode

private enum ReadError: Error {
    case notFound
    case cantConnect
    case badRequest
    case undefined
}

private final class ErrorMapperNode: ClassicNode<String, User> {

    let next = UserReaderNode()

    func process(_ data: String) -> Observer<User> {
        return self.next.process(data).map { error in
            switch (error as NSError).code {
            case 100:
                return ReadError.notFound
            case 101:
                return ReadError.cantConnect
            case 102:
                return ReadError.badRequest
            default:
                return ReadError.undefined
            }
        }
    }
}

// MARK: - DispatcherNode

private final class DispatcherNode: ClassicNode<String, User> {

    let queue: DispatchQueue

    let next = ErrorMapperNode()

    init(queue: DispatchQueue) {
        self.queue = queue
    }

    func process(_ data: String) -> Observer<User> {
        let result = Context<User>()

        self.queue.async {
            self.next.process(data)
                .onCompleted { model in
                    result.emit(model)
                }.onError { error in
                    result.emit(error: error)
                }
        }

        return result
    }
}

// MARK: - «Кстати реализовать это можно иначе»

private final class ShortDispatcherNode: ClassicNode<String, User> {

    let queue: DispatchQueue

    let next = ErrorMapperNode()

    init(queue: DispatchQueue) {
        self.queue = queue
    }

    func process(_ data: String) -> Observer<User> {

        return .emit(data: data)
            .dispatch(on: self.queue)
            .map { self.next.process($0) }
    }
}

// MARK: - What the text says of them

@Suite struct NodesSeed {
    let queue: DispatchQueue

    init() {
        queue = DispatchQueue(label: "given")
        queue.setSpecific(key: DBContext.queue, value: "given")
    }

    @Test func idBecomesAUser() async throws {
        #expect(try await getUser(by: "ada").value.id == "ada")
    }

    @Test func readErrorIsMapped() async {
        for (code, error) in ["100": ReadError.notFound, "101": .cantConnect, "102": .badRequest, "7": .undefined] {
            await #expect(throws: error) { try await ErrorMapperNode().process(code) }
        }
    }

    @Test func mapperLeavesTheUser() async throws {
        #expect(try await ErrorMapperNode().process("ada").name == "Ada")
    }

    @Test func bothDispatchersAnswer() async throws {
        #expect(try await DispatcherNode(queue: queue).process("ada").id == "ada")
        #expect(try await ShortDispatcherNode(queue: queue).process("ada").id == "ada")
        await #expect(throws: ReadError.notFound) { try await DispatcherNode(queue: queue).process("100") }
        await #expect(throws: ReadError.notFound) { try await ShortDispatcherNode(queue: queue).process("100") }
    }

    /// Calls a node as the text does, from a function without `await`.
    private func call(_ node: some ClassicNode<String, User>, _ id: String) -> Observer<User> {
        return node.process(id)
    }

    /// «который будет вызывать следующий узел на заданном нами потоке»: the database is asked on that queue, and not before
    /// the queue runs; without a dispatcher it is asked on the caller's thread, at once.
    @Test func theNextNodeIsCalledOnTheGivenQueue() async throws {
        func places(_ id: String) -> [String?] {
            DBContext.shared.places.withLock { $0["SELECT user from user_table WHERE ID == \(id)"] ?? [] }
        }
        queue.suspend()
        let calls = [
            call(DispatcherNode(queue: queue), "100000001"), call(ShortDispatcherNode(queue: queue), "100000002"),
        ]
        _ = call(ErrorMapperNode(), "100000003")
        #expect(places("100000001").isEmpty && places("100000002").isEmpty)  // nothing runs before the queue does
        #expect(places("100000003") == [nil])
        queue.resume()
        for call in calls { await #expect(throws: ReadError.undefined) { try await call.value } }
        #expect(places("100000001") == ["given"])
        #expect(places("100000002") == ["given"])
    }

    @Test func callContextPassesBothDispatchers() async throws {
        var context = CallContext()
        context.attempt = 3
        let calls: [Observer<User>] = withCallContext(context) {
            [DispatcherNode(queue: queue).start("ada"), ShortDispatcherNode(queue: queue).start("ada")]
        }
        for call in calls {
            let attempt = await withCheckedContinuation { continuation in
                call.defer(isolation: nil) { continuation.resume(returning: CallContext.current.attempt) }
            }
            #expect(attempt == 3)
        }
    }
}
#endif
