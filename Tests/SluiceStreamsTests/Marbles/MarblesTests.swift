import SluiceJSON
import SluiceStreams
import Testing

/// `time:value` of each event, times in milliseconds.
func short(_ events: [StreamEvent<JSON>]) -> [String] {
    events.map { event in
        let milliseconds = "\(Double(event.time.nanoseconds) / 1e6)".replacing(/\.0$/, with: "")
        return switch event.kind {
        case .value(let value): "\(milliseconds):\(value)"
        case .completed: "\(milliseconds)|"
        case .failed: "\(milliseconds)#"
        case .reported: "\(milliseconds)!"
        }
    }
}

@Suite struct MarblesTests {
    /// The answers are RxJS 7.8's in run mode, by its source.
    @Test(arguments: [
        ("", []),
        ("---", []),
        ("-a--b-|", [#"1:"a""#, #"4:"b""#, "6|"]),
        ("1", ["0:1"]),
        ("--#", ["2#"]),
        ("(ab|)", [#"0:"a""#, #"0:"b""#, "0|"]),
        ("-(ab)-c", [#"1:"a""#, #"1:"b""#, #"6:"c""#]),
        ("-(a-b)c", [#"1:"a""#, #"1:"b""#, #"6:"c""#]),
        ("()a", [#"2:"a""#]),
        (" - a  -b ", [#"1:"a""#, #"3:"b""#]),
        ("a 9ms b", [#"0:"a""#, #"10:"b""#]),
        ("10ms a", [#"10:"a""#]),
        ("1.5ms a 0.25s b 2m |", [#"1.5:"a""#, #"252.5:"b""#, "120253.5|"]),
        ("0ms a", [#"0:"a""#]),
        // No space behind or before: digits and letters are values.
        ("10ms", ["0:1", "1:0", #"2:"m""#, #"3:"s""#]),
        ("a10ms b", [#"0:"a""#, "1:1", "2:0", #"3:"m""#, #"4:"s""#, #"5:"b""#]),
        ("1h 2", ["0:1", #"1:"h""#, "2:2"]),
        ("1.ms 2", ["0:1", #"1:".""#, #"2:"m""#, #"3:"s""#, "4:2"]),
        ("(a 5ms b)c", [#"0:"a""#, #"0:"b""#, #"9:"c""#]),
        ("💥-é", [#"0:"💥""#, #"2:"é""#]),
        ("👩‍👧", [#"0:"👩""#, "1:\"\u{200D}\"", #"2:"👧""#]),
    ])
    func reads(_ text: String, _ events: [String]) throws {
        #expect(short(try Marbles(parsing: text).events) == events)
    }

    /// `'…'` is ours.
    @Test(arguments: [
        ("'ab'c", [#"0:"ab""#, #"1:"c""#]),
        ("'12'", ["0:12"]), ("'-1.5'", ["0:-1.5"]), ("'true'", ["0:true"]), ("'null'", ["0:null"]),
        (#"'"12"'"#, [#"0:"12""#]),
        (#"'{"a": [1, 2]}'"#, [#"0:{"a":[1,2]}"#]),
        ("'a b'", [#"0:"a b""#]),
        ("'it''s'", [#"0:"it's""#]),
        ("''", [#"0:"""#]), ("''''", [#"0:"'""#]), ("'a' 'b'", [#"0:"a""#, #"1:"b""#]),
        ("('ab''')", [#"0:"ab'""#]),
        ("'|'-'('", [#"0:"|""#, #"2:"(""#]),
        ("'{broken'", [#"0:"{broken""#]),
        (#"'"\n"'"#, [#"0:"\n""#]),
        ("'5' 5ms 5", ["0:5", "6:5"]),
    ])
    func readsLongerValues(_ text: String, _ events: [String]) throws {
        #expect(short(try Marbles(parsing: text).events) == events)
    }

    @Test func valuesStandForCharactersAndNames() throws {
        let marbles = try Marbles(parsing: "a1b'long'", values: ["a": ["id": 7], "1": "one", "long": 3])
        #expect(short(marbles.events) == [#"0:{"id":7}"#, #"1:"one""#, #"2:"b""#, "3:3"])
    }

    @Test func theFrameAndTheErrorAreChosen() throws {
        let marbles = try Marbles(
            parsing: "-a 10ms #",
            frame: StreamTime(seconds: 2) ?? .zero,
            error: StreamError(message: "broke")
        )
        #expect(marbles.events.map(\.time.seconds) == [2, 4.01])
        #expect(marbles.events.last?.kind == .failed(StreamError(message: "broke")))
        #expect(marbles.length.seconds == 6.01)
    }

    @Test func aHotDiagramHasItsSubscriber() throws {
        let marbles = try Marbles(parsing: "-a-^-b|", .hot)
        #expect(marbles.subscription?.seconds == 0.003)
        #expect(short(marbles.events) == [#"1:"a""#, #"5:"b""#, "6|"])
        #expect(short(marbles.received) == [#"2:"b""#, "3|"])
        #expect(try Marbles(parsing: "a-|", .hot).received == Marbles(parsing: "a-|").events)
    }

    /// RxJS counts the characters before `^`, spaces and durations too; here `^` is when it is.
    @Test func durationsBeforeTheSubscriberCount() throws {
        #expect(short(try Marbles(parsing: "a 10ms ^ b", .hot).received) == [#"1:"b""#])
    }

    @Test func whoComesLateGetsTheEndAtOnce() throws {
        #expect(short(try Marbles(parsing: "a|--^", .hot).received) == ["0|"])
        #expect(short(try Marbles(parsing: "a#--^", .hot).received) == ["0#"])
    }

    @Test func theLengthCountsWhatFollows() throws {
        #expect(try Marbles(parsing: "a--").length.seconds == 0.003)
        #expect(try Marbles(parsing: "(ab)|--").length.seconds == 0.007)
    }

    @Test(arguments: [
        ("a-(b", "column 3: the group has no end (close it with ')')"),
        (
            "((a))",
            "column 2: a group in the group of column 1 (groups do not nest: everything in a group happens at the same time)"
        ),
        ("a)", "column 2: ')' closes no group (remove it, or begin the group with '(')"),
        ("a|b", "column 3: nothing can follow the '|' that ends the stream (remove one of the two)"),
        ("(#|)", "column 3: nothing can follow the '#' that ends the stream (remove one of the two)"),
        (
            "-^",
            "column 2: '^' is where the subscriber of a hot stream comes, and this stream is cold "
                + "(remove it, or make the stream hot)"
        ),
        (
            "💥!",
            "column 2: '!' ends a subscription, and this is the diagram of a stream "
                + "(remove it; as a value write '!' in quotes)"
        ),
        ("-'ab", "column 2: the value has no end (close it with '; inside, write '' for one ')"),
        (
            "a\tb",
            "column 2: the control character U+0009 isn't a marble "
                + #"(separate with spaces; as a value write it as a JSON string: '"\n"')"#
        ),
        (
            "a\u{1B}[31m",
            "column 2: the control character U+001B isn't a marble "
                + #"(separate with spaces; as a value write it as a JSON string: '"\n"')"#
        ),
        (#"'{"a":1,"a":2}'"#, #"column 1: in the value: the key "a" occurs twice"#),
        (
            "-'99999999999999999999'",
            "column 2: in the value: no number of a stream is 99999999999999999999 "
                + #"(take one that fits into 64 bits, or write it as a string: '"…"')"#
        ),
        (
            "'[1e999]'",
            "column 1: in the value: no number of a stream is 1e999 "
                + #"(take one that is below the largest double, or write it as a string: '"…"')"#
        ),
        (
            "a 0.0000001ms b",
            "column 3: the duration 0.0000001ms is not a whole number of nanoseconds up to 1000000000 seconds (round it)"
        ),
        (
            "99999999999999999999999999999999m a",
            "column 1: the duration 999999999999999999999999…m is not a whole number of nanoseconds up to 1000000000 "
                + "seconds (round it)"
        ),
        (
            "1000000000s -",
            "column 13: the diagram is longer than 1000000000 seconds (shorten it, or take a shorter frame)"
        ),
    ])
    func refusesWithPlaceAndAdvice(_ text: String, _ error: String) {
        let found = #expect(throws: MarbleError.self) { try Marbles(parsing: text) }
        #expect(found?.description.hasPrefix(error) == true, "\(found?.description ?? "")")
    }

    @Test func aHotDiagramHasOneSubscriberOutsideOfGroups() {
        let twice = #expect(throws: MarbleError.self) { try Marbles(parsing: "^-^", .hot) }
        #expect(twice?.description == "column 3: a second '^' (a subscriber comes once: remove one of the two)")
        let grouped = #expect(throws: MarbleError.self) { try Marbles(parsing: "(a^)", .hot) }
        #expect(grouped?.description == "column 3: '^' isn't allowed in a group (write it before or after the group)")
    }

    @Test func aFrameLastsSomeTime() {
        let error = #expect(throws: MarbleError.self) { try Marbles(parsing: "a", frame: .zero) }
        #expect(error?.description == "a frame lasts more than 0 seconds (0.001 is the usual)")
    }
}
