import SluiceJSON

/// A parser of the diagram of a stream.
struct MarbleParser {
    private var scanner: MarbleScanner
    private let kind: Marbles.Kind
    private let values: JSON.Object
    private let error: StreamError
    private(set) var clock: MarbleClock
    private(set) var events: [StreamEvent<JSON>] = []
    private(set) var subscription: Int64?
    private var end: String?

    init(
        _ text: String,
        _ kind: Marbles.Kind,
        frame: StreamTime,
        values: JSON.Object,
        error: StreamError
    ) throws(MarbleError) {
        clock = try MarbleClock(frame: frame)
        scanner = try MarbleScanner(text)
        self.kind = kind
        self.values = values
        self.error = error
    }

    mutating func parse() throws(MarbleError) {
        while let token = try scanner.next() {
            switch token {
            case .nothing: try clock.advance(clock.frame, scanner)
            case .duration(let span): try clock.advance(span, scanner)
            case .open: try clock.open(scanner)
            case .close: try clock.close(scanner)
            case .completed: try append(.completed, end: "|")
            case .failed: try append(.failed(error), end: "#")
            case .subscription: try subscribe()
            case .value(let scalar): try append(.value(value(scalar)))
            case .text(let text): try append(.value(try value(text)))
            case .unsubscription:
                throw scanner.fault(
                    "'!' ends a subscription, and this is the diagram of a stream",
                    hint: "remove it; as a value write '!' in quotes"
                )
            }
        }
        try clock.finish()
    }

    private mutating func append(_ kind: StreamEvent<JSON>.Kind, end: String? = nil) throws(MarbleError) {
        if let end = self.end {
            throw scanner.fault("nothing can follow the '\(end)' that ends the stream", hint: "remove one of the two")
        }
        self.end = end
        events.append(StreamEvent(time: StreamTime(nanoseconds: clock.eventTime), kind: kind))
        try clock.advance(clock.frame, scanner)
    }

    private mutating func subscribe() throws(MarbleError) {
        guard kind == .hot else {
            throw scanner.fault(
                "'^' is where the subscriber of a hot stream comes, and this stream is cold",
                hint: "remove it, or make the stream hot"
            )
        }
        if subscription != nil {
            throw scanner.fault("a second '^'", hint: "a subscriber comes once: remove one of the two")
        }
        try clock.checkOutside("^", scanner)
        subscription = clock.time
        try clock.advance(clock.frame, scanner)
    }

    private func value(_ scalar: Unicode.Scalar) -> JSON {
        values.isEmpty ? MarbleValue.value(scalar) : values[String(scalar)] ?? MarbleValue.value(scalar)
    }

    private func value(_ text: String) throws(MarbleError) -> JSON {
        if !values.isEmpty, let value = values[text] { return value }
        do throws(JSONError) {
            return try MarbleValue.value(quoted: text)
        } catch {
            throw scanner.fault("in the value: \(error.message)", hint: error.hint)
        }
    }
}
