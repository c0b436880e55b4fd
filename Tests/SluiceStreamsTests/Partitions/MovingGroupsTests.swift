import SluiceExpressions
import SluiceJSON
import SluiceTestSupport
import Testing

@testable import SluiceStreams

/// Groups that move from the runs of one division to those of another.
@Suite(.timeLimit(.minutes(20))) struct MovingGroupsTests {
    /// An item of a user, at a time of the world.
    private struct Item {
        let user: Int
        let number: Int
        let time: Int64

        var json: JSON { ["user": .string("u\(user)"), "n": .int(Int64(number))] }
    }

    /// A run of one partition, which began at a time of the world.
    private final class Partition {
        private let run: StreamRun
        private let origin: Int64

        init(_ document: StreamDocument, from checkpoint: StreamCheckpoint? = nil, at origin: Int64 = 0) throws {
            let compiled = try CompiledDocument(document, in: StreamLibrary(), isWatched: false)
            run = try StreamRun(beforeReplayOf: compiled, from: checkpoint, host: MovingGroupsTests.host)
            self.origin = origin
        }

        private func take(_ step: SourceBufferState<CELValue>.Step, at time: Int64) throws -> [StreamEvent<JSON>] {
            try run.replay([
                StreamInput(source: "source", time: StreamTime(nanoseconds: time - origin), item: step.saved)
            ])
            return events()
        }

        func take(_ item: Item) throws -> [StreamEvent<JSON>] {
            try take(.value(CELValue(item.json), at: "\(item.number)"), at: item.time)
        }

        func end(at time: Int64) throws -> [StreamEvent<JSON>] { try take(.end(.completed), at: time) }

        func advance(to time: Int64) -> [StreamEvent<JSON>] {
            let end = StreamTime(nanoseconds: time - origin)
            while let due = run.nextDue, due < end { run.advance(to: due) }
            run.advance(to: end)
            return events()
        }

        private func events() -> [StreamEvent<JSON>] {
            var all: [StreamEvent<JSON>] = []
            while let event = run.next() { all.append(event) }
            return all
        }

        /// The state as it is stored and read again.
        func stored() throws -> StreamCheckpoint { try StreamCheckpoint(parsing: run.checkpoint().text) }
    }

    private static let host: StreamHost = {
        var host = StreamHost()
        host.register("in", hasPositions: true) { _, _ in }
        return host
    }()

    private static let second: Int64 = 1_000_000_000

    private func document(_ operators: String, count: Int = 1, by: String = "x.user") throws -> StreamDocument {
        try StreamDocument(
            parsing: #"""
                {"partition": {"by": "\#(by)", "count": \#(count)}, "source": {"outside": {"name": "in"}},
                 "operators": [\#(operators)]}
                """#
        )
    }

    /// The operators of a group, and the seconds after which a group closes.
    private static let operators: [(String, idle: Int?)] = [
        (#"{"scan": {"expression": "acc + x.n", "initialValue": 0}}"#, nil),
        (#"{"sum": {"expression": "x.n"}}"#, nil),
        (#"{"map": {"expression": "x.n"}}, {"collect": {}}"#, 4),
        (#"{"map": {"expression": "x.n"}}, {"debounce": {"seconds": 2}}"#, nil),
        (#"{"delay": {"seconds": 5}}, {"map": {"expression": "x.n"}}, {"scan": {"expression": "acc + x"}}"#, 3),
        (#"{"throttle": {"seconds": 3}}"#, nil),
        (#"{"measureInterval": {}}"#, nil),
        (#"{"pairwise": {}}"#, 6),
        (#"{"distinct": {"expression": "x.n % 7"}}"#, nil),
        (#"{"collectByTime": {"seconds": 3}}"#, nil),
        (#"{"windowCount": {"count": 3, "operators": [{"sum": {"expression": "x.n"}}]}}"#, nil),
        (#"{"groupBy": {"key": "x.n % 3", "seconds": 4, "operators": [{"count": {}}]}}"#, nil),
        (#"{"timeout": {"seconds": 4, "else": {"values": [-1]}}}, {"map": {"expression": "x"}}"#, nil),
        (#"{"shareReplay": {}}, {"scan": {"expression": "acc + x.n", "initialValue": 0}}"#, nil),
        (#"{"flatMap": {"to": {"timer": {"seconds": 2}}, "expression": "a.n"}}"#, nil),
    ]

    /// Runs items by key through one division, moves the groups to another, and compares what comes out for each key with a run
    /// that nothing has interrupted.
    @Test(arguments: 0..<operators.count, 0..<8)
    func theRestIsThatOfAnUninterruptedRunByKey(_ index: Int, _ seed: Int) throws {
        var random = Seeded(seed: UInt64(seed * 100 + index))
        let (inner, idle) = Self.operators[index]
        let seconds = idle.map { #", "seconds": \#($0)"# } ?? ""
        let group = #"{"groupBy": {"key": "x.user", "operators": [\#(inner)]\#(seconds)}}"#
        let document = try document(#"{"filter": {"expression": "x.n % 11 != 5"}}, \#(group)"#)
        let moving = try #require(document.movingOperator(from: "x.user", to: " x . user "))
        var time = 10 * Self.second
        let split = Int.random(in: 1..<150, using: &random)
        let items = (1...150).map { number in
            // Nothing comes while the groups are on their way.
            time += Int64.random(in: 1...Self.second, using: &random) + (number == split + 1 ? 3 * Self.second : 0)
            return Item(user: Int.random(in: 0..<9, using: &random), number: number, time: time)
        }
        let end = time + 60 * Self.second
        let whole = try Partition(document)
        var expected: [StreamEvent<JSON>] = []
        for item in items { expected += try whole.take(item) }
        expected += whole.advance(to: end) + (try whole.end(at: end))

        let counts = [1, 2, 3, 5, 8]
        let (old, new) = (counts.randomElement(using: &random) ?? 1, counts.randomElement(using: &random) ?? 1)
        var keys = try PartitionKeys(StreamPartition(by: "x.user", count: old), in: document)
        // The runs began at different times.
        var partitions = try (0..<old).map { _ in
            try Partition(document, at: Int64.random(in: 0...(9 * Self.second), using: &random))
        }
        var given: [JSON: [JSON]] = [:]
        // The order within a key is what counts.
        func note(_ events: [StreamEvent<JSON>]) {
            for case .array(let pair)? in events.map(\.value) { given[pair[0], default: []].append(pair[1]) }
        }
        for item in items[..<split] { note(try partitions[keys.partition(of: item.json)].take(item)) }
        let now = items[split - 1].time
        var parts: [Int: [(groups: MovingGroups, later: Duration)]] = [:]
        // Each hands its groups over at a time of its own.
        let times = partitions.map { _ in Int64.random(in: 0...(Self.second * 3), using: &random) }
        let first = times.min() ?? 0
        for (partition, passed) in zip(partitions, times) {
            note(partition.advance(to: now + passed))
            let (rest, groups) = try #require(try partition.stored().takingGroups(of: moving))
            let old = try Partition(document, from: try StreamCheckpoint(parsing: rest.text))
            // The run that has given its groups away ends, and puts out nothing of them.
            let left = try old.end(at: rest.time.nanoseconds)
            #expect(left.map(\.isLast) == [true] && left[0].value == nil)
            let text = try SluiceJSONEncoder().bytes(groups)
            let read = try SluiceJSONDecoder().decode(MovingGroups.self, from: text)
            for (number, part) in try read.divided(into: new) {
                parts[number, default: []].append((part, .nanoseconds(passed - first)))
            }
        }
        keys = try PartitionKeys(StreamPartition(by: "x.user", count: new), in: document)
        partitions = try (0..<new).map { number in
            let checkpoint = try StreamCheckpoint.beginning(
                CompiledDocument(document, in: StreamLibrary(), isWatched: false),
                moving,
                with: parts[number] ?? [],
                host: Self.host
            )
            let stored = try StreamCheckpoint(parsing: checkpoint.text)
            return try Partition(document, from: stored, at: now + first - stored.time.nanoseconds)
        }
        for item in items[split...] { note(try partitions[keys.partition(of: item.json)].take(item)) }
        for partition in partitions { note(partition.advance(to: end) + (try partition.end(at: end))) }
        var wanted: [JSON: [JSON]] = [:]
        for case .array(let pair)? in expected.map(\.value) { wanted[pair[0], default: []].append(pair[1]) }
        #expect(given == wanted, "\(old) to \(new) after \(split) items: \(inner)")
    }

    // MARK: Operators that move

    private func plan(_ operators: String, by: (String, String) = ("x.user", "x.user")) throws -> [String] {
        let plan = StreamPlan(
            from: try document(operators, count: 2, by: by.0),
            to: try document(operators, count: 4, by: by.1)
        )
        let lines = try #require(plan.division).description.split(separator: "\n").map(String.init)
        #expect(!plan.isEmpty && plan.description.hasSuffix(lines.joined(separator: "\n")))
        return lines
    }

    private static let keyed = #"{"id": "sums", "groupBy": {"key": "x.user", "operators": [{"count": {}}]}}"#

    @Test func thePlanListsEachOperatorWithState() throws {
        let lines = try plan(
            #"{"id": "p", "filter": {"expression": "x.n > 0"}}, {"dropFirst": {"count": 2}}, \#(Self.keyed), {"map": {"expression": "x[1]"}}, {"id": "all", "scan": {"expression": "acc + x", "initialValue": 0}}"#
        )
        #expect(
            lines == [
                "divide partition: count 2 → 4",
                "reset  operators[1].dropFirst, in each partition: its state is not kept by the key of the partition",
                "move   operators[2].groupBy (sums): each group goes to the partition of its key",
                "reset  operators[4].scan (all), in each partition: its state is not kept by the key of the partition",
            ]
        )
    }

    @Test(arguments: [
        (#"{"id": "d", "delay": {"seconds": 1}}, "#, "operators[0].delay (d) may change its items, or hold them"),
        (#"{"map": {"expression": "x"}}, "#, "operators[0].map may change its items, or hold them"),
    ])
    func groupsBehindAnotherOperatorAreReset(_ before: String, _ reason: String) throws {
        let all = before + Self.keyed
        #expect(try document(all).movingOperator(from: "x.user", to: "x.user") == nil)
        #expect(try plan(all).last == "reset  operators[1].groupBy (sums), in each partition: \(reason)")
    }

    @Test func groupsOfAnotherKeyAreReset() throws {
        let lines = try plan(Self.keyed, by: ("x.n", "x.user"))
        #expect(
            lines == [
                #"divide partition: by "x.n" → "x.user", count 2 → 4"#,
                "reset  operators[0].groupBy (sums), in each partition: the key of the partition changes",
            ]
        )
        #expect(try document(Self.keyed).movingOperator(from: "x.n", to: "x.n") == nil)
        // A stream that was not divided had all items of a key.
        #expect(try document(Self.keyed).movingOperator(from: nil, to: "x.user")?.index == 0)
        #expect(try document(Self.keyed).movingOperator(from: "x.user", to: nil)?.index == 0)
        #expect(try document(Self.keyed).movingOperator(from: nil, to: nil) == nil)
    }

    /// As the workers divide: the values of the parameters are a part of the division where its key names one.
    @Test func otherValuesOfTheKeyMoveNothing() throws {
        func document(_ by: String, _ shift: Int) throws -> StreamDocument {
            try StreamDocument(
                parsing: #"""
                    {"parameters": {"p": \#(shift)}, "partition": {"by": "\#(by)", "count": 2}, "source": {"never": {}},
                     "operators": [{"groupBy": {"key": "\#(by)", "operators": [{"count": {}}]}}]}
                    """#
            )
        }
        let key = "x.n + ${p}"
        let lines = StreamPlan(from: try document(key, 1), to: try document(key, 2)).division?.description
        #expect(
            lines == """
                divide partition: parameters {"p":1} → {"p":2}
                reset  operators[0].groupBy, in each partition: the values that the key of the partition names change
                """
        )
        #expect(StreamPlan(from: try document("x.n", 1), to: try document("x.n", 2)).division == nil)
    }

    @Test func anEditWithTheSameDivisionSaysNothing() throws {
        let document = try document(Self.keyed)
        #expect(StreamPlan(from: document, to: document).division == nil)
    }

    /// A log may have been written by anyone.
    @Test(arguments: [
        #"{"time": -1, "lastOrder": 0, "stage": {}}"#, #"{"time": 0, "lastOrder": -1, "stage": {}}"#,
        #"{"time": 0, "lastOrder": 0, "stage": {"states": {"windows": {"open": [1]}, "keys": []}}}"#,
        #"{"time": 0, "lastOrder": 0, "stage": {"inner": [[1, 2, {}]]}}"#, #"{"time": 0, "lastOrder": 0, "stage": 1}"#,
    ])
    func invalidGroupsAreRefused(_ text: String) {
        #expect(throws: (any Error).self) { try SluiceJSONDecoder().decode(MovingGroups.self, from: Array(text.utf8)) }
    }
}
