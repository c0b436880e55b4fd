#if Hub
import Sluice
import SluiceStreams
import Testing

@testable import SluiceHub

/// Pictures of runs in virtual time, which are cut off when their time is over.
@Suite struct PictureRunTests {
    private static let text =
        #"{"source": {"interval": {"seconds": 0.02}}, "operators": [{"map": {"expression": "x * 2"}}, {"filter": {"expression": "x % 3 != 0"}}]}"#

    /// Returns a page, which may look at its clock so many times, and has three times as many if it is a continuation.
    private func page(_ looks: UInt64?, skipping skipped: Int = 0) throws -> PictureRun {
        let passed = Locked<UInt64>(0)
        return try PictureRun(
            StreamDocument(parsing: Self.text),
            in: StreamLibrary(),
            until: StreamTime(seconds: 4),
            skipping: skipped
        ) {
            passed.withLock { passed in
                passed += looks.map { 300_000_000 / $0 } ?? 0
                return passed
            }
        }
    }

    /// A page that is cut before its first mark has the next one begin where it began.
    @Test(arguments: [1, 2, 3, 10, 50, 199, 1000]) func pagesTogetherAreTheWhole(_ first: UInt64) throws {
        let whole = try page(nil)
        #expect(!whole.isCut && whole.picture.rows.map(\.marks.count).reduce(0, +) > 500)
        var (rows, next, looks, cuts) = (whole.picture.rows.map { _ in [MarblePicture.Mark]() }, 0, first, 0)
        while true {
            let part = try page(looks, skipping: next)
            for (index, row) in part.picture.rows.enumerated() { rows[index] += row.marks }
            guard let following = part.next else { break }
            cuts += 1
            #expect(following == next + part.picture.rows.map(\.marks.count).reduce(0, +))
            // A continuation repeats the run up to its first mark, for which the machine needs to be faster.
            if following == next { looks *= 2 }
            next = following
        }
        #expect(cuts > 0 || first == 1000)
        for (row, expected) in zip(rows, whole.picture.rows) {
            #expect(row.map(\.time) == expected.marks.map(\.time))
            #expect(row.map { "\($0.kind)" } == expected.marks.map { "\($0.kind)" })
        }
    }
}
#endif
