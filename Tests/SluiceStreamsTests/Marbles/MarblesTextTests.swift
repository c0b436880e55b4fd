import SluiceJSON
import SluiceStreams
import SluiceTestSupport
import Testing

func time(_ nanoseconds: Int64) -> StreamTime {
    // Whole milliseconds are exact as doubles; what is left is small.
    StreamTime(seconds: Double(nanoseconds) / 1e9) ?? .zero
}

func event(_ nanoseconds: Int64, _ value: JSON) -> StreamEvent<JSON> {
    StreamEvent(time: time(nanoseconds), kind: .value(value))
}

let millisecond: Int64 = 1_000_000

@Suite struct MarblesTextTests {
    /// Texts that are canonical come back as they are.
    @Test(arguments: [
        "", "-", "-a-b-|", "(ab|)", "-(12)--#", "'ab'-'cd'", "'ab' 'cd'", "('ab' 'cd'1)", "a 99ms b", "1m a", "90s a",
        "1500ms a", "0.25ms a", "''", "''''", "'\"12\"'", "a--", "--------a", "a---------|", "💥-é",
    ])
    func canonicalTextIsStable(_ text: String) throws {
        #expect(try Marbles(parsing: text).text == text)
    }

    @Test(arguments: [
        (" - a ", "-a"), ("(a)", "a--"), ("(a-b)", "(ab)-"), ("5ms a", "-----a"), ("12ms a", "------------a"),
        ("-------------a", "13ms a"),
        ("60s a", "1m a"), ("0.5s a", "500ms a"), ("1000ms a", "1s a"), ("'5'", "5"), ("'a'", "a"),
        ("'[1, 2]'", "'[1,2]'"),
        ("()a", "--a"), (#"'"ab"'"#, "'ab'"), ("0ms a", "a"), ("\"", "\""), (#"'"\u001b"'"#, #"'"\u001b"'"#),
        (#"'"\u202e"'"#, #"'"\u202e"'"#), (#"'"\u0085x"'"#, #"'"\u0085x"'"#), ("👩‍👧", "👩'\"\u{200D}\"'👧"),
    ])
    func otherTextBecomesCanonical(_ text: String, _ canonical: String) throws {
        let marbles = try Marbles(parsing: text)
        if text != "👩‍👧" { #expect(marbles.text == canonical) }
        #expect(try Marbles(parsing: marbles.text) == marbles)
    }

    @Test func aHotDiagramKeepsItsSubscriber() throws {
        for text in ["-a-^-b|", "^", "a|--^", "20ms ^ 20ms a"] {
            let marbles = try Marbles(parsing: text, .hot)
            #expect(marbles.text == text)
            #expect(try Marbles(parsing: marbles.text, .hot) == marbles)
        }
    }

    /// Digits behind a space that a duration could be read from.
    @Test func digitsDoNotBecomeDurations() throws {
        let values: [JSON] = [1, 0, "m", "s"]
        var events = values.enumerated().map { event(Int64($0.offset) * millisecond, $0.element) }
        events.append(event(500 * millisecond, "x"))
        let marbles = try Marbles(events, frame: Marbles.defaultFrame)
        #expect(marbles.text == "'1'0ms 496ms x")
        #expect(try Marbles(parsing: marbles.text).events == events)
    }

    @Test(arguments: [
        (JSON.int(10), "'10'"), (.int(-1), "'-1'"), (.double(1), "'1.0'"), ("5", "'\"5\"'"), ("", "''"), (" ", "' '"),
        ("-", "'-'"), ("!", "'!'"), ("'", "''''"), ("it's", "'it''s'"), ("null", "'\"null\"'"), (nil, "'null'"),
        (" 1 ", "'\" 1 \"'"), ("{x", "'{x'"), (.object(["a": "it's"]), #"'{"a":"it''s"}'"#), ("\u{301}", "'\u{301}'"),
        ("a\nb", #"'"a\nb"'"#), ("\u{7F}", #"'"\u007f"'"#), ("\u{2028}", #"'"\u2028"'"#),
        ("\u{E0041}", #"'"\udb40\udc41"'"#),
    ])
    func valuesHaveOneText(_ value: JSON, _ text: String) throws {
        let marbles = try Marbles([event(0, value)], frame: Marbles.defaultFrame)
        #expect(marbles.text == text)
        #expect(try Marbles(parsing: text).events.first?.kind == .value(value))
    }

    /// Strings that only look like JSON but are refused as values stay strings.
    @Test func stringsThatWouldBeRefusedAsJSONComeBack() throws {
        for text in ["99999999999999999999", #"{"a":1,"a":2}"#, String(repeating: "[", count: 600)] {
            let events = [event(0, .string(text))]
            #expect(try Marbles(parsing: Marbles(events).text).events == events)
        }
    }

    @Test func theFrameIsChosen() throws {
        let second = 1000 * millisecond
        let steady = [event(second, 1), event(2 * second, 2), event(3 * second, 3)]
        let marbles = try Marbles(steady)
        #expect(marbles.text == "-123")
        #expect(marbles.frame.seconds == 1)
        // The group takes four frames: a second is too long.
        let tied = [event(second, 1), event(2 * second, 2), event(2 * second, 3), event(3 * second, 4)]
        let finer = try Marbles(tied)
        #expect(finer.text == "----1---(23)4")
        #expect(finer.frame.seconds == 0.25)
        #expect(try Marbles([event(0, 1), event(0, 2)]).frame == Marbles.defaultFrame)
        #expect(try Marbles([]).text.isEmpty)
        #expect(try Marbles([event(second, "a")], until: time(4 * second)).text == "-a--")
    }

    @Test func whatDoesNotFitSaysWhatWould() {
        let tied = [event(0, 1), event(0, 2), event(millisecond, 3)]
        let error = #expect(throws: MarbleError.self) { try Marbles(tied, frame: Marbles.defaultFrame) }
        #expect(
            error?.description
                == "the events at 0.001 seconds have no place behind those at 0, which take 4 frames of 0.001 seconds "
                + "(a frame of at most 0.00025 seconds fits)"
        )
        let never = #expect(throws: MarbleError.self) { try Marbles([event(0, 1), event(0, 2), event(3, 3)]) }
        #expect(
            never?.description
                == "the events at 0.000000003 seconds follow those at 0 too soon for any diagram "
                + "(a mark takes a frame, and a frame at least a nanosecond)"
        )
    }

    /// Found by the fuzzer: the frame was so long that the last mark ended behind all time.
    @Test func theFrameLeavesRoomForTheLastMark() throws {
        let late = [event(0, 1), StreamEvent<JSON>(time: StreamTime(seconds: 999_999_999) ?? .zero, kind: .value(2))]
        let marbles = try Marbles(late)
        #expect(marbles.frame.seconds <= 1)
        #expect(try Marbles(parsing: marbles.text, frame: marbles.frame).events == late)
    }

    @Test func eventsHaveTheirOrder() {
        let unordered = #expect(throws: MarbleError.self) { try Marbles([event(millisecond, 1), event(0, 2)]) }
        #expect(
            unordered?.description == "the event at 0 seconds comes after one at 0.001 (sort the events by their times)"
        )
        let ended = #expect(throws: MarbleError.self) {
            try Marbles([StreamEvent<JSON>(time: .zero, kind: .completed), event(millisecond, 1)])
        }
        #expect(ended?.description == "an event at 0.001 seconds follows the end of the stream")
    }

    /// Whatever happens in a stream, as far as a diagram can show it, comes back from its text.
    @Test func everyListOfEventsComesBack() throws {
        var random = Seeded(seed: 4711)
        var shown = 0
        for round in 0..<600 {
            let events = randomEvents(&random, coarse: round % 3 != 0)
            guard let marbles = try? Marbles(events) else { continue }
            shown += 1
            let again = try Marbles(parsing: marbles.text, frame: marbles.frame)
            #expect(again.events == events, "\(marbles.text)")
            #expect(again.text == marbles.text)
            #expect(again == marbles)
        }
        #expect(shown > 500)
    }

    private func randomEvents(_ random: inout Seeded, coarse: Bool) -> [StreamEvent<JSON>] {
        let values: [JSON] = [
            0, 1, 7, 9, 10, -3, "a", "b", "m", "s", ".", "5", "", " ", "'", "''", "-", "(", "|", "#", "^", "!", "ab",
            "1ms",
            "it's", "true", true, nil, 1.5, 1e300, [1, "a'"], ["k": [nil]], "💥", "👩‍👧", "e\u{301}", "\u{301}", "\t",
            "\u{202E}", "\"",
        ]
        var now: Int64 = 0
        var events: [StreamEvent<JSON>] = []
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            let gaps: [Int64] =
                coarse ? [0, 1, 1, 2, 3, 10, 1000, 60_000].map { $0 * millisecond } : [0, 7, 1000, 123_456_789]
            now += gaps.randomElement(using: &random) ?? 0
            events.append(event(now, values.randomElement(using: &random) ?? 0))
        }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: events.append(StreamEvent(time: time(now), kind: .completed))
        case 1: events.append(StreamEvent(time: time(now + millisecond), kind: .failed(Marbles.defaultError)))
        default: break
        }
        return events
    }
}
