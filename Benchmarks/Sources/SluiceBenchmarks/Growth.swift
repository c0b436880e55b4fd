import Foundation
import Sluice
import SluiceFilters
import SluiceJSON
import SluiceStreams

/// The growth of costs within the process: `bin/bench growth` draws them into a folder.
enum Growth {
    /// - Parameter name: The only picture, for a profiler; `nil` for all.
    static func run(_ folder: String, only name: String?) throws {
        let pictures = [("depth", depth), ("operators", operators), ("items", items), ("documents", documents)]
        for (file, plot) in pictures where name == nil || name == file { try plot().write(to: folder) }
    }

    private static let limits = StreamLimits(eventsPerInstant: .max, heldItems: .max)

    /// A call through a stack of filters, 1 to 100 of them.
    private static func depth() throws -> GrowthPlot {
        var plot = GrowthPlot(file: "depth", title: "Stack depth", sizes: "filters", costs: "ns for a filter of a call")
        for (name, filter) in [
            ("nothing to do", AnyFilter<Int, Int, Int, Int>(Nothing())),
            ("timeout", AnyFilter<Int, Int, Int, Int>(TimeoutFilter(.seconds(10)))),
        ] {
            var curve = GrowthPlot.Curve(name: name)
            for depth in [1, 2, 5, 10, 20, 50, 100] {
                let node = (0..<depth).reduce(AnyNode<Int, Int>(Leaf())) { node, _ in filter.andThen(node) }
                let call = calling(node)
                curve.points.append((Double(depth), leastProcessorTime(call) / Double(calls * depth)))
            }
            plot.curves.append(curve)
        }
        return plot
    }

    /// A value through a chain of operators, 1 to 1,000 of them.
    private static func operators() throws -> GrowthPlot {
        var plot = GrowthPlot(
            file: "operators",
            title: "Operators of a stream",
            sizes: "operators",
            costs: "ns for a value and an operator"
        )
        let counts = [1, 3, 10, 30, 100, 300, 1000]
        let values = 1000
        var native = GrowthPlot.Curve(name: "native map")
        for count in counts {
            let source = Flow<Int>.values(contentsOf: Array(0..<values))
            let flow = (0..<count).reduce(source) { flow, _ in flow.map { $0 &+ 1 } }
            native.points.append((Double(count), time(flow) / Double(values * count)))
        }
        plot.curves.append(native)
        for item in ["int", "dyn"] {
            var curve = GrowthPlot.Curve(name: "map in CEL, \(item == "int" ? "typed" : "dynamic")")
            // A document has at most 256 operators one after another.
            for count in counts.map({ min($0, 256) }).dropLast() {
                let operators = Array(repeating: #"{"map": {"expression": "x + 1"}}"#, count: count)
                let text =
                    #"{"item": "\#(item)", "source": {"range": {"from": 0, "count": \#(values)}}, "operators": ["#
                    + operators.joined(separator: ", ") + "]}"
                let flow = try StreamDocument(parsing: text).flow()
                curve.points.append((Double(count), time(flow) / Double(values * count)))
            }
            plot.curves.append(curve)
        }
        return plot
    }

    /// A stream of 10 to 10 million items.
    private static func items() throws -> GrowthPlot {
        var plot = GrowthPlot(file: "items", title: "Items of a stream", sizes: "items", costs: "ns for an item")
        let counts = (1...7).map { Int(pow(10, Double($0))) }
        var native = GrowthPlot.Curve(name: "map, filter, scan, native")
        var document = GrowthPlot.Curve(name: "map, filter, scan in CEL")
        var list = GrowthPlot.Curve(name: "a list that grows in CEL")
        for count in counts {
            let flow = Flow.values(contentsOf: Array(0..<count)).map { $0 &* 2 }.filter { $0 % 3 == 0 }.scan(0, &+)
            native.points.append((Double(count), time(flow) / Double(count)))
            let source = #""item": "int", "source": {"range": {"from": 0, "count": \#(count)}}"#
            let text = #"""
                {\#(source), "operators": [{"map": {"expression": "x * 2"}}, {"filter": {"expression": "x % 3 == 0"}},
                 {"scan": {"initialValue": 0, "expression": "acc + x"}}]}
                """#
            document.points.append((Double(count), time(try StreamDocument(parsing: text).flow()) / Double(count)))
            guard count <= 100_000 else { continue }
            let growing = #"""
                {\#(source), "operators": [{"scan": {"initialValue": [], "expression": "acc + [x]"}}, {"count": {}}]}
                """#
            list.points.append((Double(count), time(try StreamDocument(parsing: growing).flow()) / Double(count)))
        }
        plot.curves = [native, document, list]
        return plot
    }

    /// Documents of 1 KB to 1 MB: their parse, and what makes them streams.
    private static func documents() throws -> GrowthPlot {
        var plot = GrowthPlot(file: "documents", title: "Size of a document", sizes: "bytes", costs: "ns for a byte")
        var values = GrowthPlot.Curve(name: "values")
        var operators = GrowthPlot.Curve(name: "operators with expressions")
        for size in [1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000] {
            let numbers = (0..<size / 8).map { "\(100_000 + $0)" }.joined(separator: ", ")
            let list = #"{"source": {"values": [\#(numbers)]}}"#
            values.points.append((Double(size), try compile(list)))
            // Streams of 25 operators, about 1 KB each, as a document has at most 256 one after another.
            let steps = (0..<25).map { #"{"map": {"expression": "x + \#(100 + $0)"}}"# }.joined(separator: ", ")
            let stream = #"{"source": {"values": [1]}, "operators": [\#(steps)]}"#
            let streams = Array(repeating: stream, count: max(1, size / stream.utf8.count)).joined(separator: ", ")
            let chain = #"{"item": "int", "source": {"merge": [\#(streams)]}}"#
            do { operators.points.append((Double(size), try compile(chain))) } catch {
                print("no document of operators with \(size) bytes: \(error)")
            }
        }
        plot.curves = [values, operators]
        return plot
    }

    private static func compile(_ text: String) throws -> Double {
        _ = try StreamDocument(parsing: text).flow()
        return try leastProcessorTime { keep(try StreamDocument(parsing: text).flow()) } / Double(text.utf8.count)
    }

    private static func time<Value>(_ flow: Flow<Value>) -> Double {
        leastProcessorTime {
            var count = 0
            flow.runVirtually(limits: limits) { event in if !event.isLast { count += 1 } }
            keep(count)
        }
    }
}
