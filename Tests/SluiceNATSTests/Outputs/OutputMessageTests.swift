#if NATS
import SluiceJSON
import SluiceRuns
import Testing

@testable import SluiceNATS

struct OutputMessageTests {
    static let contents: [SharedOutput.Content] = [
        .value("17"), .value(#"{"a": ["x", null]}"#), .value(#""text \" \\ ü""#), .error(.reported, "a \"b\"\nc"),
        .error(.failed, ""), .missing(reason: "too large"),
    ]

    @Test(arguments: contents, [OutputPlace(run: 2, sequence: 17), nil])
    func aMessageIsReadAsItWasWritten(content: SharedOutput.Content, place: OutputPlace?) throws {
        let bytes = OutputMessage(place: place, content: content).bytes
        // Other programs can read it.
        _ = try JSON(parsing: bytes)
        let read = try #require(OutputMessage(bytes))
        #expect(read.place == place)
        guard case .value(let text) = content, case .value(let other) = read.content else {
            #expect(read.content == content)
            return
        }
        #expect(try JSON(parsing: text) == JSON(parsing: other))
    }

    @Test(arguments: ["", "17", "[]", "{}", #"{"run": 1}"#, #"{"error": 1}"#, "{", "\u{0}"])
    func otherMessagesAreNoOutputs(text: String) { #expect(OutputMessage(Array(text.utf8)) == nil) }

    @Test(arguments: ["", "a", "a b", "ä.ö", "=", "==", "a=2", "🪣", "A-b_9", "a/b"])
    func anIDIsReadFromItsToken(id: String) throws {
        #expect(BucketKey.id(ofToken: try BucketKey.token(id)) == id.key)
    }

    @Test(arguments: ["=2", "=zz", "a=F", "=FF"])
    func otherTextsAreNoTokens(token: String) { #expect(BucketKey.id(ofToken: token) == nil) }
}
#endif
