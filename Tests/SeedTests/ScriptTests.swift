#if HTTP && OpenCombine && SQLite && Server
import SluiceTestSupport
import Testing

/// The `process` that returns an Observer is for synchronous code: at the top level of a script that awaits, where the
/// compiler prefers it, it is an error that names `start`.
@Suite struct ScriptTests {
    let head = """
        import Sluice
        import SluiceClassic
        struct Doubler: Node { func process(_ input: Int) async throws -> Int { input * 2 } }
        struct Now: Node { func process(_ input: Void) async throws -> Int { 1 } }

        """

    @Test(arguments: ["try await Doubler().process(4)", "try await Now().process()"])
    func aScriptThatAwaits(_ call: String) async throws {
        let outcome = try await Tool.typecheck(
            ["main.swift": head + "let value = \(call)\nprint(value)"],
            Tool.moduleFlags()
        )
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("error: instance method 'process' is unavailable from asynchronous contexts"))
        #expect(outcome.errors.contains("write `start`"))
    }

    @Test func allElseCompiles() async throws {
        let outcome = try await Tool.typecheck(
            [
                "main.swift": head + """
                    func synchronous() { Doubler().process(4).onCompleted { print($0) } }
                    func asynchronous() async throws -> Int { try await Doubler().process(4) + Now().process() }
                    let observer = Doubler().start(4)
                    let value: Int = try await observer.value
                    """
            ],
            Tool.moduleFlags()
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test(arguments: [
        ("struct Forgetful: ClassicNode<Int, Int> {}", "implement process(_:) -> Observer<Output>"),
        ("struct Forgetful: Service<Int, Int> {}", "implement apply(request:) -> Future<Output>"),
    ])
    func forgottenRequirements(_ code: String, _ message: String) async throws {
        let outcome = try await Tool.typecheck(["code.swift": head + code], Tool.moduleFlags())
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains(message))
    }
}
#endif
