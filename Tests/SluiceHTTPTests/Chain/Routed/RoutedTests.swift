#if HTTP
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import Testing

/// Tests of the models and stages of request chains over a protocol other than HTTP: a service in this process.
@Suite struct RoutedTests {
    enum Topic: String, Sendable { case users, photos }

    /// A service that echoes its input, with the name in capitals, and counts the calls.
    final class Service: Node {
        let calls = Locked(0)

        func process(_ request: RoutedRequest<Topic, JSON>) async throws -> JSON {
            let call = calls.withLock { calls in
                calls += 1
                return calls
            }
            if request.metadata["fails"] != nil, call == 1 { throw Refused() }
            var answer = request.raw
            answer["name"] = .string((request.raw["name"]?.string ?? "") + " of \(request.route)")
            return answer
        }
    }
    struct Refused: Error {}

    @Test func modelsGoOverARouteThatIsNoURL() async throws {
        let chain = ModelFilter<User, User>()
            .andThen(RawFilter())
            .andThen(RouteFilter(to: Topic.users))
            .andThen(Service())
        #expect(try await chain.process(User(fullName: "Ada")) == User(fullName: "Ada of users"))
        #expect(chain.description == "ModelFilter → RawFilter → RouteFilter → Service")
    }

    @Test func theFiltersOfAnyProtocolServeIt() async throws {
        let service = Service()
        let chain = RetryFilter(maxAttempts: 2)
            .andThen(ModelFilter<User, User>())
            .andThen(RawFilter())
            .andThen(TimeoutFilter(.seconds(10)))
            .andThen(RouteFilter(to: Topic.photos, metadata: ["fails": "once"]))
            .andThen(service)
        #expect(try await chain.process(User(fullName: "Ada")) == User(fullName: "Ada of photos"))
        #expect(service.calls.withLock { $0 } == 2)
    }

    @Test func oneLayerIsEnough() async throws {
        let chain = RawFilter<UserEntry, UserEntry>().andThen(RouteFilter(to: Topic.users)).andThen(Service())
        #expect(try await chain.process(UserEntry(name: "Ada", age: 1)).name == "Ada of users")
    }
}
#endif
