/// The tokens of a marble diagram.
enum MarbleToken: Equatable {
    case nothing
    case duration(Int64)
    case open, close
    case completed, failed
    case subscription, unsubscription
    case value(Unicode.Scalar)
    case text(String)
}

/// A scanner that splits a diagram into tokens.
struct MarbleScanner {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    /// The column at which the last token of ``next()`` begins, from 1.
    private(set) var column = 1

    init(_ text: String) throws(MarbleError) {
        guard text.utf8.count <= Marbles.maximumByteCount else {
            throw MarbleError(
                message: "a diagram has at most \(Marbles.maximumByteCount) bytes, and not \(text.utf8.count)",
                hint: "write the items as a stream"
            )
        }
        scalars = Array(text.unicodeScalars)
    }

    mutating func next() throws(MarbleError) -> MarbleToken? {
        while index < scalars.count, scalars[index] == " " { index += 1 }
        guard index < scalars.count else { return nil }
        column = index + 1
        let scalar = scalars[index]
        if ("0"..."9").contains(scalar), let duration = try duration() { return .duration(duration) }
        index += 1
        switch scalar {
        case "-": return .nothing
        case "(": return .open
        case ")": return .close
        case "|": return .completed
        case "#": return .failed
        case "^": return .subscription
        case "!": return .unsubscription
        case "'": return .text(try quoted())
        default:
            guard scalar.properties.generalCategory != .control else {
                let code = String(scalar.value, radix: 16, uppercase: true)
                throw fault(
                    "the control character U+\(String(repeating: "0", count: max(0, 4 - code.count)))\(code) isn't a marble",
                    hint: "separate with spaces; as a value write it as a JSON string: '\"\\n\"'"
                )
            }
            return .value(scalar)
        }
    }

    func fault(_ message: String, hint: String? = nil) -> MarbleError {
        MarbleError(column: column, message: message, hint: hint)
    }

    /// Returns the rest of a `'…'` whose first `'` has been taken.
    private mutating func quoted() throws(MarbleError) -> String {
        var text = String.UnicodeScalarView()
        while index < scalars.count {
            let scalar = scalars[index]
            index += 1
            if scalar == "'" {
                guard index < scalars.count, scalars[index] == "'" else { return String(text) }
                index += 1
            }
            text.append(scalar)
        }
        throw fault("the value has no end", hint: "close it with '; inside, write '' for one '")
    }

    /// Returns the duration that begins here, in nanoseconds, and takes it; `nil` without a duration here.
    private mutating func duration() throws(MarbleError) -> Int64? {
        guard let match = MarbleDuration(scalars, at: index) else { return nil }
        guard let nanoseconds = match.nanoseconds else {
            throw fault(
                "the duration \(match.shortText) is not a whole number of nanoseconds up to \(MarbleClock.limitText)",
                hint: "round it"
            )
        }
        index += match.count
        return nanoseconds
    }
}

/// A duration in a diagram: digits, optionally a fraction, a unit, and a space.
struct MarbleDuration {
    /// The number of its scalars, without the space.
    let count: Int
    private let digits: ArraySlice<Unicode.Scalar>
    private let fraction: ArraySlice<Unicode.Scalar>
    private let unit: String

    /// Creates the duration at `start`, or returns `nil` without one: it has to begin the text or follow a space.
    init?(_ scalars: [Unicode.Scalar], at start: Int) {
        guard start == 0 || scalars[start - 1] == " " else { return nil }
        var index = start
        func scalar() -> Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }
        func digitRun() -> ArraySlice<Unicode.Scalar> {
            let first = index
            while let next = scalar(), ("0"..."9").contains(next) { index += 1 }
            return scalars[first..<index]
        }
        digits = digitRun()
        guard !digits.isEmpty else { return nil }
        if scalar() == "." {
            index += 1
            fraction = digitRun()
            guard !fraction.isEmpty else { return nil }
        } else {
            fraction = []
        }
        let isLong = index + 1 < scalars.count && scalars[index] == "m" && scalars[index + 1] == "s"
        guard isLong || scalar() == "s" || scalar() == "m" else { return nil }
        unit = isLong ? "ms" : scalar() == "s" ? "s" : "m"
        index += unit.count
        guard scalar() == " " else { return nil }
        count = index - start
    }

    /// The text of the duration, for a message.
    var shortText: String {
        let text =
            String(String.UnicodeScalarView(digits))
            + (fraction.isEmpty ? "" : "." + String(String.UnicodeScalarView(fraction)))
        return (text.count > 24 ? text.prefix(24) + "…" : text) + unit
    }

    /// The span; `nil` if it is not a whole number of nanoseconds, or longer than a diagram may be.
    var nanoseconds: Int64? {
        let unit: Int128 = self.unit == "ms" ? 1_000_000 : self.unit == "s" ? 1_000_000_000 : 60_000_000_000
        var whole: Int128 = 0
        for digit in digits {
            whole = whole * 10 + Int128(digit.value - 48)
            guard whole * unit <= Int128(MarbleClock.limit) else { return nil }
        }
        // Minutes allow the most decimal places of whole nanoseconds: eleven.
        let places = fraction.reversed().drop { $0 == "0" }.reversed()
        guard places.count <= 11 else { return nil }
        var (part, scale): (Int128, Int128) = (0, 1)
        for digit in places { (part, scale) = (part * 10 + Int128(digit.value - 48), scale * 10) }
        let (rest, remainder) = (part * unit).quotientAndRemainder(dividingBy: scale)
        let sum = whole * unit + rest
        return remainder == 0 && sum <= Int128(MarbleClock.limit) ? Int64(sum) : nil
    }

    /// Returns a span as the shortest text in its largest whole unit: `2m`, `90s`, `1500ms`, `0.25ms`.
    static func text(_ nanoseconds: Int64) -> String {
        if nanoseconds % 60_000_000_000 == 0 { return "\(nanoseconds / 60_000_000_000)m" }
        if nanoseconds % 1_000_000_000 == 0 { return "\(nanoseconds / 1_000_000_000)s" }
        // A thousandth of the span in seconds is the span in milliseconds.
        let (whole, part) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        guard part > 0 else { return "\(whole)ms" }
        let places = "\(1_000_000 + part)".dropFirst().reversed().drop { $0 == "0" }.reversed()
        return "\(whole)." + String(places) + "ms"
    }
}
