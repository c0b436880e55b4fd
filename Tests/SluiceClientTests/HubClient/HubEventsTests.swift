#if HTTP
import Foundation
import HTTPTypes
import SluiceHTTP
import SluiceJSON
import SluiceTesting
import Testing

@testable import SluiceClient

@Suite(.timeLimit(.minutes(30))) struct HubEventsTests {
    let api = StubTransport()
    let events: HTTPFields = [.contentType: "text/event-stream"]

    private func all(_ events: HubClient.Events) async throws -> [HubClient.Event] {
        var all: [HubClient.Event] = []
        for try await event in events { all.append(event) }
        return all
    }

    @Test func everyEventIsRead() async throws {
        let text = """
            id: 1
            event: run
            data: {"stream": "a", "run": 1, "revision": 1, "state": "running", "time": 0, "speed": 1, "stages": []}

            event: value
            data: {"stream": "a", "stage": 1, "time": 2, "value": null, "origins": [0]}

            :

            event: news
            data: {}

            event: completed
            data: {"stream": "a", "stage": 1, "time": 3}

            event: failed
            data: {"stream": "a", "stage": 0, "time": 3, "error": "broken"}

            event: gap
            data: {"stream": "a", "before": 12.5}

            event: changed
            data: {"id": "a", "revision": 2}

            event: removed
            data: {"id": "a"}

            event: members
            data: {"group": "g"}


            """
        api.stub(.get, "/events", .text(text, headers: events), .status(.noContent))
        let told = try await all(HubClient(api).events(values: []))
        #expect(told.count == 8)
        guard case .run(let run)? = told.first else { return #expect(Bool(false)) }
        #expect(run.state == .running)
        #expect(told.dropFirst().first == .value(.init(stream: "a", stage: 1, time: 2, value: .null, origins: [0])))
        #expect(
            told.dropFirst(2).prefix(3) == [
                .ended(.init(stream: "a", stage: 1, time: 3, error: nil)),
                .ended(.init(stream: "a", stage: 0, time: 3, error: "broken")),
                .gap(.init(stream: "a", before: 12.5)),
            ]
        )
        #expect(told.suffix(2) == [.removed(id: "a"), .members(group: "g")])
        // What broke off was asked for again, from where it was.
        let last = try #require(HTTPField.Name("Last-Event-ID"))
        #expect(api.requests.map { $0.headers[last] } == [nil, "1"])
        #expect(api.requests.first?.url.query == "values=")
    }

    @Test func whatIsAskedFor() async throws {
        api.stub(RequestMatcher("any") { _ in true }, answers: .status(.noContent))
        let hub = HubClient(api)
        _ = try await all(hub.events())
        _ = try await all(hub.events(values: ["a", "b&c"]))
        _ = try await all(hub.events(of: "x/y"))
        #expect(
            api.requests.map { $0.url.absoluteString.replacing("http://hub.example", with: "") } == [
                "/events", "/events?values=a&values=b%26c", "/streams/x%2Fy/events",
            ]
        )
    }

    @Test func whatCannotBeReadIsAnError() async throws {
        api.stub(.get, "/events", .text("event: value\ndata: {\n\n", headers: events))
        let error = await #expect(throws: HTTPError.self) { try await all(HubClient(api).events()) }
        #expect(error?.code == .badBody)
        #expect(error?.description == "GET http://hub.example/events: the hub's event value can't be read")
    }

    @Test func hubThatSaysNo() async throws {
        let problem: JSON = ["detail": "there is no stream 'a'"]
        api.stub(
            .get,
            "/streams/a/events",
            .json(problem, status: .notFound, headers: [.contentType: "application/problem+json"])
        )
        let error = await #expect(throws: HTTPError.self) { try await all(HubClient(api).events(of: "a")) }
        #expect(error?.problem?.detail == "there is no stream 'a'")
    }
}
#endif
