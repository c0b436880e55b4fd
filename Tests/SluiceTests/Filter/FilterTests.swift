import Sluice
import Testing

/// Adds its name before and after.
private struct Mark<A: Sendable>: SimpleFilter<[String], A>, CustomStringConvertible {
    let name: String
    let note: Recorder<String>
    var description: String { name }

    func process(_ request: [String], next: some Node<[String], A>) async throws -> A {
        note("\(name) in")
        defer { note("\(name) out") }
        return try await next.process(request + [name])
    }
}

/// `String -> (Int -> Int) -> String`.
private struct Parse: Filter<String, String, Int, Int> {
    func process(_ request: String, next: some Node<Int, Int>) async throws -> String {
        guard let number = Int(request) else { throw Failure() }
        return "\(try await next.process(number))"
    }
}

/// Answers with the type of the next stage.
private struct TypeOfNext: SimpleFilter<Int, String> {
    func process(_ request: Int, next: some Node<Int, String>) async throws -> String { "\(type(of: next))" }
}

private struct Digits: Node {
    func process(_ input: Int) async throws -> String { "\(input)" }
}

@Suite struct FilterTests {
    let note = Recorder<String>()
    var echo: AnyNode<[String], String> { AnyNode("echo") { $0.joined(separator: ",") } }

    @Test func outermostIsCalledFirst() async throws {
        let node = Mark<String>(name: "a", note: note).andThen(Mark(name: "b", note: note)).andThen(echo)
        #expect(try await node.process([]) == "a,b")
        #expect(note.elements == ["a in", "b in", "b out", "a out"])
    }

    @Test func compositionIsAssociative() async throws {
        let (a, b, c) = (
            Mark<String>(name: "a", note: note), Mark<String>(name: "b", note: note),
            Mark<String>(name: "c", note: note)
        )
        let left = a.andThen(b).andThen(c).andThen(echo)
        let right = a.andThen(b.andThen(c.andThen(echo)))
        let middle = a.andThen(b.andThen(c)).andThen(echo)
        for node in [AnyNode(left), AnyNode(right), AnyNode(middle)] {
            #expect(try await node.process([]) == "a,b,c")
            #expect(node.description == "a → b → c → echo")
        }
        #expect(note.elements.count == 18)
    }

    @Test func changesTypes() async throws {
        let node = Parse().andThen(AnyNode { $0 + 1 })
        #expect(try await node.process("41") == "42")
        await #expect(throws: Failure()) { try await node.process("x") }
    }

    @Test func errorPassesUntouched() async {
        let failing = AnyNode<[String], String> { _ in throw Failure(code: 5) }
        let node = Mark<String>(name: "a", note: note).andThen(failing)
        await #expect(throws: Failure(code: 5)) { try await node.process([]) }
    }

    @Test func cancelPassesThrough() async {
        let waiting = AnyNode<[String], String> { _ in try await untilCancelled() }
        let node = Mark<String>(name: "a", note: note).andThen(Mark(name: "b", note: note)).andThen(waiting)
        let call: Observer<String> = node.start([])
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func closuresAreFilters() async throws {
        let twice = AnyFilter<Int, Int, Int, Int>("twice") { try await $1.process($0) + $1.process($0) }
        let node = twice.andThen(AnyNode("plus one") { $0 + 1 })
        #expect(try await node.process(2) == 6)
        #expect(node.description == "twice → plus one")
        let erased = AnyFilter(twice.andThen(twice))
        #expect(try await erased.andThen(AnyNode { $0 }).process(1) == 4)
        #expect(erased.description == "twice → twice")
    }

    @Test func aForgottenFilterSeesTheNextStageItself() async throws {
        let erased = AnyFilter(AnyFilter(TypeOfNext()))
        #expect(try await erased.andThen(Digits()).process(1) == "Digits")
        #expect(try await AnyFilter(erased.andThen(TypeOfNext())).andThen(Digits()).process(1).contains("Digits"))
        let twice = AnyNode(AnyNode("digits") { (number: Int) in "\(number)" })
        #expect(try await erased.andThen(twice).process(1) == "AnyNode<Int, String>")
        #expect(erased.andThen(twice).description == "TypeOfNext → digits")
        let closure = AnyFilter<Int, String, Int, String>("twice") { try await $1.process($0) + " " + $1.description }
        #expect(try await closure.andThen(AnyNode("digits") { "\($0)" }).process(1) == "1 digits")
        #expect(closure.andThen(twice).description == "twice → digits")
    }

    @Test func forgottenFiltersAreComposedOnce() async throws {
        let echo = AnyFilter<Int, Int, Int, Int>("echo") { try await $1.process($0) }
        let node = [echo, echo].reduce(AnyNode("double") { $0 * 2 }) { node, filter in filter.andThen(node) }
        #expect(node.description == "echo → echo → double")
        #expect(try await node.process(4) == 8)
        let marks = ["a", "b"].map { AnyFilter(Mark<String>(name: $0, note: note)) }
        let marked = marks.reversed().reduce(self.echo) { $1.andThen($0) }
        #expect(try await marked.process([]) == "a,b")
        #expect(marked.description == "a → b → echo")
    }

    @Test func namesAreReadable() {
        #expect(Parse().andThen(AnyNode("add") { $0 + 1 }).description == "Parse → add")
        #expect("\(Mark<String>(name: "a", note: note).andThen(Mark<String>(name: "b", note: note)))" == "a → b")
    }
}
