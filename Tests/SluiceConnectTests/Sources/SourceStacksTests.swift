#if Hub
import Foundation
import SluiceFilters
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceConnect

/// The filters that the requests of a stream share.
struct SourceStacksTests {
    private static let text = #"{"filters": [{"rate": {"limit": 5}}]}"#

    private static let named = NamedStacks()

    private func filters(
        _ stacks: SourceStacks,
        _ url: String,
        of stream: String?,
        _ text: String = Self.text
    ) throws -> SourceStacks.Filters {
        let stack = try stacks.stack(JSON(parsing: text))
        let address = try #require(URL(string: url))
        return try #require(try stacks.filters(stack, for: address, of: stream, in: Self.named))
    }

    /// Returns a Boolean value that indicates whether two have the same state: an edit of the one is one of the other.
    private func share(_ a: SourceStacks.Filters, _ b: SourceStacks.Filters) throws -> Bool {
        try a.replace(parsing: #"{"filters": []}"#)
        return b.document.filters.isEmpty
    }

    @Test(arguments: [
        ("http://a.example/1", "s", "http://a.example/2", "s", true),
        ("http://A.example/", "s", "http://a.example", "s", true),
        ("http://a.example/", "s", "http://a.example/", "t", false),
        ("http://a.example/", "s", "http://b.example/", "s", false),
        ("http://a.example/", "s", "https://a.example/", "s", false),
        ("http://a.example:1/", "s", "http://a.example:2/", "s", false),
        ("http://a.example/", nil, "http://a.example/", "s", false),
    ])
    func aStreamAndAnOriginShareState(
        _ url: String,
        _ stream: String?,
        _ other: String,
        _ reader: String?,
        _ isShared: Bool
    )
        throws
    {
        let stacks = SourceStacks(clock: .continuous)
        let (one, two) = (try filters(stacks, url, of: stream), try filters(stacks, other, of: reader))
        #expect(try share(one, two) == isShared)
    }

    /// A stack that is named keeps the state of its filters when it is edited; one that a source carries is another one.
    @Test func anEditOfANamedStackKeepsItsState() throws {
        let stacks = SourceStacks(clock: .continuous)
        let address = try #require(URL(string: "http://a.example/"))
        func filters(_ seconds: Int, id: String?) throws -> SourceStacks.Filters? {
            let text = #"{"filters": [{"rate": {"limit": 5}}, {"timeout": {"seconds": \#(seconds)}}]}"#
            let stack = try ConnectorStack(StackDocument(parsing: text), of: .source, id: id)
            return try stacks.filters(stack, for: address, of: "s", in: Self.named)
        }
        let (old, new) = (try #require(try filters(1, id: "p")), try #require(try filters(2, id: "p")))
        #expect(new.document.canonicalText.contains("2"))
        #expect(try share(old, new))
        let (one, other) = (try #require(try filters(1, id: nil)), try #require(try filters(2, id: nil)))
        #expect(try !share(one, other))
        let (named, carried) = (try #require(try filters(3, id: "q")), try #require(try filters(3, id: nil)))
        #expect(try !share(named, carried))
        // Filters that were removed and come back are new ones, and another hub has its own.
        let document = try StackDocument(parsing: #"{"filters": []}"#)
        let empty = try ConnectorStack(document, of: .source, id: "r")
        let before = try #require(try filters(1, id: "r"))
        #expect(try stacks.filters(empty, for: address, of: "s", in: Self.named) == nil)
        #expect(try !share(before, #require(try filters(1, id: "r"))))
        let foreign = NamedStacks()
        let stack = try ConnectorStack(StackDocument(parsing: Self.text), of: .source, id: "r")
        let elsewhere = try #require(try stacks.filters(stack, for: address, of: "s", in: foreign))
        #expect(try !share(elsewhere, #require(try filters(1, id: "r"))))
    }

    /// One stream with many origins takes nothing from others, and the host keeps a bounded number.
    @Test func theNumberOfFiltersIsBounded() throws {
        let stacks = SourceStacks(clock: .continuous)
        let first = try filters(stacks, "http://a.example/", of: "quiet")
        for number in 0..<1000 { _ = try filters(stacks, "http://a\(number).example/", of: "loud") }
        #expect(stacks.count == SourceStacks.streamCapacity + 1)
        let again = try filters(stacks, "http://a.example/", of: "quiet")
        #expect(try share(first, again))
        for number in 0..<(2 * SourceStacks.capacity) { _ = try filters(stacks, "http://a.example/", of: "s\(number)") }
        #expect(stacks.count == SourceStacks.capacity)
    }
}
#endif
