#if Server
public import HTTPTypes

/// The time that a client waits for an answer, as stated in a header.
///
/// ```swift
/// var headers = HTTPFields()
/// headers[.init("grpc-timeout")!] = "500m"
/// let time = try RequestDeadline.time(in: headers)  // 0.5 seconds
/// ```
///
/// | header | value |
/// |---|---|
/// | `Request-Timeout` | seconds, with a fraction or without: `1.5` |
/// | `grpc-timeout` | up to eight digits and a unit, one of `H`, `M`, `S`, `m`, `u`, `n`: `500m` |
/// | `X-Envoy-Expected-Rq-Timeout-Ms` | whole milliseconds: `1500` |
///
/// These are durations and not instants, so that clocks do not have to agree. The shortest of several counts.
public enum RequestDeadline {
    /// The error of a header with an invalid time.
    public struct FormatError: Error, Equatable, CustomStringConvertible {
        /// The name of the header.
        public let name: String
        /// The value of the header, at most 50 characters of it.
        public let value: String

        /// A description such as `Request-Timeout: "soon" is no time`.
        public var description: String { "\(name): \"\(value)\" is no time" }
    }

    /// Returns the time that the headers state; `nil` without such headers.
    ///
    /// - Throws: ``FormatError`` for the first invalid header.
    public static func time(in headers: HTTPFields) throws(FormatError) -> Duration? {
        var shortest: Duration?
        for (name, read) in readers {
            for value in headers[values: name] {
                guard let time = read(value) else {
                    throw FormatError(name: name.rawName, value: String(value.prefix(50)))
                }
                shortest = min(shortest ?? time, time)
            }
        }
        return shortest
    }

    private static let readers: [(HTTPField.Name, @Sendable (String) -> Duration?)] =
        [
            ("Request-Timeout", seconds), ("grpc-timeout", grpc),
            ("X-Envoy-Expected-Rq-Timeout-Ms", milliseconds),
        ].compactMap { name, read in HTTPField.Name(name).map { ($0, read) } }

    @Sendable private static func seconds(_ text: String) -> Duration? {
        guard text.utf8.count <= 20, text.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }),
            let seconds = Double(text), seconds <= 1e9
        else { return nil }
        return .nanoseconds(Int64((seconds * 1e9).rounded()))
    }

    @Sendable private static func milliseconds(_ text: String) -> Duration? {
        number(text, atMost: 12).map { .milliseconds($0) }
    }

    @Sendable private static func grpc(_ text: String) -> Duration? {
        guard let unit = text.last, let number = number(text.dropLast(), atMost: 8) else { return nil }
        return switch unit {
        case "H": .seconds(number * 3600)
        case "M": .seconds(number * 60)
        case "S": .seconds(number)
        case "m": .milliseconds(number)
        case "u": .microseconds(number)
        case "n": .nanoseconds(number)
        default: nil
        }
    }

    /// Returns the number in a text that consists only of digits, up to a maximum count.
    private static func number(_ text: some StringProtocol, atMost digits: Int) -> Int64? {
        guard (1...digits).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }
}
#endif
