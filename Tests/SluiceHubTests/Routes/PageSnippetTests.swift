#if Hub
import Foundation
import HTTPTypes
import SluiceStreams
import Testing

@testable import SluiceHub

/// The Swift that the page copies for a stream.
@Suite struct PageSnippetTests {
    @Test func itsLinesCompile() async throws {
        let document = try StreamDocument(parsing: #"{"source": {"values": [1, 2]}, "operators": []}"#)
        var found: [String] = []
        for try await value in try document.values() {
            found.append("\(value)")
        }
        #expect(found == ["1", "2"])
        // The line above is the one of the page.
        let line = "for try await value in try document" + ".values() {"
        let here = try String(contentsOfFile: #filePath, encoding: .utf8)
        let page = try await Hub().ask(.get, "/page/sharing.js").text
        #expect(here.contains("        \(line)\n") && page.contains("\\n\(line)\\n"))
        #expect(page.contains("import SluiceStreams\\n\\nlet document = try StreamDocument(parsing: "))
    }
}
#endif
