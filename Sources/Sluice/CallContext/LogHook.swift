/// The destination of a call's log records: a closure, and the lowest level that it accepts.
///
/// The core depends on no logging package and writes no logs of its own. Without a hook, a message is not even made:
///
/// ```swift
/// var context = CallContext.current
/// context.log = LogHook(from: .info) { print($0.level, $0.message) }
/// withCallContext(context) {
///     CallContext.log(.info, "cache is cold")    // prints: info cache is cold
///     CallContext.log(.debug, "\(makeReport())")  // makeReport() is not called
/// }
/// ```
public struct LogHook: Sendable {
    /// The severity of a record.
    public enum Level: Int, Sendable, Comparable, CaseIterable {
        /// Details for the author of the code.
        case trace
        /// Information that helps to find a fault.
        case debug
        /// Information that is worth knowing in normal operation.
        case info
        /// A condition that may need attention.
        case warning
        /// A failure.
        case error

        /// Returns a Boolean value that indicates whether `a` is less severe than `b`.
        public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    /// One message of one call.
    public struct Record: Sendable {
        /// The severity of the record.
        public let level: Level
        /// The text of the message.
        public let message: String
        /// The metadata of the call; see ``CallContext/metadata``.
        public let metadata: [String: String]
        /// The attempt at the call that logged the message, from 1.
        public let attempt: Int
    }

    /// The lowest level that the hook accepts.
    public let level: Level
    let handler: @Sendable (Record) -> Void

    /// Creates a hook.
    ///
    /// - Parameters:
    ///   - level: The lowest level; records below it are not made.
    ///   - handler: A closure that is called for each record, immediately, on the thread that logs. Keep it short.
    public init(from level: Level = .debug, _ handler: @escaping @Sendable (Record) -> Void) {
        self.level = level
        self.handler = handler
    }

    /// Passes on a record that was made for another hook.
    package func pass(_ record: Record) { handler(record) }
}

extension CallContext {
    /// Logs `message` to the current context's hook.
    ///
    /// The message is made only if a hook accepts this level; without a hook this reads one word.
    public static func log(_ level: LogHook.Level, _ message: @autoclosure () -> String) {
        local.log(level, message())
    }

    /// Logs `message` to this context's hook.
    func log(_ level: LogHook.Level, _ message: @autoclosure () -> String) {
        guard let log, level >= log.level else { return }
        log.handler(LogHook.Record(level: level, message: message(), metadata: metadata, attempt: attempt))
    }
}
