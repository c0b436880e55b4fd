#if Command && OpenCombine && Server
import Foundation
import SluiceTestSupport
import Testing

/// The names of public types follow the conventions of CONTRIBUTING.md.
@Suite struct NamingTests {
    /// Returns the public types of the sources with the protocols that their declarations name.
    private static func publicTypes() throws -> [(name: String, protocols: [String], file: String)] {
        let declaration = /^ *public (?:final )?(?:struct|enum|class|actor) (\w+)(?:<[^{]*?>)? *(?::([^{]*))?/
        var found: [(name: String, protocols: [String], file: String)] = []
        for file in CodeBlockTests.files() where file.pathExtension == "swift" {
            for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") {
                guard let match = line.firstMatch(of: declaration) else { continue }
                let protocols = (match.2 ?? "").split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
                found.append((String(match.1), protocols, file.lastPathComponent))
            }
        }
        return found
    }

    @Test func publicErrorsEndInError() throws {
        let errors = try Self.publicTypes().filter { type in
            type.protocols.contains { $0 == "Error" || $0 == "ClassifiedError" || $0 == "LocalizedError" }
        }
        #expect(errors.count >= 20)
        let others = errors.map(\.name).filter { !$0.hasSuffix("Error") && !$0.hasSuffix("Errors") }
        #expect(others == [])
    }
}
#endif
