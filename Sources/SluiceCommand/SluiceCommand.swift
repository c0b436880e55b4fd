#if Command
import ArgumentParser

/// The command line.
@main
struct SluiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sluice",
        abstract: "Typed async pipelines: call them, stack them, save them.",
        version: Version.current,
        subcommands: [
            Serve.self, Run.self, Check.self, Test.self, Plan.self, Draw.self, Import.self, Eval.self, Infer.self,
            Call.self, Push.self, Pull.self, Follow.self, SecretsCommand.self, DeadLetters.self, Status.self,
            Migrate.self, Work.self,
        ]
    )

    /// Runs the command that the arguments name.
    static func main() async {
        let (arguments, rest) = Operands.separated(Array(CommandLine.arguments.dropFirst()))
        await Operands.$rest.withValue(rest) { await main(EvalArguments.separated(arguments)) }
    }
}
#endif
