#if Command
import Foundation
import SluiceJSON
import SluiceStreams

/// A printer of a run's events.
protocol EventPrinter {
    /// Shows an event.
    ///
    /// - Parameter isFollowed: A Boolean value that indicates whether the next call comes at once, so that the printer
    ///   may show both events together.
    mutating func print(_ event: StreamEvent<JSON>, isFollowed: Bool) throws
    /// Shows what is left to show when the run is over.
    mutating func finish(until limit: StreamTime?) throws
}

/// An object a line.
struct LinePrinter: EventPrinter {
    private var block = OutputBlock()

    mutating func print(_ event: StreamEvent<JSON>, isFollowed: Bool) throws {
        try block.line(isFollowed: isFollowed) { event.writeLine(to: &$0) }
    }
    mutating func finish(until limit: StreamTime?) throws { try block.flush() }
}

/// One diagram at the end.
struct MarblePrinter: EventPrinter {
    let frame: StreamTime
    private var events: [StreamEvent<JSON>] = []

    init(frame: StreamTime) { self.frame = frame }

    mutating func print(_ event: StreamEvent<JSON>, isFollowed: Bool) throws {
        events.append(event)
        guard events.count <= 100_000 else {
            throw Failure(
                code: .badData,
                message: "<run>: error: a diagram shows at most 100000 events\n  hint: --take"
            )
        }
    }

    mutating func finish(until limit: StreamTime?) throws {
        let isEnded = events.last?.isLast ?? false
        let diagram: Marbles
        do {
            diagram = try Marbles(events, frame: frame, until: isEnded ? nil : limit)
        } catch {
            // Events too close for the frame: the best frame there is, and its length.
            do { diagram = try Marbles(events, until: isEnded ? nil : limit) } catch {
                throw Failure(code: .badData, message: "<run>: error: \(error.message)")
            }
            Output.error("<run>: note: a character is \(diagram.frame) s: \(error.message)")
        }
        try Output.line(diagram.text)
        if case .failed(let error)? = events.last?.kind { Output.error("<run>: error: \(error)") }
    }
}

/// A tunnel: live in a terminal, a frame for each event in a pipe.
struct TunnelPrinter: EventPrinter {
    private var picture: MarblePicture
    private var screen = TunnelScreen()
    private let isTerminal = isatty(STDOUT_FILENO) == 1
    private var width = 80
    private var count = 0

    init(title: String) {
        picture = MarblePicture(title: title, rows: [MarblePicture.Row(name: "", marks: [])])
        var size = winsize()
        if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { width = Int(size.ws_col) }
    }

    mutating func print(_ event: StreamEvent<JSON>, isFollowed: Bool) throws {
        picture.rows[0].marks.append(.init(time: event.time, kind: event.kind, origins: [count]))
        count += 1
        // What has left the window is not shown any more.
        if picture.rows[0].marks.count > 2 * MarblePicture.maximumMarkCount {
            picture.rows[0].marks.removeFirst(MarblePicture.maximumMarkCount)
        }
        try show(at: event.time)
    }

    mutating func finish(until limit: StreamTime?) throws {
        if count == 0 { try show(at: limit ?? .zero) }
    }

    private mutating func show(at time: StreamTime) throws {
        let lines = picture.tunnel(width: width, at: time, isColored: isTerminal)
        if isTerminal {
            try Output.bytes(Data(screen.update(lines).utf8))
        } else {
            for line in lines { try Output.line(line) }
        }
    }
}
#endif
