import Sluice
import SluiceTestSupport
import Testing

/// The compiler's verdict on code that implements nodes and calls them.
@Suite struct SpellingTests {
    func compile(_ body: String, script: Bool = false) async throws -> Tool.Outcome {
        try await Tool.typecheck([script ? "main.swift" : "node.swift": "import Sluice\n" + body])
    }

    /// A conformer without `start`, or with a misspelled one, does not compile, and the error says what to write.
    @Test(arguments: [
        "struct Forgetful: ObserverNode<String, Int> {}",
        "struct Misspelled: ObserverNode<String, Int> { func strat(_ input: String) -> Observer<Int> { .emit(data: 1) } }",
        "struct Old: ObserverNode<String, Int> { func process(_ input: String) -> Observer<Int> { .emit(data: 1) } }",
    ])
    func forgottenStart(_ body: String) async throws {
        let outcome = try await compile(body)
        #expect(outcome.status != 0)
        #expect(
            outcome.errors.contains(
                "error: unavailable instance method 'start' was used to satisfy a requirement of protocol 'ObserverNode': implement start(_:) -> Observer<Output>"
            )
        )
    }

    @Test func spelledRightCompiles() async throws {
        let outcome = try await compile(
            """
            struct Right: ObserverNode<String, Int> {
                func start(_ input: String) -> Observer<Int> { .emit(data: 1) }
            }
            func call() { Right().start("a").onCompleted { print($0) } }
            """
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test func forgottenByANode() async throws {
        let outcome = try await compile("struct Forgetful: Node<String, Int> {}")
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("does not conform to protocol 'Node'"))
    }

    /// `process` is awaited and `start` is not, in a function and at the top level of a script, with no types written.
    @Test(arguments: [false, true])
    func oneMeaningEverywhere(atTopLevel: Bool) async throws {
        let calls = """
            let value = try await node.process(1)
            let number: Int = value
            let call = node.start(1)
            let observer: Observer<Int> = call
            """
        let outcome = try await compile(
            "let node = AnyNode<Int, Int> { $0 }\n"
                + (atTopLevel ? calls : "func run() async throws {\n\(calls)\n}"),
            script: true
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!outcome.errors.contains("no 'async' operations"))
    }

    /// No `process` returns an Observer: without `await` there is no such call.
    @Test(arguments: ["func run(_ node: AnyNode<Int, Int>) { _ = node.process(1) }", ""])
    func processWithoutAwaitIsAnError(_ function: String) async throws {
        let script = "let node = AnyNode<Int, Int> { $0 }\nlet call: Observer<Int> = node.process(1)"
        #expect(try await compile(function.isEmpty ? script : function, script: true).status != 0)
    }
}
