#if NATS
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceNATS

@Suite struct PartitionLayoutTests {
    private func document(_ count: Int, subject: String = "in") throws -> StreamDocument {
        try StreamDocument(
            parsing: #"""
                {"partition": {"by": "x.user", "count": \#(count)},
                 "source": {"outside": {"name": "subject", "arguments": {"subject": "\#(subject)"}}}}
                """#
        )
    }

    @Test func aChangeHaltsThenEndsThenSettles() throws {
        let first = PartitionLayout(try document(2), revision: 1, origin: 1)
        let (same, other) = (try document(2), try document(3))
        #expect(first.matches(same) && !first.matches(other))
        let halting = try #require(first.changed(to: try document(3, subject: "other"), revision: 2))
        #expect(halting.running.isHalting == true)
        #expect([halting.running.count, halting.current.count] == [2, 3])
        // The places are of the subject that the runs read now.
        #expect(halting.running.subject == "other" && halting.current.subject == "other")
        #expect(halting.changed(to: try document(4), revision: 3) == nil)
        let ending = halting.bounded(by: ["", "7/10", "7/30", "6/99"])
        #expect(ending.running.end == "7/30" && ending.current.start == "7/30" && ending.running.isHalting == nil)
        #expect(ending.settled.running == ending.current)
        // A division that has read nothing has nothing to drain.
        // Its sinks may still have something to deliver.
        let unread = halting.bounded(by: ["", ""])
        #expect(unread.ending?.end == "0/0" && unread.current.start == nil && unread.settled.running == halting.current)
    }

    /// A worker that knows an older document does not take a change back.
    @Test func onlyANewerDocumentChangesTheDivision() throws {
        let first = PartitionLayout(try document(2), revision: 5, origin: 1)
        #expect(first.changed(to: try document(3), revision: 4) == nil)
        #expect(first.changed(to: try document(3), revision: 5) == nil)
        let next = try #require(first.changed(to: try document(3), revision: 6)).bounded(by: ["7/1"]).settled
        #expect(next.changed(to: try document(2), revision: 5) == nil)
        #expect(next.changed(to: try document(2), revision: 7) != nil)
    }

    /// The bucket may have been written by anyone.
    @Test(arguments: [
        #""count": -1, "number": 1"#, #""count": 0, "number": 1"#, #""count": 5000, "number": 1"#,
        #""count": 2, "number": 9223372036854775807"#, #""count": 2, "number": -1"#,
    ])
    func anInvalidLayoutIsNotUsed(_ members: String) throws {
        let generation = "{\(members)}"
        for text in [
            #"{"current": \#(generation)}"#, #"{"current": {"count": 1, "number": 1}, "ending": \#(generation)}"#,
        ] {
            let layout = try SluiceJSONDecoder().decode(PartitionLayout.self, from: Array(text.utf8))
            #expect(!layout.isValid, "\(text)")
        }
        #expect(SubjectPlace("1/18446744073709551615") == nil)
        #expect(SubjectPlace("1/18446744073709551614")?.sequence == UInt64.max - 1)
    }

    /// A partition that is at a place of a stream that was removed has not read the one that was created in its stead.
    @Test func aPlaceReachesThoseBeforeIt() throws {
        let places = ["1/5", "1/6", "2/1", "2/3"].compactMap { SubjectPlace($0) }
        for (index, place) in places.enumerated() {
            #expect(places.map { place.reaches($0) } == places.indices.map { $0 <= index })
        }
    }
}
#endif
