#if HTTP
public import Foundation
import SluiceHTTP
package import SluiceJSON
import SluiceStreams

/// The secrets that documents name as `${secret:NAME}`, each with the origins that it may be sent to.
///
/// A file of secrets is readable by its owner only (mode 0600). A value is in the file, or in a variable of the environment:
///
/// ```json
/// {
///   "price-api": {"value": "8c5a2f0d9e", "origins": ["https://api.example.com/v1"]},
///   "crm": {"environment": "CRM_TOKEN", "origins": ["https://crm.example.com"], "streams": ["contacts"]},
///   "github": {"value": "0d1f7a60b4", "origins": []}
/// }
/// ```
///
/// An origin begins with `https://`, or with `http://` and an address of loopback; with a path, only that path and those
/// below it receive the secret. A secret without origins is for signatures of webhooks, which send nothing.
///
/// ```swift
/// let secrets = try Secrets(parsing: #"{"key": {"value": "8c5a2f0d9e", "origins": ["https://api.example.com"]}}"#)
/// print(secrets.names)  // ["key"]
/// ```
public struct Secrets: Sendable {
    /// A secret.
    struct Secret: Sendable {
        let value: String
        let origins: [URL]
        /// The ids of the streams that may use it; `nil` for all.
        let streams: Set<String>?
    }

    private var secrets: [String: Secret] = [:]
    /// The values, the longest first, with the names.
    private var values: [(value: String, name: String)] = []

    /// The fewest bytes of a value. A shorter one would occur in responses by chance.
    public static let shortestValue = 8

    /// Creates no secrets.
    public init() {}

    /// Reads a file of secrets.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - environment: The environment of the process.
    /// - Throws: ``SecretsError`` for a file that can't be read, that others can read, or that is invalid.
    public init(
        file path: String,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(SecretsError) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            throw SecretsError("'\(path)' can't be read: \(String(cString: strerror(errno)))", isOfFile: true)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= 1 << 20 else {
            throw SecretsError("'\(path)' is not a regular file of up to a megabyte", isOfFile: true)
        }
        guard status.st_mode & 0o077 == 0 else {
            throw SecretsError("'\(path)' can be read by others: chmod 600 '\(path)'", isOfFile: true)
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw SecretsError("'\(path)' belongs to another user", isOfFile: true)
        }
        let data: Data
        do { data = try FileHandle(fileDescriptor: file, closeOnDealloc: false).readToEnd() ?? Data() } catch {
            throw SecretsError("'\(path)' can't be read: \(error)", isOfFile: true)
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw SecretsError("'\(path)' is not UTF-8", isOfFile: true)
        }
        do { try self.init(parsing: text, environment: environment) } catch {
            throw SecretsError("'\(path)': \(error)")
        }
    }

