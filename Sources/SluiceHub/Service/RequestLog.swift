#if Hub
import Logging

/// A log handler that hands metadata on only when something is logged.
///
/// The server gives each request a logger with an id. The handlers of swift-log make a text of their metadata whenever it changes,
/// though hardly any request logs something.
struct RequestLog: LogHandler {
    var metadata: Logger.Metadata
    private var base: any LogHandler

    /// Returns a logger that logs with another one.
    static func logger(_ logger: Logger) -> Logger { Logger(label: logger.label) { _ in RequestLog(logger.handler) } }

    init(_ base: any LogHandler) { (metadata, self.base) = (base.metadata, base) }

    var logLevel: Logger.Level {
        get { base.logLevel }
        set { base.logLevel = newValue }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { base.metadataProvider }
        set { base.metadataProvider = newValue }
    }

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var base = base
        base.metadata = metadata
        base.log(event: event)
    }
}
#endif
