#if HTTP
import Foundation
import HTTPTypes
import Sluice
import Testing

@testable import SluiceHTTP

@Suite struct PagerTests {
    struct Failure: Error {}
    let numbers = Array(1...7)

    func pager(_ size: Int = 3) -> Pager<Int, Int> {
        .offset(size: size) { [numbers] offset, size in Array(numbers.dropFirst(offset).prefix(size)) }
    }

    func all<Position, Item>(_ pager: Pager<Position, Item>) async throws -> [[Item]] {
        var pages: [[Item]] = []
        for try await page in pager.pages { pages.append(page) }
        return pages
    }

    @Test func offsets() async throws {
        #expect(try await all(pager()) == [[1, 2, 3], [4, 5, 6], [7]])
        #expect(try await all(pager(7)) == [[1, 2, 3, 4, 5, 6, 7], []])
        #expect(try await all(pager(8)) == [[1, 2, 3, 4, 5, 6, 7]])
        let pager = pager()
        var items: [Int] = []
        for try await item in pager.items { items.append(item) }
        #expect(items == numbers)
        #expect(!pager.hasNext)
        #expect(try await pager.next() == nil)
    }

    @Test func pageNumbers() async throws {
        let asked = Locked<[Int]>([])
        let pager = Pager<Int, Int>.pages(from: 1, size: 3) { [numbers] number, size in
            asked.withLock { $0.append(number) }
            return Array(numbers.dropFirst((number - 1) * size).prefix(size))
        }
        #expect(try await all(pager) == [[1, 2, 3], [4, 5, 6], [7]])
        #expect(asked.withLock { $0 } == [1, 2, 3])
    }

    @Test func cursors() async throws {
        let pager = Pager<String?, Int>.cursor { cursor in
            switch cursor {
            case nil: Page([1], next: "b")
            case "b": Page([], next: "c")
            default: Page([3], next: nil)
            }
        }
        #expect(try await all(pager) == [[1], [], [3]])
        pager.renew()
        var items: [Int] = []
        for try await item in pager.items { items.append(item) }
        #expect(items == [1, 3])
    }

    @Test func theGreatestOffsetIsTheLast() async throws {
        let pager = Pager<Int, Int>.offset(from: .max - 1, size: 2) { _, _ in [1, 2] }
        #expect(try await all(pager) == [[1, 2]])
        let numbered = Pager<Int, Int>.pages(from: .max, size: 1) { _, _ in [1] }
        #expect(try await all(numbered) == [[1]])
    }

