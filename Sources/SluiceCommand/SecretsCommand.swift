#if Command
import ArgumentParser
import SluiceConnect

/// `sluice secrets`
struct SecretsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secrets",
        abstract: "Check files of secrets.",
        subcommands: [CheckSecrets.self]
    )
}

/// `sluice secrets check`
struct CheckSecrets: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a file of secrets: its mode, its form, and the variables of the environment that it names.",
        discussion: """
            Prints the name of each secret and the origins that it may be sent to, a tab between them, and no value. The \
            file is an object: {"NAME": {"value": "…", "origins": ["https://api.example.com"]}}; {"environment": "NAME"} \
            replaces a value. Only its owner may read it (chmod 600).
            """
    )

    @Argument(help: "The file.", completion: .file())
    var file: String

    func run() async throws {
        try await exiting {
            let secrets: Secrets
            do throws(SecretsError) { secrets = try Secrets(file: file) } catch {
                throw Failure(code: error.isOfFile ? .usage : .badData, message: "\(file): error: \(error)")
            }
            for name in secrets.names {
                let origins = secrets.origins(of: name) ?? []
                try Output.line(([name] + (origins.isEmpty ? ["(no origins)"] : origins)).joined(separator: "\t"))
            }
        }
    }
}
#endif
