import SluiceStreams
import Testing

@Suite struct SubscriptionMarblesTests {
    @Test(
        arguments: [
            ("", nil, nil), ("^", 0, nil), ("--^---!", 0.002, 0.006), ("---!", nil, 0.003), ("(^!)", 0, 0),
            ("--^ 10ms !", 0.002, 0.013), ("-(^-)-!", 0.001, 0.006), (" 1s ^ 1s !", 1, 2.001),
        ] as [(String, Double?, Double?)]
    )
    func reads(_ text: String, _ come: Double?, _ left: Double?) throws {
        let marbles = try SubscriptionMarbles(parsing: text)
        #expect(marbles.subscription?.seconds == come)
        #expect(marbles.unsubscription?.seconds == left)
        #expect(try SubscriptionMarbles(parsing: marbles.text()) == marbles)
    }

    @Test(arguments: [
        ("^-^", "column 3: a second '^' (a subscriber comes once)"),
        ("!!", "column 2: a second '!' (a subscriber leaves once)"),
        ("-!^", "column 3: '^' follows '!' (a subscription begins before it ends)"),
        ("^a!", "column 2: a value or an end in a subscription (only '^', '!', '-', groups and durations stand here)"),
        ("^|", "column 2: a value or an end in a subscription (only '^', '!', '-', groups and durations stand here)"),
        ("(^", "column 1: the group has no end (close it with ')')"),
    ])
    func refuses(_ text: String, _ message: String) {
        let error = #expect(throws: MarbleError.self) { try SubscriptionMarbles(parsing: text) }
        #expect(error?.description == message)
    }

    @Test func canonicalText() throws {
        let second = try #require(StreamTime(seconds: 1))
        let marbles = SubscriptionMarbles(subscription: second, unsubscription: StreamTime(seconds: 90))
        #expect(try marbles.text(frame: second) == "-^ 88s !")
        #expect(try marbles.text() == "1s ^ 88999ms !")
    }
}
