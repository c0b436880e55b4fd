import Foundation
import OpenCombine
import SluiceJSON
import SluiceStreams

/// The number of values of one run of a stream.
private let values = 10_000
private let numbers = Array(0..<values)

/// Runs a flow in virtual time and counts its values.
private func running<Value>(_ flow: Flow<Value>) -> () -> Void {
    {
        var count = 0
        flow.runVirtually(limits: unlimited) { event in if !event.isLast { count += 1 } }
        keep(count)
    }
}

private let unlimited = StreamLimits(eventsPerInstant: .max, heldItems: .max)

/// Runs a flow through the events that one iterates.
private func iterating<Value>(_ flow: Flow<Value>) -> () -> Void {
    {
        var count = 0
        for event in flow.virtualEvents(limits: unlimited) where !event.isLast { count += 1 }
        keep(count)
    }
}

/// Runs a document.
private func running(_ document: String) throws -> () -> Void {
    let flow = try StreamDocument(parsing: document).flow()
    return running(flow)
}

/// Runs a publisher of OpenCombine.
private func running<P: Publisher>(_ publisher: P) -> () -> Void {
    {
        var count = 0
        let subscription = publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in count += 1 })
        keep(subscription)
        keep(count)
    }
}

@inline(never) private func isEven(_ x: Int) -> Bool { x % 2 == 0 }
@inline(never) private func doubled(_ x: Int) -> Int { x &* 2 }
@inline(never) private func sum(_ a: Int, _ b: Int) -> Int { a &+ b }

/// The costs of streams; the first peer is OpenCombine, or Foundation for a document's item.
func streamRows() throws -> [Row] {
    func row(_ name: String, _ peers: Peer..., operations: Int = values) -> Row {
        Row(group: "streams", name: name, bytes: 0, peers: peers, operations: operations)
    }
    let range = #""item": "int", "source": {"range": {"from": 0, "count": \#(values)}}"#
    let publisher = numbers.publisher
    let eighths = (0..<8).map { _ in Array(0..<(values / 8)) }
    let half = Array(0..<(values / 2))
    return [
        row(
            "map, filter, scan",
            Peer(name: "OpenCombine", run: running(publisher.map(doubled).filter(isEven).scan(0, sum))),
            Peer(
                name: "native",
                run: running(Flow.values(contentsOf: numbers).map(doubled).filter(isEven).scan(0, sum))
            ),
            Peer(
                name: "iterated",
                run: iterating(Flow.values(contentsOf: numbers).map(doubled).filter(isEven).scan(0, sum))
            ),
            Peer(
                name: "CEL",
                run: try running(
                    #"""
                    {\#(range), "operators": [{"map": {"expression": "x * 2"}}, {"filter": {"expression": "x % 2 == 0"}},
                     {"scan": {"initialValue": 0, "expression": "acc + x"}}]}
                    """#
                )
            ),
            Peer(
                name: "CEL, dynamic",
                run: try running(
                    #"""
                    {"source": {"range": {"from": 0, "count": \#(values)}}, "item": "dyn", "operators": [
                     {"map": {"expression": "x * 2"}}, {"filter": {"expression": "x % 2 == 0"}},
                     {"scan": {"initialValue": 0, "expression": "acc + x"}}]}
                    """#
                )
            )
        ),
        row(
            "merge of 8",
            // OpenCombine has no merge.
            Peer(
                name: "OpenCombine",
                run: running(eighths.publisher.flatMap { $0.publisher })
            ),
            Peer(name: "native", run: running(Flow.merge(eighths.map { Flow.values(contentsOf: $0) })))
        ),
        row(
            "zip",
            Peer(name: "OpenCombine", run: running(half.publisher.zip(half.publisher))),
            Peer(name: "native", run: running(Flow.values(contentsOf: half).zip(Flow.values(contentsOf: half)))),
            operations: values / 2
        ),
        row(
            "combineLatest",
            // OpenCombine has no combineLatest: what comes nearest.
            Peer(name: "OpenCombine zip", run: running(half.publisher.zip(half.publisher))),
            Peer(
                name: "native",
                run: running(Flow.values(contentsOf: half).combineLatest(Flow.values(contentsOf: half)))
            ),
            operations: values / 2
        ),
        row(
            "a list that grows",
            appending(),
            Peer(
                name: "CEL scan",
                run: try running(
                    #"""
                    {\#(range), "operators": [{"scan": {"initialValue": [], "expression": "acc + [x]"}}, {"count": {}}]}
                    """#
                )
            )
        ),
        row("100,000 pending delays", sorting(), delays(), operations: 100_000),
        try items(),
    ]
}

/// The least that a growing list costs: a loop that appends each value.
private func appending() -> Peer {
    Peer(name: "a loop that appends") {
        var list: [JSON] = []
        for number in numbers { list.append(.int(Int64(number))) }
        keep(list.count)
    }
}

/// A hundred thousand values that wait for a second, and then come.
private func delays() -> Peer {
    let flow = Flow.values(contentsOf: Array(0..<100_000)).delay(for: .seconds(1))
    return Peer(name: "native", run: running(flow))
}

/// The least that a scheduler does: a closure for each value, sorted by time, and called in order.
private func sorting() -> Peer {
    Peer(name: "sorted closures") {
        var count = 0
        var pending: [(time: Int, number: Int, body: () -> Void)] = []
        for number in 0..<100_000 { pending.append((1_000_000_000, number, { count &+= number })) }
        pending.sort { ($0.time, $0.number) < ($1.time, $1.number) }
        for entry in pending { entry.body() }
        keep(count)
    }
}

/// An item of a document, decoded by Foundation and by ourselves.
private func items() throws -> Row {
    let count = 1000
    let list = Array(
        repeating: #"{"value": 1, "operators": [{"delay": {"seconds": 1}}]}"#,
        count: count
    ).joined(separator: ",")
    let bytes = Array("[\(list)]".utf8)
    let data = Data(bytes)
    return Row(
        group: "streams",
        name: "an item decoded",
        bytes: 0,
        peers: [
            Peer(name: "Foundation", run: { keep(try? JSONDecoder().decode([SeedItem].self, from: data)) }),
            Peer(name: "Sluice", run: { keep(try? [StreamItem<Int>](parsing: bytes)) }),
        ],
        operations: count
    )
}

/// The seed's item, as its program has it.
private struct SeedItem: Codable {
    let value: Int
    let operators: [SeedOperator]
}

private enum SeedOperator: Codable {
    case delay(seconds: Double)
}
