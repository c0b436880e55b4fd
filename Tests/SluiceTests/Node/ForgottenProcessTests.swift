import Sluice
import SluiceTestSupport
import Testing

/// Forgetting or misspelling what a node has to implement is a compile error that says what to do.
@Suite struct ForgottenProcessTests {
    func compile(_ body: String) async throws -> Tool.Outcome {
        try await Tool.typecheck(["node.swift": "import Sluice\n" + body])
    }

    @Test func forgotten() async throws {
        let outcome = try await compile("struct Forgetful: ObserverNode<String, Int> {}")
        #expect(outcome.status != 0)
        #expect(
            outcome.errors.contains(
                "error: unavailable instance method 'process' was used to satisfy a requirement of protocol 'ObserverNode': implement process(_:) -> Observer<Output>"
            )
        )
    }

    @Test func misspelled() async throws {
        let outcome = try await compile(
            """
            struct Misspelled: ObserverNode<String, Int> {
                func proces(_ input: String) -> Observer<Int> { .emit(data: 1) }
            }
            """
        )
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("implement process(_:) -> Observer<Output>"))
    }

    @Test func spelledRightCompiles() async throws {
        let outcome = try await compile(
            """
            struct Right: ObserverNode<String, Int> {
                func process(_ input: String) -> Observer<Int> { .emit(data: 1) }
            }
            """
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test func forgottenByANode() async throws {
        let outcome = try await compile("struct Forgetful: Node<String, Int> {}")
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("does not conform to protocol 'Node'"))
    }

    /// Inside async code `await` wins: without its type an observer is not what one gets.
    @Test func observerNeedsItsTypeInAsyncCode() async throws {
        let untyped = try await compile(
            """
            func call(_ node: AnyNode<Int, Int>) async throws {
                let call = node.process(1)
                call.cancel()
            }
            """
        )
        #expect(untyped.status != 0)
        let typed = try await compile(
            """
            func call(_ node: AnyNode<Int, Int>) async throws {
                let call: Observer<Int> = node.process(1)
                call.cancel()
            }
            """
        )
        #expect(typed.status == 0, "\(typed.errors)")
    }
}
