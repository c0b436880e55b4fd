import SluiceJSON
import SluiceStreams
import Testing

@Suite struct MarblesSourceTests {
    /// Two who read one source, the second two seconds later.
    func two(_ marbles: String, gives output: String) throws {
        let late =
            #"{"source": {"timer": {"seconds": 2}}, "operators": [{"flatMap": {"to": {"ref": "a"}, "expression": "x * 10"}}]}"#
        try expectDiagram("a: \(marbles)\n{\"merge\": [{\"ref\": \"a\"}, \(late)]}\n\(output)")
    }

    @Test func coldOnesBeginForEach() throws {
        try two("12---|", gives: "12'10' '20'---|")
        try two("1---#", gives: "1-'10'-#")
    }

    @Test func hotOnesRunForAll() throws {
        try two("^1-----3---|", gives: "-1-----(3'30')|")
        try two("^1------#", gives: "-1------#")
    }

    /// A subscriber that comes after the end receives the end.
    @Test func hotOnesHaveEnded() throws {
        try two("^|", gives: "--|")
        try two("^1|", gives: "-1|")
    }

    @Test func hotByWord() throws {
        try expectDiagram(
            #"{"append": [{"timer": {"seconds": 2}}, {"marbles": {"text": "1234|", "frame": 1, "hot": true}}]}"#
                + "\n--04|"
        )
    }

    @Test(arguments: [
        (#"{"marbles": "(1"}"#, "source.marbles"),
        (#"{"marbles": {"text": "1", "frame": 0}}"#, "source.marbles.frame"),
        (#"{"marbles": {"text": "^1^"}}"#, "source.marbles.text"),
        (#"{"marbles": {"text": 3}}"#, "source.marbles.text"),
    ])
    func wrongOnes(_ source: String, _ place: String) {
        let error = #expect(throws: JSONErrors.self) { try StreamDocument(parsing: #"{"source": \#(source)}"#) }
        #expect(error?.errors.map { "\($0.path)" } == [place])
    }
}
