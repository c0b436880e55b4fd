#if Command
import ArgumentParser
import Foundation
import SluiceConnect
import SluiceStreams

/// The arguments that decide what streams of this process may reach.
struct ConnectArguments: ParsableArguments {
    @Option(
        name: .customLong("allow"),
        help: """
            What streams may reach over HTTP: example.com, example.com:8443, 192.0.2.1 or 10.0.0.0/8; repeatable. Names \
            lead to public addresses only, unless those are listed too.
            """
    )
    var allowed: [String] = []

    @Option(help: "The folder whose files streams may read, and write with the sink lines.", completion: .directory)
    var files: String?

    @Option(help: "The file of the secrets that documents may name, readable by its owner only.", completion: .file())
    var secrets: String?

    func validate() throws {
        for host in allowed {
            do { _ = try AllowedHost(host) } catch { throw ValidationError("--allow: \(error)") }
        }
        try checkFolder()
        _ = try readSecrets()
    }

    /// The settings of the connectors.
    var settings: ConnectSettings {
        get throws {
            var settings = ConnectSettings()
            settings.allowedHosts = try allowed.map { try AllowedHost($0) }
            settings.filesFolder = files
            settings.secrets = try readSecrets()
            return settings
        }
    }

    private func checkFolder() throws {
        guard let files else { return }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: files, isDirectory: &isFolder), isFolder.boolValue else {
            throw ValidationError("--files: '\(files)' is not a folder")
        }
    }

    private func readSecrets() throws -> Secrets {
        guard let secrets else { return Secrets() }
        do { return try Secrets(file: secrets) } catch { throw ValidationError("--secrets: \(error)") }
    }
}
#endif