    @Test func aFailureChangesNothing() async throws {
        let count = Counter()
        let pager = Pager<Int, Int>.offset(size: 3) { [numbers] offset, size in
            if count.next() == 2 { throw Failure() }
            return Array(numbers.dropFirst(offset).prefix(size))
        }
        var iterator = pager.items.makeAsyncIterator()
        for expected in 1...3 { #expect(try await iterator.next() == expected) }
        await #expect(throws: Failure.self) { try await iterator.next() }
        #expect(pager.position == 3)
        for expected in 4...7 { #expect(try await iterator.next() == expected) }
        #expect(try await iterator.next() == nil)
    }

    @Test func savesAndRestores() async throws {
        let pager = pager()
        pager.restore()
        _ = try await pager.next()
        pager.saveState()
        _ = try await pager.next()
        pager.saveState()
        _ = try await pager.next()
        #expect(pager.position == nil)
        pager.restore()
        #expect(try await pager.next() == [7])
        pager.restore()
        #expect(try await pager.next() == [4, 5, 6])
        pager.restore()
        #expect(try await pager.next() == [7])
        pager.renew()
        pager.saveState()
        _ = try await pager.next()
        pager.clearStates()
        pager.restore()
        #expect(try await pager.next() == [4, 5, 6])
    }

    /// Saved positions survive a return to the first page.
    @Test func renewKeepsWhatWasSaved() async throws {
        let pager = pager()
        _ = try await pager.next()
        pager.saveState()
        pager.renew()
        #expect(try await pager.next() == [1, 2, 3])
        pager.restore()
        #expect(try await pager.next() == [4, 5, 6])
    }

    @Test func oneFetchAtATime() async throws {
        let running = Locked((now: 0, most: 0))
        let pager = Pager<Int, Int>.offset(size: 1) { offset, _ in
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            for _ in 0..<5 { await Task.yield() }
            running.withLock { $0.now -= 1 }
            return offset < 100 ? [offset] : []
        }
        let pages = try await withThrowingTaskGroup(of: [Int]?.self) { group in
            for _ in 0..<120 { group.addTask { try await pager.next() } }
            return try await group.reduce(into: []) { $0 += $1 ?? [] }
        }
        #expect(pages.sorted() == Array(0..<100))
        #expect(running.withLock { $0.most } == 1)
    }

    @Test func cancelChangesNothing() async throws {
        let never = Context<Void>()
        let begun = Counter()
        let pager = Pager<Int, Int>.offset(size: 1) { offset, _ in
            if begun.next() == 1 { try await never.value }
            return offset < 3 ? [offset] : []
        }
        let first = Task { try await pager.next() }
        while begun.value == 0 { await Task.yield() }
        let waiting = Task { try await pager.next() }
        let second = Task { try await pager.next() }
        for _ in 0..<100 { await Task.yield() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(try await second.value == [0])
        #expect(try await pager.next() == [1])
    }

    /// Many tasks arrive and some are canceled at any moment: the turn is never lost.
    @Test func cancelsAtRandom() async throws {
        let pager = Pager<Int, Int>.offset(size: 1) { offset, _ in
            await Task.yield()
            return [offset]
        }
        let tasks = (0..<500).map { _ in Task { try await pager.next() } }
        for (index, task) in tasks.enumerated() where index % 3 == 0 {
            if index % 2 == 0 { await Task.yield() }
            task.cancel()
        }
        var pages: [Int] = []
        for task in tasks { if let page = try? await task.value { pages += page } }
        #expect(pages.sorted() == Array(0..<pages.count))
        #expect(pages.count >= 333)
        #expect(try await pager.next() == [pages.count])
    }

    @Test func aServerThatGoesRound() async throws {
        let count = Counter()
        let pager = Pager<String?, Int>.cursor { _ in Page([count.next()], next: "again") }
        #expect(try await pager.next() == [1])
        #expect(try await pager.next() == [2])
        for _ in 0..<2 {
            let error = await #expect(throws: PagingError.self) { try await pager.next() }
            #expect(error == .repeated("Optional(\"again\")"))
        }
        #expect(count.value == 2)
        pager.renew()
        #expect(try await pager.next() == [3])
    }

    @Test func whatIsFetchedOnAnotherJourneyMovesNothing() async throws {
        let gate = Context<Void>()
        let begun = Counter()
        let pager = Pager<Int, Int>.offset(size: 1) { offset, _ in
            _ = begun.next()
            if offset == 1 { try await gate.value }
            return [offset]
        }
        #expect(try await pager.next() == [0])
        let late = Task { try await pager.next() }
        while begun.value < 2 { await Task.yield() }
        pager.renew()
        gate.emit(())
        #expect(try await late.value == [1])
        #expect(pager.position == 0)
    }
}

@Suite struct LinkPagerTests {
    let link: HTTPField.Name

    init() throws { link = try #require(HTTPField.Name("Link")) }

    func pager(_ stub: Stub) throws -> Pager<URL, String> {
        .links(from: try .get("https://example.com/users?page=1", [.authorization: "a"]), through: stub.node) {
            [try await $0.text()]
        }
    }

    @Test func follows() async throws {
        let stub = Stub(
            .of(200, [link: "<?page=2>; rel=\"next\", <?page=9>; rel=last"], "1"),
            .of(200, [link: "</users?page=1>; rel=prev,</users?page=3>;REL=NEXT"], "2"),
            .streamed(200, [link: "<?page=2>; rel=prev"], ["3"])
        )
        var texts: [String] = []
        for try await text in try pager(stub).items { texts.append(text) }
        #expect(texts == ["1", "2", "3"])
        #expect(stub.requests.map(\.url.query) == ["page=1", "page=2", "page=3"])
        #expect(stub.requests.allSatisfy { $0.headers == [.authorization: "a"] })
    }

    @Test func theSameLinkForEver() async throws {
        let stub = Stub(.of(200, [link: "</users?page=1>; rel=next"], "1"))
        let pager = try pager(stub)
        #expect(try await pager.next() == ["1"])
        let error = await #expect(throws: PagingError.self) { try await pager.next() }
        #expect(
            "\(try #require(error))" == "the next page is one that was there already: https://example.com/users?page=1"
        )
        #expect(stub.requests.count == 1)
    }

    @Test func anotherServer() async throws {
        let stub = Stub(.of(200, [link: "<https://other.example/users>; rel=next"], "1"))
        let error = await #expect(throws: PagingError.self) { try await pager(stub).next() }
        #expect("\(try #require(error))" == "the next page is on another server: https://other.example/users")
    }

    /// The examples of RFC 8288, 3.5, and unusual fields.
    @Test func fields() {
        let chapter = WebLink.parse(
            "<http://example.com/TheBook/chapter2>; rel=\"previous\";\n title=\"previous chapter\"".replacing(
                "\n",
                with: ""
            )
        )
        #expect(
            chapter == [
                WebLink(
                    target: "http://example.com/TheBook/chapter2",
                    relations: ["previous"],
                    parameters: ["rel": "previous", "title": "previous chapter"]
                )
            ]
        )
        #expect(WebLink.parse("</>; rel=\"http://example.net/foo\"").first?.relations == ["http://example.net/foo"])
        let several = WebLink.parse("<http://example.org/>; rel=\"start http://example.net/relation/other\"")
        #expect(several.first?.relations == ["start", "http://example.net/relation/other"])
        let two = WebLink.parse("</a,b;c>; rel=\"x\"; title*=UTF-8'de'letztes%20Kapitel, </d>; rel=\"y\"; rel=z")
        #expect(two.map(\.target) == ["/a,b;c", "/d"])
        #expect(two.map(\.relations) == [["x"], ["y"]])
        #expect(WebLink.parse("<a>; title=\"a, \\\"<b>; rel=next\"; rel=up").map(\.relations) == [["up"]])
        #expect(WebLink.parse("<a>;;; rel , <b> ; rel = next").map(\.relations) == [[], ["next"]])
    }

    @Test(arguments: ["", ",", "a; rel=next", "<a", "<a>x", "<a>; rel=\"next", "<a>;", "<a>; =b", "<<a>>; rel=\"\\"])
    func oddFields(_ text: String) {
        #expect(WebLink.parse(text).count <= 1)
    }

    @Test func linksOfSomethingElse() throws {
        let url = try URL.of("https://example.com/")
        #expect(TransportResponse(headers: [link: "<a>; rel=next; anchor=\"#x\""]).link("next", relativeTo: url) == nil)
        #expect(TransportResponse(headers: [link: "<mailto:a@b>; rel=next"]).link("next", relativeTo: url) == nil)
        #expect(TransportResponse().links == [])
    }
}
#endif
