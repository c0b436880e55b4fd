import SluiceJSON
import Testing

@testable import SluiceStreams

struct ExpressionPlaceTests {
    /// The column of an error in an expression is that of the document, escapes or not.
    @Test(arguments: [
        #""x == 1 && wrong""#, #""x == \"a\" && wrong""#, #""x == '\u0041\\n' && wrong""#, #""x ==\n1 && wrong""#,
        #""x == '\ud83d\ude00' && wrong""#, #""x == '😀' && wrong""#, #""\u0078 == 1 && wrong""#,
        #""x == '\/\t' &&\twrong""#,
    ])
    func theColumnIsThatOfTheDocument(_ written: String) throws {
        let text = #"{"source": {"of": {"values": [1]}}, "operators": [{"filter": {"expression": \#(written)}}]}"#
        let document = try StreamDocument(preserving: Array(text.utf8))
        let error = try #require(document.errors?.errors.first)
        let place = try #require(text.firstRange(of: "wrong"))
        #expect(error.position.column == text[..<place.lowerBound].unicodeScalars.count + 1, "\(error)")
    }

    @Test func whatStandsBehindAParameterHasNoPlace() {
        #expect(ExpressionPlace.distance(in: #""x > ${low} && y""#, of: "x > ${low} && y", line: 1, column: 14) == nil)
        #expect(ExpressionPlace.distance(in: #""x > ${low} && y""#, of: "x > ${low} && y", line: 1, column: 3) == 3)
        #expect(ExpressionPlace.distance(in: #""x""#, of: "x", line: 2, column: 1) == nil)
    }
}
