import Foundation
import SluiceJSON
import SluiceStreams
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite struct MarblePictureTests {
    private static var root: URL {
        // Tests/SluiceStreamsTests/Pictures/MarblePictureTests.swift
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return root
    }

    private func isXML(_ text: String) -> Bool { XMLParser(data: Data(text.utf8)).parse() }

    /// The pictures of the documentation, byte for byte. With SLUICE_WRITE_GOLDEN=1 they are rewritten: review them
    /// then.
    @Test(arguments: [("docs/marbles.svg", false), ("docs/marbles-animated.svg", true)])
    func theBytesAreGolden(_ path: String, _ animated: Bool) throws {
        let file = Self.root.appending(path: path)
        let svg = PictureSamples.stages.svg(animated: animated)
        if ProcessInfo.processInfo.environment["SLUICE_WRITE_GOLDEN"] != nil {
            try Data(svg.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == svg)
        #expect(isXML(svg))
    }

    @Test func textIsEscaped() {
        let hostile = #"</text><script>alert("1")</script>&amp;'\#u{1B}\#u{0}\#u{FFFE}\#u{202E}"#
        let picture = MarblePicture(
            title: hostile,
            rows: [
                .init(
                    name: hostile,
                    expression: hostile,
                    marks: [PictureSamples.mark(1, .string(hostile)), PictureSamples.failed(2, hostile)]
                )
            ]
        )
        for animated in [false, true] {
            let svg = picture.svg(animated: animated)
            #expect(isXML(svg))
            #expect(!svg.contains("<script"))
            #expect(svg.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;amp;&#39;␛␀"))
            #expect(
                svg.unicodeScalars.allSatisfy {
                    $0 == "\n" || ($0.value >= 0x20 && $0 != "\u{FFFE}" && $0 != "\u{202E}")
                }
            )
        }
    }

    /// Processor time is measured in a process of its own.
    @Test func hostilePicturesAreBoundedAndSayWhatIsLeftOut() async {
        await #expect(processExitsWith: .success) { Self().drawHostilePictures() }
    }

    private func drawHostilePictures() {
        let long = String(repeating: "x\u{301}\u{301}\u{301}", count: 200_000)
        let marks = (0..<200_000).map { PictureSamples.mark(Double($0 % 7), .int(Int64($0)), $0, -$0, .min, .max) }
        let rows = [
            MarblePicture.Row(name: "many", marks: marks.sorted { $0.time < $1.time }),
            MarblePicture.Row(
                name: long,
                expression: long,
                depth: .max,
                marks: [PictureSamples.mark(1, .string(long))]
            ),
        ]
        let picture = MarblePicture(title: long, rows: rows + Array(repeating: rows[0], count: 100))
        var svg = ""
        #expect(processorSeconds { svg = picture.svg() } < 15)
        #expect(svg.utf8.count < 4_000_000)
        let omitted = svg.firstMatch(of: /… ([0-9]+) more values are not drawn/).map { String($0.1) }
        #expect(omitted == "199992")
        let saysRows = svg.contains("… 42 more stages are not drawn")
        #expect(saysRows)
        let isWhole = isXML(svg)
        #expect(isWhole)
    }

    @Test func nothingAtAllIsAPictureToo() {
        #expect(isXML(MarblePicture(title: "", rows: []).svg(animated: true)))
        #expect(isXML(MarblePicture(title: "", rows: [.init(name: "", marks: [])]).svg()))
        let instant = MarblePicture(title: "Now", events: [StreamEvent<JSON>(time: .zero, kind: .completed)])
        #expect(isXML(instant.svg()))
    }

    @Test func whatIsWideStaysWithinItsRow() {
        let marks = [
            PictureSamples.mark(0, "abcdefghijkl"), PictureSamples.mark(4, "abcdefghijkl"), PictureSamples.completed(4),
        ]
        let svg = MarblePicture(title: "t", rows: [.init(name: "r", marks: marks)]).svg()
        let places = svg.matches(of: /<rect class="plain" x="([0-9.]+)" y="[0-9.]+" width="([0-9.]+)"/).map {
            [String($0.1), String($0.2)]
        }
        #expect(places == [["6", "111"], ["787", "111"]])
    }

    @Test func timesAreMarkedRoundly() {
        func ticks(_ seconds: Double) -> [String] {
            let picture = MarblePicture(title: "t", rows: [], end: PictureSamples.at(seconds))
            return picture.svg().matches(of: /<text class="tick"[^>]*>([^<]*)</).map { String($0.1) }
        }
        #expect(ticks(4) == ["0", "0.5 s", "1 s", "1.5 s", "2 s", "2.5 s", "3 s", "3.5 s", "4 s"])
        #expect(ticks(10) == ["0", "1 s", "2 s", "3 s", "4 s", "5 s", "6 s", "7 s", "8 s", "9 s", "10 s"])
        #expect(ticks(0.25) == ["0", "50 ms", "100 ms", "150 ms", "200 ms", "250 ms"])
        #expect(
            ticks(0.000_002) == [
                "0", "0.2 µs", "0.4 µs", "0.6 µs", "0.8 µs", "1 µs", "1.2 µs", "1.4 µs", "1.6 µs", "1.8 µs", "2 µs",
            ]
        )
        #expect(ticks(1e9).last == "1000000000 s")
        #expect(ticks(0) == ["0", "1 ns"])
    }

    @Test func originsOfARunAreItsValues() {
        let events = [
            StreamEvent<JSON>(time: .zero, kind: .value("a")), StreamEvent(time: .zero, kind: .value("b")),
            StreamEvent(time: .zero, kind: .completed),
        ]
        let picture = MarblePicture(title: "Run", events: events)
        #expect(picture.rows.map { $0.marks.map(\.origins) } == [[[0], [1], []]])
        #expect(picture.svg().contains(#"class="c1""#))
    }

    /// The values of a stream that was started for a value have that value as their origin, however late they come.
    @Test(arguments: [
        (#"{"flatMap": {"to": {"marbles": {"text": "--x-y|", "frame": 1}}}}"#, [[0], [1], [0], [1]]),
        (
            #"{"flatMap": {"to": {"marbles": {"text": "--x-y|", "frame": 1}}, "expression": "a + x"}}"#,
            [[0], [1], [0], [1]]
        ),
        (#"{"flatMap": {"to": {"marbles": {"text": "--x-y|", "frame": 1}}, "concurrency": 1}}"#, [[0], [0], [1], [1]]),
        (#"{"concatMap": {"to": {"marbles": {"text": "--x-y|", "frame": 1}}}}"#, [[0], [0], [1], [1]]),
        (#"{"switchMap": {"to": {"marbles": {"text": "--x-y|", "frame": 1}}}}"#, [[1], [1]]),
        (#"{"exhaustMap": {"to": {"marbles": {"text": "--x-y|", "frame": 1}}}}"#, [[0], [0]]),
    ])
    func originsOfStreamsThatAreStarted(_ item: String, _ origins: [[Int]]) throws {
        let text = #"{"source": {"marbles": {"text": "-ab----------|", "frame": 1}}, "operators": [\#(item)]}"#
        let picture = try MarblePicture(StreamDocument(parsing: text))
        #expect(picture.rows.last?.marks.dropLast().map(\.origins) == origins)
    }

    @Test func theAnimationTakesFromFourToTwentySeconds() {
        func seconds(_ end: Double) -> String? {
            let picture = MarblePicture(title: "t", rows: [], end: PictureSamples.at(end))
            return picture.svg(animated: true).firstMatch(of: /sluice-flow ([0-9.]+)s/).map { String($0.1) }
        }
        #expect(seconds(0.001) == "5")
        #expect(seconds(8) == "10")
        #expect(seconds(1e6) == "25")
        #expect(!MarblePicture(title: "t", rows: []).svg().contains("animation"))
    }
}
