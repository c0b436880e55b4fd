/// The time of the current place in a diagram, and the group that contains it.
struct MarbleClock {
    /// The longest diagram, in nanoseconds.
    static let limit = Int64(StreamTime.maximumSeconds) * 1_000_000_000
    static let limitText = "\(StreamTime(nanoseconds: limit)) seconds"

    let frame: Int64
    private(set) var time: Int64 = 0
    private var group: (time: Int64, column: Int)?

    init(frame: StreamTime) throws(MarbleError) {
        guard frame > .zero else {
            throw MarbleError(message: "a frame lasts more than 0 seconds", hint: "0.001 is the usual")
        }
        self.frame = frame.nanoseconds
    }

    /// The time of an event at this place.
    var eventTime: Int64 { group?.time ?? time }

    mutating func advance(_ span: Int64, _ scanner: MarbleScanner) throws(MarbleError) {
        let (sum, overflow) = time.addingReportingOverflow(span)
        guard !overflow, sum <= Self.limit else {
            throw scanner.fault(
                "the diagram is longer than \(Self.limitText)",
                hint: "shorten it, or take a shorter frame"
            )
        }
        time = sum
    }

    mutating func open(_ scanner: MarbleScanner) throws(MarbleError) {
        if let group {
            throw scanner.fault(
                "a group in the group of column \(group.column)",
                hint: "groups do not nest: everything in a group happens at the same time"
            )
        }
        group = (time, scanner.column)
        try advance(frame, scanner)
    }

    mutating func close(_ scanner: MarbleScanner) throws(MarbleError) {
        guard group != nil else {
            throw scanner.fault("')' closes no group", hint: "remove it, or begin the group with '('")
        }
        group = nil
        try advance(frame, scanner)
    }

    /// Throws for a mark that is not allowed in a group.
    func checkOutside(_ what: String, _ scanner: MarbleScanner) throws(MarbleError) {
        if group != nil {
            throw scanner.fault("'\(what)' isn't allowed in a group", hint: "write it before or after the group")
        }
    }

    func finish() throws(MarbleError) {
        if let group {
            throw MarbleError(column: group.column, message: "the group has no end", hint: "close it with ')'")
        }
    }
}
