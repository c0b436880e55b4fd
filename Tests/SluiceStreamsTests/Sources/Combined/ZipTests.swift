import SluiceJSON
import SluiceStreams
import Testing

@Suite struct ZipTests {
    let sum = #"{"zip": {"sources": [{"ref": "a"}, {"ref": "b"}], "expression": "a * 10 + b"}}"#

    @Test func rowByRow() throws {
        try expectJoined(sum, "1-2-|", "-3-4|", gives: "-'13'-'24'|")
        try expectJoined(sum, "12|", "---34-5|", gives: "---'13'('24'|)")
        try expectJoined(#"{"zip": [{"ref": "a"}, {"ref": "b"}]}"#, "1|", "-x|", gives: "-('[1,\"x\"]'|)")
    }

    @Test func ends() throws {
        try expectJoined(sum, "|", "-3|", gives: "|")
        try expectJoined(sum, "1-|", "--3|", gives: "--('13'|)")
        try expectJoined(sum, "1-#", "--3|", gives: "--#")
        try expectJoined(sum, "1-|", "----", gives: "----")
        try expectJoined(#"{"zip": []}"#, "|", "|", gives: "|")
    }

    @Test func manyLetters() throws {
        let sources = (1...10).map { #"{"values": [\#($0)]}"# }.joined(separator: ", ")
        let last = #"{"source": {"zip": {"sources": [\#(sources)], "expression": "h * 10000 + j * 100 + a"}}}"#
        #expect(try StreamDocument(parsing: last).virtualEvents().compactMap(\.value) == [81001])
        let ninth = #"{"source": {"zip": {"sources": [\#(sources)], "expression": "i"}}}"#
        #expect(try StreamDocument(parsing: ninth).virtualEvents().compactMap(\.value) == [9])
    }

    @Test func tooManyForAnExpression() {
        let sources = Array(repeating: #"{"empty": {}}"#, count: 27).joined(separator: ", ")
        let error = #expect(throws: JSONErrors.self) {
            try StreamDocument(parsing: #"{"source": {"zip": {"sources": [\#(sources)], "expression": "a"}}}"#)
        }
        #expect(error?.errors.first?.message == "an expression sees at most 26 streams, a to z, found 27")
    }

    @Test func native() {
        let letters = Flow.values("a", "b", "c")
        let pairs = Flow.values(1, 2).zip(letters).map { "\($0)\($1)" }
        #expect(text(pairs.virtualEvents()) == ["0:1a", "0:2b", "0|"])
        let threes = Flow.values(1, 2).zip(letters, .values(1.5, 2.5)).map { "\($0)\($1)\($2)" }
        #expect(text(threes.virtualEvents()) == ["0:1a1.5", "0:2b2.5", "0|"])
        let fours = Flow.values(1, 2).zip(letters, .values(3, 4), .values(5)).map { "\($0)\($1)\($2)\($3)" }
        #expect(text(fours.virtualEvents()) == ["0:1a35", "0|"])
        let failing = Flow.values(1).zip(Flow<Int>.fail(StreamError(message: "x"))).map { $0 + $1 }
        #expect(text(failing.virtualEvents()) == ["0# x"])
        #expect(text(Flow.values(1, 2).zip(Flow<Int>.never).map { $0 + $1 }.virtualEvents()) == [])
        #expect(text(Flow.values(1, 2).zip(letters).map { "\($0)\($1)" }.prefix(1).virtualEvents()) == ["0:1a", "0|"])
        #expect(text(Flow.zip([.values(1, 2), .values(3, 4)]).virtualEvents()) == ["0:[1, 3]", "0:[2, 4]", "0|"])
    }
}
