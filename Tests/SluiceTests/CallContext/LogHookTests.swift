import Sluice
import Testing

@Suite struct LogHookTests {
    @Test func messageIsNotMadeWithoutAHook() {
        CallContext.log(
            .error,
            {
                Issue.record("made"); return ""
            }()
        )
        Observer<Int>.emit(data: 1).log(
            {
                Issue.record("made"); return ""
            }()
        )
    }

    @Test func messageBelowTheLevelIsNotMade() {
        var context = CallContext()
        let note = Recorder<String>()
        context.log = LogHook(from: .info) { note($0.message) }
        withCallContext(context) {
            CallContext.log(
                .debug,
                {
                    Issue.record("made"); return ""
                }()
            )
            CallContext.log(.info, "wanted")
        }
        #expect(note.elements == ["wanted"])
    }

    @Test func recordBearsTheContext() {
        var context = CallContext()
        let note = Recorder<String>()
        context.metadata = ["user": "ada"]
        context.attempt = 2
        context.log = LogHook { note("\($0.level) \($0.message) \($0.metadata) \($0.attempt)") }
        withCallContext(context) { CallContext.log(.warning, "slow") }
        #expect(note.elements == [#"warning slow ["user": "ada"] 2"#])
    }

    @Test func observerLogsItsEnd() {
        var context = CallContext()
        let note = Recorder<String>()
        context.log = LogHook { note("\($0.level): \($0.message)") }
        withCallContext(context) {
            Observer<Int>.emit(data: 8).log("double")
            Observer<Int>.emit(error: Failure(code: 3)).log("double")
            Context<Int>().cancel().log("double")
        }
        #expect(
            note.elements == [
                "debug: double: completed with 8",
                "error: double: failed with Failure(code: 3)",
                "info: double: canceled",
            ]
        )
    }
}
