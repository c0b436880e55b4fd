#if Command
import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCommand

/// The scripts that complete the command line in shells, and the manual page.
@Suite(.timeLimit(.minutes(30))) struct CompletionTests {
    /// Returns the names of the subcommands with the long names of their options.
    private static func commands() async throws -> [String: [String]] {
        struct Help: Decodable {
            struct Name: Decodable { let kind: String, name: String }
            struct Argument: Decodable { let names: [Name]?, shouldDisplay: Bool }
            struct Command: Decodable {
                let commandName: String
                let arguments: [Argument]?
                let subcommands: [Command]?
            }
            let command: Command
        }
        let outcome = try await Tool.sluice.run(["--experimental-dump-help"])
        let help = try JSONDecoder().decode(Help.self, from: Data(outcome.output.utf8))
        let options = (help.command.subcommands ?? []).map { command in
            let shown = (command.arguments ?? []).filter(\.shouldDisplay)
            return (command.commandName, shown.flatMap { $0.names ?? [] }.filter { $0.kind == "long" }.map(\.name))
        }
        return Dictionary(uniqueKeysWithValues: options)
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func aScriptKnowsEveryCommandAndOption(_ shell: String) async throws {
        let outcome = try await Tool.sluice.run(["--generate-completion-script", shell])
        #expect(outcome.status == 0)
        let commands = try await Self.commands()
        #expect(commands.count >= 12 && commands["run"]?.contains("virtual") == true)
        for (command, options) in commands {
            #expect(outcome.output.contains(command), "\(shell): \(command)")
            for option in options { #expect(outcome.output.contains(option), "\(shell): \(command) --\(option)") }
        }
    }

    /// Completes a command line in bash, as the tab key does, and returns the suggestions.
    private func completions(of words: [String], in folder: URL) async throws -> [String] {
        let script = try await Tool.sluice.run(["--generate-completion-script", "bash"]).output
        let file = folder.appendingPathComponent("sluice.bash")
        try script.write(to: file, atomically: true, encoding: .utf8)
        let line = words.joined(separator: " ")
        let program = """
            cd '\(folder.path)' && source ./sluice.bash && declaration=($(complete -p sluice)) || exit 1
            for ((at = 0; at < ${#declaration[@]}; at++)); do
                [ "${declaration[at]}" = -F ] && function=${declaration[at + 1]}
            done
            COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " "))) COMP_CWORD=\(words.count - 1)
            COMP_LINE='\(line)' COMP_POINT=\(line.utf8.count) COMP_TYPE=9
            "$function" sluice "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        // compopt fails outside of a completion, and says so on standard error.
        return try await Tool(URL(fileURLWithPath: "/usr/bin/env")).run(["bash", "-c", program]).lines
    }

    @Test func bashCompletesCommandsOptionsAndFiles() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try "{}".write(to: folder.appendingPathComponent("prices.json"), atomically: true, encoding: .utf8)
        #expect(try await completions(of: ["sluice", "ser"], in: folder) == ["serve"])
        #expect(try await completions(of: ["sluice", "run", "--vir"], in: folder) == ["--virtual"])
        #expect(try await completions(of: ["sluice", "run", "--format", "mar"], in: folder) == ["marbles"])
        for command in ["run", "check", "test", "plan", "draw", "import"] {
            #expect(try await completions(of: ["sluice", command, "pri"], in: folder) == ["prices.json"], "\(command)")
        }
    }

    /// The manual page in the repository names every command and option, and the version.
    @Test func theManualPageNamesEveryCommandAndOption() async throws {
        let page = try String(contentsOf: Tool.root.appendingPathComponent("docs/sluice.1"), encoding: .utf8)
        #expect(page.contains("\"sluice \(Version.current)\""))
        for (command, options) in try await Self.commands() where command != "help" {
            let title = command.replacing("-", with: "\\-")
            let start = try #require(page.range(of: ".SS \"sluice \(title)\""), "\(command)")
            let end = page[start.upperBound...].range(of: "\n.S")?.lowerBound ?? page.endIndex
            let section = page[start.upperBound..<end]
            for option in options where option != "help" && option != "version" {
                let spelling = "\\fB\\-\\-" + option.replacing("-", with: "\\-") + "\\fR"
                #expect(section.contains(spelling), "\(command) --\(option)")
            }
        }
    }

    @Test func theManualPageIsCurrent() async throws {
        let outcome = try await Tool(URL(fileURLWithPath: "/usr/bin/env")).run([
            "python3", Tool.root.appendingPathComponent("bin/manual").path, "--check",
            Tool.products.appendingPathComponent("sluice").path,
        ])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }
}
#endif
