#if Hub
import HTTPTypes
import SluiceJSON
import SluiceStore
import Testing

@testable import SluiceHub
@testable import SluiceRuns

@Suite struct MetricsTests {
    /// A line of Prometheus' text format.
    struct Sample: Hashable {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    struct Malformed: Error {
        let line: String
    }

    /// Reads the format as it is specified: names, labels in quotes with three escapes, a number.
    func parse(_ text: String) throws -> [Sample] {
        var (samples, types) = ([Sample](), [String: String]())
        guard text.last == "\n" else { throw Malformed(line: "the last") }
        for line in text.split(separator: "\n") {
            if let match = line.wholeMatch(of: /# TYPE ([a-z_]+) (counter|gauge|histogram)/) {
                guard types.updateValue(String(match.2), forKey: String(match.1)) == nil else {
                    throw Malformed(line: String(line))
                }
            } else if line.hasPrefix("# HELP ") {
                continue
            } else {
                let pattern = /([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\\n]|\\\\|\\"|\\n)*",?)*)\})? (\S+)/
                guard let match = line.wholeMatch(of: pattern), let value = Double(match.3) else {
                    throw Malformed(line: String(line))
                }
                var labels: [String: String] = [:]
                for label in (match.2 ?? "").matches(of: /([a-z]+)="((?:[^"\\]|\\.)*)"/) {
                    labels[String(label.1)] = String(label.2).replacing(#"\n"#, with: "\n").replacing(
                        #"\""#,
                        with: "\""
                    )
                    .replacing(#"\\"#, with: #"\"#)
                }
                let name = String(match.1)
                let family =
                    ["_bucket", "_sum", "_count"].first { name.hasSuffix($0) && types[name] == nil }
                    .map { String(name.dropLast($0.count)) } ?? name
                guard types[family] != nil else { throw Malformed(line: String(line)) }
                samples.append(Sample(name: name, labels: labels, value: value))
            }
        }
        return samples
    }

    func value(_ name: String, _ labels: [String: String] = [:], in samples: [Sample]) -> Double? {
        samples.first { $0.name == name && $0.labels == labels }?.value
    }

    @Test func figuresFollowWhatHappens() async throws {
        let hub = try await Hub([Document.items("a", [1, 2, 3]), Document.items("b", [1]), Document.items("c", [1])])
        _ = try await hub.ask(.post, "/streams/a/start")
        _ = try await hub.ask(.get, "/streams/none")
        _ = try await hub.ask(.get, "/made-up/by-somebody")
        _ = try await hub.ask(.put, "/groups/all/members/m", #"{"streams": []}"#)
        let subscriber = try hub.subscribe()
        try await hub.pass(2)
        let answer = try await hub.ask(.get, "/metrics")
        #expect(answer.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
        let samples = try parse(answer.text)
        #expect(value("sluice_streams", ["state": "running"], in: samples) == 1.0)
        #expect(value("sluice_streams", ["state": "idle"], in: samples) == 2.0)
        #expect(value("sluice_streams", ["state": "failed"], in: samples) == 0.0)
        #expect(value("sluice_runs_begun_total", in: samples) == 1.0)
        #expect(value("sluice_runs_failed_total", in: samples) == 0.0)
        #expect(value("sluice_values_passed_total", in: samples) == 2.0)
        #expect(value("sluice_subscribers", in: samples) == 1.0)
        #expect(value("sluice_members", ["group": "all"], in: samples) == 1.0)
        #expect((value("sluice_store_batches_total", in: samples) ?? 0) > 0.0)
        let started = ["method": "POST", "route": "/streams/{id}/start"]
        #expect(value("sluice_requests_total", started.merging(["status": "200"]) { $1 }, in: samples) == 1)
        #expect(value("sluice_request_seconds_count", started, in: samples) == 1.0)
        #expect(value("sluice_request_seconds_bucket", started.merging(["le": "+Inf"]) { $1 }, in: samples) == 1)
        let read = ["method": "GET", "route": "/streams/{id}", "status": "404"]
        #expect(value("sluice_requests_total", read, in: samples) == 1.0)
        #expect(!answer.text.contains("made-up"))
        #if os(Linux)
        #expect((value("process_resident_memory_bytes", in: samples) ?? 0) > 1_048_576)
        #endif
        _ = subscriber
    }

    /// Each figure of a stream and of a sink counts what has happened, and only that.
    @Test func everyStreamAndSinkHasFigures() async throws {
        let fails = #"{"id": "b", "source": {"values": [1, 2, 0]}, "operators": [{"map": {"expression": "4 / x"}}]}"#
        let hub = try await Hub([Document.items("a", [1, 2, 3]), fails, Document.items("c", [1])])
        for id in ["a", "b"] { _ = try await hub.ask(.post, "/streams/\(id)/start") }
        try await hub.pass(9)
        let samples = try parse(try await hub.ask(.get, "/metrics").text)
        func figure(_ name: String, _ stream: String) -> Double? {
            value("sluice_stream_\(name)", ["stream": stream], in: samples)
        }
        #expect(figure("items_in_total", "a") == 3 && figure("items_out_total", "a") == 3)
        #expect(figure("items_in_total", "b") == 3 && figure("items_out_total", "b") == 2)
        #expect(figure("failures_total", "a") == 0 && figure("failures_total", "b") == 1)
        #expect(figure("reported_total", "a") == 0 && figure("lag_seconds", "a") == 0)
        #expect((figure("turn_seconds_total", "a") ?? 0) > 0)
        // A stream that was never started is not in memory.
        #expect(figure("items_in_total", "c") == nil)
    }

    /// 5 streams and 3 sinks with labels for 2: the others are added up, and the largest lag of them counts.
    @Test(arguments: [0, 2, 5]) func labelsAreBounded(_ limit: Int) throws {
        var counts = RunFigures.Counts()
        (counts.itemsIn, counts.itemsOut, counts.turnTime, counts.stateSize) = (1, 2, 3_000_000_000, 4)
        (counts.reported, counts.failures) = (5, 6)
        let metrics = StreamMetrics(
            figures: (0..<5).map { ("s\($0)", counts) },
            lags: ["s3": 2, "s4": 1],
            sinks: (0..<5).map { index in
                SinkFigures(stream: "s\(index)", sink: "t", delivered: 1, failed: 2, waiting: 3, isBlocked: index > 2)
            },
            limit: limit
        )
        var text = PrometheusText()
        metrics.write(to: &text)
        let samples = try parse(text.text)
        let families = Dictionary(grouping: samples, by: \.name)
        #expect(families.count == 11)
        for (name, samples) in families {
            #expect(samples.count == min(5, limit + 1), "\(name)")
            #expect(samples.contains { $0.labels["stream"] == StreamMetrics.rest } == (limit < 5), "\(name)")
        }
        for (name, sum) in [
            ("sluice_stream_items_in_total", 5.0), ("sluice_stream_items_out_total", 10),
            ("sluice_stream_turn_seconds_total", 15), ("sluice_stream_state_bytes", 20),
            ("sluice_stream_reported_total", 25), ("sluice_stream_failures_total", 30),
            ("sluice_stream_lag_seconds", limit == 5 ? 3 : 2), ("sluice_sink_delivered_total", 5),
            ("sluice_sink_failed_total", 10), ("sluice_sink_waiting", 15), ("sluice_sink_blocked", 2),
        ] { #expect(families[name]?.map(\.value).reduce(0, +) == sum, "\(name)") }
    }

    @Test func bucketsAddUp() throws {
        let counters = HubCounters()
        let route = HubCounters.Route(.get, path: "/x")
        for time in [0, 500_000, 500_001, 9_000_000_000] {
            counters.countRequest(route, status: 200, time: Int64(time))
        }
        let requests = try #require(counters.counts.routes[route])
        #expect(requests.times == [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
        #expect(requests.total == 9_001_000_001)
    }

    @Test func namesAreEscaped() async throws {
        let hub = try await Hub()
        let name = #"a"} 1\n{"#
        #expect(try await hub.ask(.put, "/groups/a%22%7D%201%5Cn%7B").status.kind == .successful)
        let samples = try parse(try await hub.ask(.get, "/metrics").text)
        #expect(samples.contains { $0.name == "sluice_members" && ($0.labels["group"]?.hasPrefix(#"a"} 1"#) ?? false) })
        var text = PrometheusText()
        text.begin("x", .gauge, "a\nb")
        text.sample(1.5, ["l": "a\n\(name)"])
        #expect(text.text == "# HELP x a\\nb\n# TYPE x gauge\nx{l=\"a\\na\\\"} 1\\\\n{\"} 1.5\n")
    }
}
#endif
