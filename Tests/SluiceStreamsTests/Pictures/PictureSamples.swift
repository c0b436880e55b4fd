import SluiceJSON
import SluiceStreams

/// Pictures that the tests draw.
enum PictureSamples {
    static func at(_ seconds: Double) -> StreamTime { StreamTime(seconds: seconds) ?? .zero }

    static func mark(_ seconds: Double, _ value: JSON, _ origins: Int...) -> MarblePicture.Mark {
        MarblePicture.Mark(time: at(seconds), kind: .value(value), origins: origins)
    }

    static func completed(_ seconds: Double) -> MarblePicture.Mark {
        MarblePicture.Mark(time: at(seconds), kind: .completed)
    }

    static func failed(_ seconds: Double, _ message: String) -> MarblePicture.Mark {
        MarblePicture.Mark(time: at(seconds), kind: .failed(StreamError(message: message)))
    }

    /// Numbers, those that pass a filter, their sums, and a failure; ties, pairs, long values.
    static let stages = MarblePicture(
        title: "Even totals & <pairs>",
        rows: [
            .init(
                name: "Serial Stream A",
                marks: [mark(1, 1, 0), mark(2, 2, 1), mark(3, 3, 2), mark(4, 4, 3), completed(4)]
            ),
            .init(
                name: "filter",
                expression: "x % 2 == 0 && x < 100",
                marks: [mark(2, 2, 1), mark(4, 4, 3), completed(4)]
            ),
            .init(name: "scan", expression: "acc + x", marks: [mark(2, 2, 1), mark(4, 6, 1, 3), completed(4)]),
            .init(
                name: "mergeMap",
                expression: "letters",
                marks: [
                    mark(2.5, "A", 1), mark(4.5, ["A", 2], 1, 3), mark(4.5, "a long value that is cut", 3),
                    mark(4.5, "💥", 4),
                    mark(4.6, true, 5), mark(6, nil, 6), failed(7, "the <source> is gone"),
                ]
            ),
            .init(
                name: "letters",
                start: at(2),
                depth: 1,
                marks: [mark(2.5, "A", 1), mark(4.5, "B", 7), completed(6.5)]
            ),
        ],
        end: at(7.5)
    )
}
