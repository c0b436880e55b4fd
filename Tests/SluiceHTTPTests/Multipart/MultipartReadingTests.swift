#if HTTP
import Foundation
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceTestSupport
import Testing

/// Tests that independent parsers read our bodies byte for byte.
@Suite struct MultipartReadingTests {
    struct Part {
        var name: String
        var filename: String?
        var type: String?
        var bytes: [UInt8]
    }

    @Test(
        .enabled("needs python-multipart in the Python of SLUICE_PYTHON, as bin/test makes it") {
            await has("python_multipart")
        }
    )
    func pythonMultipart() async throws { try await readBack("python_multipart") }

    @Test(.enabled("needs Werkzeug in the Python of SLUICE_PYTHON, as bin/test makes it") { await has("werkzeug") })
    func werkzeug() async throws { try await readBack("werkzeug") }

    static let python = ProcessInfo.processInfo.environment["SLUICE_PYTHON"]

    /// Returns whether the chosen Python has a module.
    static func has(_ module: String) async -> Bool {
        guard let python else { return false }
        return (try? await Tool(URL(fileURLWithPath: python)).run(["-c", "import \(module)"]).status) == 0
    }

    func readBack(_ parser: String) async throws {
        let folder = try TemporaryFolder()
        let boundary = "sluice-0123456789abcdef"
        let random = RandomSource(seed: 7578)
        let noise = (0..<10_000_000 / 8).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
        var form = try MultipartForm(boundary: boundary)
        var expected: [Part] = []

        // Names.
        let names = [
            "plain": "plain", "a\"b": "a%22b", "a\r\nX-Evil: 1\r\n\r\nb": "a%0D%0AX-Evil: 1%0D%0A%0D%0Ab", "é漢😀": "é漢😀",
            "a; filename=\"evil\"": "a; filename=%22evil%22", "back\\slash": "back\\slash", "end\\": "end%5C",
            "tab\tand, = ' ( ) * % &": "tab\tand, = ' ( ) * % &", "--\(boundary)": "--\(boundary)",
        ]
        for (name, written) in names.sorted(by: { $0.key < $1.key }) {
            form.append(name, name)
            expected.append(Part(name: written, bytes: Array(name.utf8)))
            form.append(name, .bytes([1], filename: name, contentType: "x/y"))
            expected.append(Part(name: written, filename: written, type: "x/y", bytes: [1]))
        }
        // The value of that last name contains the boundary, so that a custom boundary is refused.
        await #expect(throws: MultipartError.self) { try await form.body() }
        form = MultipartForm(random: RandomSource(seed: 1))
        for part in expected {
            let name = try #require(names.first { $0.value == part.name }?.key)
            if part.filename == nil {
                form.append(name, name)
            } else {
                form.append(name, .bytes([1], filename: name, contentType: "x/y"))
            }
        }
        // Contents: empty, similar to a boundary, and all byte values.
        let lookalikes = [
            "", "\r\n", "\r\n--", "--", "\r\n--\(form.boundary.dropLast())", "\r\n--\(form.boundary.dropLast())x--\r\n",
            "\r\n-\(form.boundary)", "\r\n\r\n--\r\n--\(form.boundary.dropLast(3))", "\n", "\r", "\r\n--\r\n--\r\n-",
            "--\(form.boundary.uppercased())--",
        ]
        for (number, text) in lookalikes.enumerated() {
            form.append("l\(number)", text)
            expected.append(Part(name: "l\(number)", bytes: Array(text.utf8)))
            form.append("f\(number)", .file(try folder.write("in\(number).txt", Array(text.utf8))))
            expected.append(
                Part(name: "f\(number)", filename: "in\(number).txt", type: "text/plain", bytes: Array(text.utf8))
            )
        }
        form.append("noise", .file(try folder.write("noise.bin", noise)))
        expected.append(
            Part(name: "noise", filename: "noise.bin", type: "application/octet-stream", bytes: noise)
        )
        let half = Array(noise.prefix(300_000))
        form.append("memory", .bytes(half, filename: "half.png"))
        expected.append(Part(name: "memory", filename: "half.png", type: "image/png", bytes: half))
        let drops = AsyncStream { continuation in
            for byte in half.prefix(1000) { continuation.yield([byte]) }
            continuation.finish()
        }
        form.append("stream", .stream(RequestStream(drops), filename: "s.txt"))
        expected.append(Part(name: "stream", filename: "s.txt", type: "text/plain", bytes: Array(half.prefix(1000))))

        // Werkzeug decodes the quotes of names, and reads a backslash as an escape of the next character.
        if parser == "werkzeug" {
            for index in expected.indices {
                expected[index].name.replace("%22", with: "\"")
                expected[index].name.replace("\\", with: "")
                expected[index].filename?.replace("%22", with: "\"")
                expected[index].filename?.replace("\\", with: "")
            }
        }
        let parts = try await read(form, with: parser, folder)
        #expect(parts.count == expected.count)
        for (part, expected) in zip(parts, expected) {
            #expect(part.name == expected.name)
            #expect(part.filename == expected.filename)
            #expect(part.type == expected.type)
            // The macro would print ten megabytes for `==`.
            let isSame = part.bytes == expected.bytes
            #expect(isSame, "\(part.name)")
        }
    }

    private func read(_ form: MultipartForm, with parser: String, _ folder: TemporaryFolder) async throws -> [Part] {
        let body = try folder.write("body", try await MultipartFormTests.bytes(of: form).bytes)
        try FileManager.default.createDirectory(atPath: "\(folder.path)/out", withIntermediateDirectories: true)
        let python = try #require(Self.python)
        let script = Tool.root.appendingPathComponent("Tests/Support/read_multipart.py").path
        let outcome = try await Tool(URL(fileURLWithPath: python)).run(
            [script, parser, form.contentType, body, "\(folder.path)/out"]
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try outcome.lines.enumerated().map { number, line in
            let part = try JSON(parsing: line)
            return Part(
                name: part["name"]?.string ?? "none",
                filename: part["filename"]?.string,
                type: part["type"]?.string,
                bytes: try folder.read("out/\(number)")
            )
        }
    }
}
#endif
