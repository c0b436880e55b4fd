#if Hub
import HTTPTypes
import NIOCore
import SluiceJSON
import SluiceStore
import SluiceTesting
import Testing

@testable import SluiceHub

@Suite struct GroupTests {
    private let texts = [
        Document.items("a", [1], name: "numbers"), #"{"id": "b", "source": {"ref": "numbers"}, "operators": []}"#,
        Document.items("c", [3]),
    ]

    private func subscribe(_ hub: Hub, _ group: String, after last: String? = nil) async throws -> GroupSubscriber {
        GroupSubscriber(try await hub.hub.subscribe(toGroup: group, after: last))
    }

    private final class GroupSubscriber {
        private var events: EventSubscription.Events.Iterator
        let subscription: EventSubscription

        init(_ subscription: EventSubscription) {
            self.subscription = subscription
            events = subscription.events.makeAsyncIterator()
        }

        func next() async throws -> (id: String, name: String, data: JSON)? {
            guard let bytes = await events.next(isolation: #isolation) else { return nil }
            let lines = String(buffer: bytes).split(separator: "\n")
            guard lines.count == 3 else { return try await next() }
            return (
                String(lines[0].dropFirst(4)), String(lines[1].dropFirst(7)),
                try JSON(parsing: String(lines[2].dropFirst(6)))
            )
        }
    }

    @Test func allIsAlwaysThere() async throws {
        let hub = try await Hub(texts)
        #expect(
            try await hub.ask(.get, "/groups").json == [["name": "all", "streams": ["a", "b", "c"], "members": 0]]
        )
        #expect(try await hub.ask(.delete, "/groups/all").status == .conflict)
        #expect(try await hub.ask(.put, "/groups/all/streams/a").status == .conflict)
        let events = try await subscribe(hub, "all")
        let set = try #require(try await events.next())
        #expect(set.name == "set" && set.data["group"] == "all")
        #expect(set.data["documents"]?.array?.map { $0["id"] } == ["a", "b", "c"])
        #expect(set.data["documents"]?[0]?["text"]?.string == texts[0])
        _ = try await hub.ask(.post, "/streams", Document.items("d", [4]))
        let put = try #require(try await events.next())
        #expect(put.name == "put" && put.data["id"] == "d" && put.data["revision"] == 1)
        _ = try await hub.ask(.delete, "/streams/d", nil, ["If-Match": "\"1\""])
        let remove = try #require(try await events.next())
        #expect(remove.name == "remove" && remove.data == ["id": "d"])
    }

