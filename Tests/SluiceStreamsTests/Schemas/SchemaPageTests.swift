import Foundation
import SluiceJSON
import SluiceStreams
import Testing

/// The document and the error of docs/schemas.md.
struct SchemaPageTests {
    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/schemas.md")

    private func block(_ language: String) throws -> String {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let parts = text.components(separatedBy: "```\(language)\n")
        return try #require(parts.dropFirst().first?.components(separatedBy: "```").first)
    }

    @Test func itsTestPasses() throws {
        let document = try StreamDocument(parsing: try block("json"))
        let test = try #require(document.tests.first)
        let outcome = try document.outcome(of: test)
        #expect(outcome.isPassed, "\(outcome)")
    }

    @Test func itsErrorIsReported() throws {
        let text = try block("json").replacing("x.price > 100.0", with: "x.prise > 100.0")
        let error = #expect(throws: JSONErrors.self) { try StreamDocument(parsing: text) }
        let shown = try #require(error?.diagnostics(file: "orders.json"))
        #expect(try String(contentsOf: Self.page, encoding: .utf8).contains(shown), "\(shown)")
    }
}
