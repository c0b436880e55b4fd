/// Where the log records of a call go: a closure, and the least level that it wants.
///
/// The core logs nowhere by itself and depends on no logging package. Where no hook is set, a message is not even
/// made:
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
    /// How much a record matters.
    public enum Level: Int, Sendable, Comparable, CaseIterable {
        /// What only its author wants to see.
        case trace
        /// What helps to find a fault.
        case debug
        /// What is worth knowing.
        case info
        /// What may need a look.
        case warning
        /// What failed.
        case error

        /// Whether `a` matters less than `b`.
        public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    /// One message of one call.
    public struct Record: Sendable {
        /// How much it matters.
        public let level: Level
        /// What happened.
        public let message: String
        /// What the call's context bears; see ``CallContext/metadata``.
        public let metadata: [String: String]
        /// Which try of the call it was, from 1.
        public let attempt: Int
    }

    /// The least level that is handed on.
    public let level: Level
    let handler: @Sendable (Record) -> Void

    /// Makes a hook.
    ///
    /// - Parameters:
    ///   - level: records below it are not made.
    ///   - handler: called for each record, at once, on the thread that logs; keep it short.
    public init(from level: Level = .debug, _ handler: @escaping @Sendable (Record) -> Void) {
        self.level = level
        self.handler = handler
    }

    /// Hands on a record that was made for another hook.
    package func pass(_ record: Record) { handler(record) }
}

extension CallContext {
    /// Logs `message` to the current context's hook.
    ///
    /// The message is made only if a hook is set that wants this level; without one this reads one word.
    public static func log(_ level: LogHook.Level, _ message: @autoclosure () -> String) {
        local.log(level, message())
    }

    /// Logs `message` to this context's hook.
    func log(_ level: LogHook.Level, _ message: @autoclosure () -> String) {
        guard let log, level >= log.level else { return }
        log.handler(LogHook.Record(level: level, message: message(), metadata: metadata, attempt: attempt))
    }
}
