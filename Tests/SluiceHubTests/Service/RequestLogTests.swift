#if Hub
import Logging
import Sluice
import Testing

@testable import SluiceHub

/// The metadata of a request's logger.
@Suite struct RequestLogTests {
    /// A handler that keeps its lines, and counts the changes of its metadata.
    private struct Kept: LogHandler {
        final class Lines: Sendable {
            let all = Locked<[String]>([])
            let changeCount = Locked(0)
        }

        let lines: Lines
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:] { didSet { lines.changeCount.withLock { $0 += 1 } } }

        subscript(metadataKey key: String) -> Logger.MetadataValue? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let text = metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
            lines.all.withLock { $0.append("\(event.level) \(event.message) \(text)") }
        }
    }

    @Test func metadataIsHandedOnWithALine() {
        let lines = Kept.Lines()
        var base = Logger(label: "hub") { _ in Kept(lines: lines) }
        base[metadataKey: "hub"] = "h1"
        let begun = lines.changeCount.withLock { $0 }
        var logger = RequestLog.logger(base)
        #expect(logger.label == "hub" && logger.logLevel == .info)
        logger[metadataKey: "request"] = "7"
        logger.debug("not logged")
        #expect(lines.changeCount.withLock { $0 } == begun && logger[metadataKey: "request"] == "7")
        logger.info("logged")
        #expect(lines.all.withLock { $0 } == ["info logged hub=h1 request=7"])
        // Another request has an id of its own.
        var other = RequestLog.logger(base)
        other[metadataKey: "request"] = "8"
        other.error("failed")
        base.error("elsewhere")
        #expect(lines.all.withLock { $0.suffix(2) } == ["error failed hub=h1 request=8", "error elsewhere hub=h1"])
        logger.logLevel = .debug
        logger.debug("now")
        #expect(lines.all.withLock { $0.last } == "debug now hub=h1 request=7" && base.logLevel == .info)
    }
}
#endif