    /// Reads the text of a file of secrets.
    ///
    /// - Parameters:
    ///   - text: The file's text.
    ///   - environment: The environment of the process.
    /// - Throws: ``SecretsError`` that says what is wrong, without a value.
    public init(
        parsing text: String,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(SecretsError) {
        let json: JSON
        // The message of the parser would quote the text.
        do { json = try JSON(parsing: text) } catch { throw SecretsError("the text is not JSON") }
        guard case .object(let members) = json else { throw SecretsError("the text is not an object of secrets") }
        for (name, member) in members {
            guard StreamSecret.isName(name) else {
                throw SecretsError("'\(name.shortened)' is not a name: use letters, digits, '-', '_', and '.'")
            }
            do { secrets[name] = try Self.secret(member, environment) } catch {
                throw SecretsError("the secret '\(name)': \(error)")
            }
        }
        values = secrets.map { (value: $0.value.value, name: $0.key) }
            .sorted { ($1.value.utf8.count, $0.name) < ($0.value.utf8.count, $1.name) }
    }

    private static func secret(_ json: JSON, _ environment: [String: String]) throws(SecretsError) -> Secret {
        guard case .object(let members) = json else { throw SecretsError("expected an object") }
        for (key, _) in members where !["value", "environment", "origins", "streams"].contains(key) {
            throw SecretsError("unknown key '\(key.shortened)' (known: value, environment, origins, streams)")
        }
        var value = json["value"]?.string
        if let variable = json["environment"]?.string {
            guard value == nil else { throw SecretsError("\"value\" and \"environment\" can't be combined") }
            value = environment[variable]
            if value == nil { throw SecretsError("the environment has no variable '\(variable.shortened)'") }
        }
        guard let value else { throw SecretsError("\"value\" or \"environment\" is missing, or not a string") }
        guard value.utf8.count >= shortestValue, value.utf8.count <= 8192 else {
            throw SecretsError("a value has from \(shortestValue) to 8192 bytes")
        }
        guard value.utf8.allSatisfy({ (33...126).contains($0) || $0 == 32 }), value.first != " ", value.last != " "
        else {
            throw SecretsError("a value has visible ASCII characters, and spaces between them, only")
        }
        guard case .array(let origins) = json["origins"] else {
            throw SecretsError("\"origins\" is missing: list the addresses that may receive it, or [] for none")
        }
        var urls: [URL] = []
        for origin in origins { urls.append(try self.origin(origin.string ?? "")) }
        var streams: Set<String>?
        if let list = json["streams"] {
            guard case .array(let ids) = list, ids.allSatisfy({ $0.string != nil }) else {
                throw SecretsError("\"streams\" is not an array of the ids of streams")
            }
            streams = Set(ids.compactMap(\.string))
        }
        return Secret(value: value, origins: urls, streams: streams)
    }

    private static func origin(_ text: String) throws(SecretsError) -> URL {
        guard let url = URL(string: text), let host = url.host, !host.isEmpty, url.user == nil, url.password == nil,
            url.query == nil, url.fragment == nil
        else { throw SecretsError("'\(text.shortened)' is not an origin such as https://api.example.com") }
        let isLoopback = ["127.0.0.1", "localhost", "::1", "[::1]"].contains(host.lowercased())
        guard url.scheme?.lowercased() == "https" || url.scheme?.lowercased() == "http" && isLoopback else {
            throw SecretsError("'\(text.shortened)' must begin with https://, or name an address of loopback")
        }
        return url
    }

    /// The names of the secrets, in order.
    public var names: [String] { secrets.keys.sorted() }

    /// Returns the origins of a secret, as they were written; `nil` if there is no such secret.
    public func origins(of name: String) -> [String]? { secrets[name]?.origins.map(\.absoluteString) }

    // MARK: Use

    /// Returns a secret for a signature that is computed here.
    ///
    /// - Throws: ``SecretsError`` if there is no such secret, or the stream may not use it.
    package func value(of name: String, for stream: String?) throws(SecretsError) -> String {
        guard let secret = secrets[name] else {
            throw SecretsError("there is no secret '\(name.shortened)' here: --secrets FILE names a file of secrets")
        }
        if let streams = secret.streams, !(stream.map(streams.contains) ?? false) {
            throw SecretsError("the secret '\(name)' is not for this stream")
        }
        return secret.value
    }

    /// Returns a text with `${secret:NAME}` replaced by the value, and `$${` by `${`, for a request to a URL.
    ///
    /// - Throws: ``SecretsError`` if there is no such secret, or it may not be sent there.
    package func text(_ text: String, to url: URL, for stream: String?) throws(SecretsError) -> String {
        var (result, rest) = ("", Substring(text))
        while let start = rest.firstRange(of: "${") {
            if rest[..<start.lowerBound].hasSuffix("$") {
                result += rest[..<start.lowerBound].dropLast()
                result += "${"
                rest = rest[start.upperBound...]
                continue
            }
            guard rest[start.upperBound...].hasPrefix("secret:") else {
                result += rest[..<start.upperBound]
                rest = rest[start.upperBound...]
                continue
            }
            let begin = rest.index(start.upperBound, offsetBy: "secret:".count)
            guard let end = rest[begin...].firstIndex(of: "}") else {
                throw SecretsError("a reference to a secret is not closed: write ${secret:NAME}")
            }
            let name = String(rest[begin..<end])
            let value = try value(of: name, for: stream)
            guard secrets[name]?.origins.contains(where: { Self.covers($0, url) }) ?? false else {
                let origin = "\(url.scheme ?? "")://\(url.host ?? "")\(url.port.map { ":\($0)" } ?? "")"
                throw SecretsError("the secret '\(name)' may not be sent to \(origin): it has other origins")
            }
            result += rest[..<start.lowerBound] + value
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// Returns a Boolean value that indicates whether a URL is of an origin, and below its path.
    private static func covers(_ origin: URL, _ url: URL) -> Bool {
        func port(_ url: URL) -> Int { url.port ?? (url.scheme?.lowercased() == "http" ? 80 : 443) }
        guard origin.scheme?.lowercased() == url.scheme?.lowercased(),
            origin.host?.lowercased() == url.host?.lowercased(), port(origin) == port(url)
        else { return false }
        let prefix = origin.path.hasSuffix("/") ? String(origin.path.dropLast()) : origin.path
        if prefix.isEmpty { return true }
        // A segment of dots, encoded or not, or an encoded slash could lead elsewhere.
        let path = url.path(percentEncoded: true).lowercased()
        let decoded = path.replacing("%2e", with: ".")
        guard !path.contains("%2f"), !path.contains("%5c"), !path.contains("\\"),
            !decoded.split(separator: "/").contains(where: { $0 == "." || $0 == ".." })
        else { return false }
        return url.path == prefix || url.path.hasPrefix(prefix + "/")
    }

    /// Returns a text with each value of a secret replaced by `${secret:NAME}`.
    ///
    /// - Complexity: O(*n* · *m*) in the length of the text and the number of secrets.
    package func redacted(_ text: String) -> String {
        // Scalars, and not characters: a combining mark after a value belongs to its last character.
        var scalars = text.unicodeScalars
        for (value, name) in values where scalars.contains(value.unicodeScalars) {
            scalars = scalars.replacing(value.unicodeScalars, with: "${secret:\(name)}".unicodeScalars)
        }
        return String(scalars)
    }

    /// Returns a value with its texts and keys redacted.
    package func redacted(_ json: JSON) -> JSON {
        if values.isEmpty { return json }
        switch json {
        case .string(let text): return .string(redacted(text))
        case .array(let elements): return .array(elements.map { redacted($0) })
        case .object(let members):
            var object = JSON.Object()
            for (key, value) in members { object[redacted(key)] = redacted(value) }
            return .object(object)
        case .int, .unsigned, .double, .number:
            let text = json.text()
            let redacted = redacted(text)
            return redacted == text ? json : .string(redacted)
        case .null, .bool: return json
        }
    }
}

/// The error for secrets that can't be read or used. It contains no value.
public struct SecretsError: Error, Hashable, CustomStringConvertible {
    /// A text that says what is wrong and what to do.
    public let description: String

    /// A Boolean value that indicates whether the file can't be read, or may be read by others.
    public let isOfFile: Bool

    init(_ description: String, isOfFile: Bool = false) { (self.description, self.isOfFile) = (description, isOfFile) }
}
#endif
