import Sluice
import SluiceFilters
import Testing

private struct Failure: Error, Equatable {}

private struct StoredUser: Equatable {
    var id: String?
    var name: String
}

@Suite struct MapFilterTests {
    /// The filter before a database service that the seed describes: a model in, a dictionary to the store and back.
    @Test func aModelToTheStoreAndBack() async throws {
        let store = AnyNode<[String: String], [String: String]>("store") { $0.merging(["id": "1"]) { $1 } }
        let filter = MapFilter(
            request: { (user: StoredUser) in ["name": user.name] },
            response: { (row: [String: String]) in StoredUser(id: row["id"], name: row["name"] ?? "") }
        )
        let node = filter.andThen(store)
        #expect(try await node.process(StoredUser(name: "Ada")) == StoredUser(id: "1", name: "Ada"))
        #expect(node.description == "MapFilter → store")
    }

    @Test func oneDirection() async throws {
        let double = AnyNode<Int, Int> { $0 * 2 }
        let asking = MapFilter<String, Int, Int, Int>(request: { $0.count })
        #expect(try await asking.andThen(double).process("four") == 8)
        let answering = MapFilter<Int, String, Int, Int>(response: { "\($0)" })
        #expect(try await answering.andThen(double).process(4) == "8")
    }

    @Test func whatTheClosuresThrowIsThrown() async {
        let called = Tries()
        let node = AnyNode<Int, Int> {
            called.note($0)
            return $0
        }
        let asking = MapFilter<Int, Int, Int, Int>(request: { _ in throw Failure() })
        await #expect(throws: Failure()) { try await asking.andThen(node).process(1) }
        #expect(called.count == 0)
        let answering = MapFilter<Int, Int, Int, Int>(response: { _ in throw Failure() })
        await #expect(throws: Failure()) { try await answering.andThen(node).process(1) }
        #expect(called.count == 1)
    }
}
