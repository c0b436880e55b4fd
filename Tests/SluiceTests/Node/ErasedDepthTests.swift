import Foundation
import Sluice
import Testing

/// Erased stages within erased stages, by the ten thousand, on a thread with a stack of half a megabyte.
@Suite struct ErasedDepthTests {
    struct Same: SimpleFilter<Int, Int> {
        func process(_ request: Int, next: some Node<Int, Int>) async throws -> Int { try await next.process(request) }
    }

    /// Ways to put one more erased stage around, before, or after a node.
    enum Way: String, CaseIterable {
        case filtered, filterFirst, closure, anyFilter, before, after

        func around(_ node: AnyNode<Int, Int>) -> AnyNode<Int, Int> {
            switch self {
            case .filtered: AnyNode(Same().andThen(node))
            case .filterFirst: AnyNode(AnyFilter(Same()).andThen(Same()).andThen(node))
            case .closure: AnyFilter("closure") { try await $1.process($0) }.andThen(node)
            case .anyFilter: AnyFilter(Same()).andThen(node)
            case .before: AnyNode(AnyNode("before") { $0 }.andThen(node))
            case .after: AnyNode(node.andThen(AnyNode("after") { $0 }))
            }
        }

        func nested(_ count: Int) -> AnyNode<Int, Int> {
            var node = AnyNode<Int, Int>("leaf") { $0 }
            for _ in 0..<count { node = around(node) }
            return node
        }
    }

    /// Runs `body` on a thread with a small stack, whose overflow would end the process.
    func onSmallStack<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: body()) }
            thread.stackSize = 512 << 10
            thread.start()
        }
    }

    @Test(arguments: Way.allCases)
    func descriptionOfTenThousand(_ way: Way) async {
        let names = await onSmallStack { way.nested(10_000).description.components(separatedBy: " → ") }
        let each = way.nested(1).description.components(separatedBy: " → ").count - 1
        #expect(names.count == 10_000 * each + 1)
        #expect(way == .after ? names.first == "leaf" : names.last == "leaf")
    }

    @Test(arguments: Way.allCases)
    func releaseOfAHundredThousand(_ way: Way) async {
        final class Witness: Sendable {}
        let left = await onSmallStack { () -> Bool in
            weak var witness: Witness?
            do {
                let kept = Witness()
                witness = kept
                var node = AnyNode<Int, Int>("leaf") { input in
                    withExtendedLifetime(kept) {}
                    return input
                }
                for _ in 0..<100_000 { node = way.around(node) }
                withExtendedLifetime(node) {}
            }
            return witness != nil
        }
        #expect(!left)
    }

    /// Filters within filters are described and released without recursion too.
    @Test func filters() async {
        let names = await onSmallStack { () -> Int in
            var filter = AnyFilter(Same())
            for _ in 0..<2000 { filter = AnyFilter(AnyFilter(filter.andThen(AnyFilter(Same())))) }
            let count = filter.description.components(separatedBy: " → ").count
            for _ in 0..<20_000 { filter = AnyFilter(filter.andThen(AnyFilter(Same()))) }
            return count
        }
        #expect(names == 2001)
    }

    @Test func callOfTenThousand() async throws {
        #expect(try await Way.filtered.nested(10_000).process(7) == 7)
    }

    @Test(arguments: Way.allCases)
    func descriptionOfAFew(_ way: Way) {
        let expected: [Way: String] = [
            .filtered: "Same → Same → leaf", .filterFirst: "Same → Same → Same → Same → leaf",
            .closure: "closure → closure → leaf", .anyFilter: "Same → Same → leaf", .before: "before → before → leaf",
            .after: "leaf → after → after",
        ]
        #expect(way.nested(2).description == expected[way])
    }
}
