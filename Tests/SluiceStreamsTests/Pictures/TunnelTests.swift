import SluiceJSON
import SluiceStreams
import Testing

@Suite struct TunnelTests {
    private func tunnel(
        _ marks: [MarblePicture.Mark],
        at seconds: Double,
        width: Int = 24,
        isColored: Bool = false
    ) -> [String] {
        MarblePicture(title: "Run", rows: [.init(name: "numbers", expression: "x > 1", marks: marks)])
            .tunnel(width: width, at: PictureSamples.at(seconds), isColored: isColored)
    }

    @Test func valuesEnterAtTheRightAndTravelLeft() {
        let marks = [PictureSamples.mark(1, 7), PictureSamples.mark(3, "ab"), PictureSamples.completed(4)]
        #expect(
            tunnel(marks, at: 0.5) == [
                "Run                0.5 s",
                "numbers  x > 1",
                "╭──────────────────────╮",
                "│                      │",
                "╰──────────────────────╯",
            ]
        )
        #expect(tunnel(marks, at: 1)[3] == "│                  (7) │")
        #expect(tunnel(marks, at: 2)[3] == "│                (7)   │")
        #expect(tunnel(marks, at: 3)[3] == "│              (7)(ab) │")
        #expect(tunnel(marks, at: 5)[3] == "│         (7)(ab)  |   │")
    }

    @Test func tiesStandOneBelowTheOther() {
        let marks = (1...6).map { PictureSamples.mark(1, .int(Int64($0))) }
        let lines = tunnel(marks, at: 1)
        #expect(lines[1] == "numbers  x > 1        +2")
        #expect(
            lines[3...6] == [
                "│                  (1) │", "│                  (2) │", "│                  (3) │",
                "│                  (4) │",
            ]
        )
        #expect(lines.count == 8)
    }

    @Test func failuresAndWideValuesKeepTheWidth() {
        let values: [JSON] = [
            "💥", "日本語", "e\u{301}", "👩‍👧", "❤️", "\u{301}", ["k": [1, 2, 3]], .string(String(repeating: "字", count: 50)),
        ]
        for value in values {
            for line in tunnel([PictureSamples.mark(1, value), PictureSamples.failed(2, "gone")], at: 2, width: 60) {
                #expect(displayWidth(line) == 60 || !line.hasPrefix("│"), "\(line)")
            }
        }
        #expect(tunnel([PictureSamples.mark(1, "💥")], at: 1)[3] == "│                 (💥) │")
        #expect(tunnel([PictureSamples.failed(1, "gone")], at: 1)[3] == "│                     ✕│")
        #expect(tunnel([PictureSamples.mark(1, "abcdefghijklmn")], at: 1)[3] == "│       (abcdefghijk…) │")
    }

    /// The measure of the tests: nothing but the characters used here.
    private func displayWidth(_ line: String) -> Int {
        line.reduce(0) { $0 + ("💥日本語字👩‍👧❤️".contains($1) ? 2 : 1) }
    }

    @Test func whatHasLeftIsGone() {
        #expect(tunnel([PictureSamples.mark(1, 7)], at: 1000)[3] == "│                      │")
        #expect(tunnel([PictureSamples.mark(1, 7)], at: 1e9)[3] == "│                      │")
    }

    @Test func theWidthIsHeldWithinBounds() {
        for width in [Int.min, 0, 20] { #expect(tunnel([], at: 0, width: width)[2].count == 20) }
        for width in [400, 401, Int.max] { #expect(tunnel([], at: 0, width: width)[2].count == 400) }
    }

    @Test func colorsAreOnlyWhereAskedFor() {
        let marks = [PictureSamples.mark(1, 7, 1), PictureSamples.completed(2)]
        #expect(!tunnel(marks, at: 2).joined().contains("\u{1B}"))
        let line = tunnel(marks, at: 2, isColored: true)[3]
        #expect(
            line
                == "\u{1B}[2m│\u{1B}[0m                \u{1B}[1;97;48;5;130m 7 \u{1B}[0m  \u{1B}[1;32m|\u{1B}[0m\u{1B}[2m│\u{1B}[0m"
        )
    }

    @Test func nothingOfAValueSteersTheTerminal() {
        let hostile = "\u{1B}[2J\u{9B}31m\r\n\u{7}\u{202E}\u{2028}\u{0}"
        let picture = MarblePicture(
            title: hostile,
            rows: [.init(name: hostile, expression: hostile, marks: [PictureSamples.mark(0, .string(hostile))])]
        )
        let text = picture.tunnel(width: 80, at: .zero).joined()
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        #expect(!text.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{2028}" })
        #expect(text.contains("␛[2J"))
    }

    @Test func hostilePicturesAreBounded() {
        let marks = (0..<100_000).map { PictureSamples.mark(1, .int(Int64($0))) }
        let rows = (0..<1000).map { MarblePicture.Row(name: "row \($0)", marks: $0 == 0 ? marks : []) }
        let lines = MarblePicture(title: "many", rows: rows).tunnel(width: 80, at: PictureSamples.at(1))
        #expect(lines.count < 400)
        #expect(lines.last == "… 940 more stages")
    }

    @Test func aFrameTakesThePlaceOfTheLast() {
        var screen = TunnelScreen()
        #expect(screen.update(["a", "b"]) == "a\u{1B}[K\nb\u{1B}[K\n")
        #expect(screen.update(["c"]) == "\u{1B}[2Fc\u{1B}[K\n\u{1B}[J")
        #expect(screen.update(["d"]) == "\u{1B}[1Fd\u{1B}[K\n")
    }
}
