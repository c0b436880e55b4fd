#if Command
import Foundation
import SluiceTestSupport
import Testing

/// The check of files of secrets.
@Suite struct SecretsTests {
    private func check(_ text: String, mode: Int = 0o600) async throws -> (
        status: Int32, output: String, errors: String
    ) {
        let file = try TemporaryFile(text, name: "secrets.json")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        let outcome = try await Tool.sluice.run(["secrets", "check", file.path])
        return (outcome.status, outcome.lines.joined(separator: "\n"), outcome.errors)
    }

    @Test func namesAndOriginsAreShownWithoutValues() async throws {
        let text =
            #"{"k": {"value": "geheim-geheim", "origins": ["https://api.example.com"]}, "l": {"value": "auch geheim-geheim", "origins": []}}"#
        let (status, output, errors) = try await check(text)
        #expect(status == 0 && errors == "")
        #expect(output == "k\thttps://api.example.com\nl\t(no origins)")
    }

    @Test func fileThatOthersMayReadIsRefused() async throws {
        let (status, output, errors) = try await check(
            #"{"k": {"value": "geheim-geheim", "origins": []}}"#,
            mode: 0o644
        )
        #expect(status == 64 && output == "" && errors.contains("chmod 600") && !errors.contains("geheim"))
    }

    @Test(arguments: [
        #"{"k": {"value": 7, "origins": []}}"#, #"{"k": {"environment": "SLUICE_NO_SUCH_VARIABLE", "origins": []}}"#,
        #"{"k": {"value": "geheim-geheim", "origins": ["nowhere"]}}"#, "[]", "{",
    ])
    func badFileIsSaidWithoutValues(_ text: String) async throws {
        let (status, output, errors) = try await check(text)
        #expect(status == 65 && output == "" && errors.contains("error: ") && !errors.contains("geheim"), "\(errors)")
    }
}
#endif