    /// The members get the stacks that their streams name, and no others.
    @Test(arguments: ["all", "blue"]) func aGroupHasTheStacksOfItsStreams(_ group: String) async throws {
        let poll = #"{"id": "p", "source": {"poll": {"url": "http://a.example/", "seconds": 1, "stack": "s"}}}"#
        let hub = try await Hub([#"{"id": "s", "filters": []}"#, #"{"id": "t", "filters": []}"#, poll])
        if group != "all" {
            _ = try await hub.ask(.put, "/groups/blue")
            #expect(try await hub.ask(.put, "/groups/blue/streams/p").status == .noContent)
        }
        let events = try await subscribe(hub, group)
        let documents = try #require(try await events.next()).data["documents"]?.array ?? []
        #expect(documents.map { $0["id"] } == ["p", "s"])
        #expect(documents.map { $0["isReference"] } == [false, true])
        _ = try await hub.ask(.put, "/stacks/t", #"{"filters": [{"rate": {"limit": 1}}]}"#, ["If-Match": "\"1\""])
        _ = try await hub.ask(.put, "/stacks/s", #"{"filters": [{"rate": {"limit": 1}}]}"#, ["If-Match": "\"1\""])
        let put = try #require(try await events.next())
        #expect(put.name == "put" && put.data["id"] == "s" && put.data["revision"] == 2)
    }

    @Test func aGroupHasWhatItIsGivenAndWhatThatRefersTo() async throws {
        let hub = try await Hub(texts)
        #expect(try await hub.ask(.put, "/groups/blue").status == .created)
        #expect(try await hub.ask(.put, "/groups/blue").status == .noContent)
        let events = try await subscribe(hub, "blue")
        #expect(try await events.next()?.data["documents"] == [])
        #expect(try await hub.ask(.put, "/groups/blue/streams/b").status == .noContent)
        let reference = try #require(try await events.next())
        #expect(reference.data["id"] == "a" && reference.data["isReference"] == true)
        let own = try #require(try await events.next())
        #expect(own.data["id"] == "b" && own.data["isReference"] == false)
        // A change of a referenced stream is published; a change of another stream is not.
        _ = try await hub.ask(.put, "/streams/c", Document.items("c", [4]), ["If-Match": "\"1\""])
        _ = try await hub.ask(.put, "/streams/a", Document.items("a", [9], name: "numbers"), ["If-Match": "\"1\""])
        let edited = try #require(try await events.next())
        #expect(edited.data["id"] == "a" && edited.data["revision"] == 2)
        #expect(try await hub.ask(.delete, "/groups/blue/streams/b").status == .noContent)
        #expect(try await events.next()?.data == ["id": "a"])
        #expect(try await events.next()?.data == ["id": "b"])
        #expect(try await hub.ask(.put, "/groups/none/streams/b").status == .notFound)
        #expect(try await hub.ask(.put, "/groups/blue/streams/none").status == .notFound)
        #expect(try await hub.ask(.get, "/groups/none/events").status == .notFound)
    }

    @Test func whoComesBackHearsWhatCameMeanwhile() async throws {
        let hub = try await Hub(texts)
        let stays = try await subscribe(hub, "all")
        let last = try #require(try await stays.next()).id
        _ = try await hub.ask(.put, "/streams/c", Document.items("c", [4]), ["If-Match": "\"1\""])
        let back = try await subscribe(hub, "all", after: last)
        let event = try #require(try await back.next())
        #expect(event.name == "put" && event.data["id"] == "c" && event.data["revision"] == 2)
        for id in ["other-1", "test-9999", ""] {
            #expect(try await subscribe(hub, "all", after: id).next()?.name == "set")
        }
    }

    /// A member that falls too far behind is disconnected with a notice, and others do not wait for it.
    @Test func aSlowMemberIsDropped() async throws {
        let hub = try await Hub(texts)
        let slow = try await subscribe(hub, "all")
        let fast = try await subscribe(hub, "all")
        _ = try await fast.next()
        for number in 0...HubGroup.backlog {
            await hub.hub.publish("all", "put", #"{"number": \#(number)}"#)
            #expect(try await fast.next()?.data["number"]?.int == number)
        }
        #expect(slow.subscription.isSlow && !fast.subscription.isSlow)
        let farewell = try #require(slow.subscription.farewell)
        let reason = "too many events were waiting: more than 1024 events"
        #expect(String(buffer: farewell) == "event: slow\ndata: {\"reason\": \"\(reason)\"}\n\n")
        #expect(fast.subscription.farewell == nil)
        var last: JSON?
        while let event = try await slow.next() { last = event.data }
        #expect(last?["number"]?.int == HubGroup.backlog - 2)
        #expect(await hub.hub.subscriberCount == 1)
        withExtendedLifetime(fast) {}
    }

    @Test func membersReport() async throws {
        let hub = try await Hub(texts)
        let events = try hub.subscribe()
        let report =
            #"{"name": "worker", "streams": [{"id": "a", "revision": 1, "state": "running", "time": 1.5, "more": 1}]}"#
        #expect(try await hub.ask(.put, "/groups/all/members/m1", report).status == .noContent)
        #expect(try await events.next("members").data == ["group": "all"])
        let member = try await hub.ask(.get, "/groups/all").json["members"]?[0]
        #expect(member?["id"] == "m1" && member?["name"] == "worker" && member?["isPresent"] == true)
        #expect(member?["streams"] == [["id": "a", "revision": 1, "state": "running", "time": 1.5]])
        // The passing of time is not published; the departure is.
        let later = report.replacing("1.5", with: "9.5")
        #expect(try await hub.ask(.put, "/groups/all/members/m1", later).status == .noContent)
        hub.clock.advance(by: .seconds(31))
        await hub.hub.tend()
        #expect(try await events.next("members").data == ["group": "all"])
        #expect(try await hub.ask(.get, "/groups/all").json["members"]?[0]?["isPresent"] == false)
        #expect(try await hub.ask(.delete, "/groups/all/members/m1").status == .noContent)
        #expect(try await hub.ask(.get, "/groups/all").json["members"] == [])
        for bad in ["[]", "{}", #"{"streams": [1]}"#, #"{"streams": [{"id": 1, "revision": 1, "state": "x"}]}"#] {
            #expect(try await hub.ask(.put, "/groups/all/members/m1", bad).status == .unprocessableContent)
        }
        #expect(try await hub.ask(.put, "/groups/none/members/m1", report).status == .notFound)
    }

    @Test func theForgottenAreForgotten() async throws {
        let hub = try await Hub(texts)
        let report = #"{"streams": []}"#
        #expect(try await hub.ask(.put, "/groups/all/members/m1", report).status == .noContent)
        hub.clock.advance(by: .seconds(3601))
        await hub.hub.tend()
        #expect(try await hub.ask(.get, "/groups/all").json["members"] == [])
    }

    @Test func groupsAreStored() async throws {
        let store = MemoryStreamStore()
        let hub = try await Hub(texts, on: store)
        _ = try await hub.ask(.put, "/groups/blue")
        _ = try await hub.ask(.put, "/groups/blue/streams/c")
        let next = try await Hub(on: store)
        #expect(try await next.ask(.get, "/groups/blue").json["streams"]?.array?.map { $0["id"] } == ["c"])
        #expect(try await next.ask(.delete, "/groups/blue").status == .noContent)
        #expect(try await next.ask(.get, "/groups/blue").status == .notFound)
    }
}
#endif
