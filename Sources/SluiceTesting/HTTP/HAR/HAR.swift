#if HTTP
internal import Foundation
internal import SluiceHTTP
internal import SluiceJSON

/// An HTTP archive (HAR 1.2), the format in which browsers and proxies save and show exchanges.
///
/// ```swift
/// let har = try HAR(contentsOf: "example.com.har")             // saved by a browser
/// let cassette = Cassette(replaying: har.exchanges)
/// try CassetteDocument(har.exchanges.map(Redaction.standard.redacted)).write(to: "example.json")
/// ```
///
/// ``HARRecorder`` creates one of a chain's exchanges; ``write(to:redacting:)`` writes a file that Chromium's developer
/// tools can import.
public struct HAR: Sendable {
    /// The exchanges, in order.
    public var exchanges: [RecordedExchange]

    /// Creates an archive of these exchanges.
    public init(_ exchanges: [RecordedExchange] = []) { self.exchanges = exchanges }

    /// The maximum length of an archive.
    static let maximumByteCount = 256 << 20
    /// The maximum number of entries.
    static let maximumEntryCount = 100_000

    /// Reads the text of an archive.
    ///
    /// Unknown members are ignored. Entries without a response, and those of addresses outside of the web, are omitted;
    /// bodies that are missing in the archive are empty.
    ///
    /// - Throws: `JSONError` if it is not JSON; `JSONErrors` with all errors and their places.
    /// - Complexity: O(*n*) in its length.
    public init(parsing bytes: some Sequence<UInt8>) throws {
        let limits = JSONLimits(maximumByteCount: Self.maximumByteCount)
        let document = try JSONDocument(parsing: bytes, limits: limits, duplicateKeys: .firstWins)
        var reader = HARReader()
        exchanges = reader.exchanges(document.root)
        try reader.check.throwErrors()
    }

    /// Reads the file at a path; blocks the calling thread.
    ///
    /// - Throws: ``HARError`` if the file cannot be read, or isn't a valid archive; it contains the line and the
    ///   column.
    public init(contentsOf path: String) throws {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw HARError(description: "\(path) cannot be read: \(error.localizedDescription)")
        }
        do {
            try self.init(parsing: data)
        } catch let error as JSONErrors {
            throw HARError(description: error.diagnostics(file: path))
        } catch let error as JSONError {
            throw HARError(description: error.diagnostic(file: path))
        }
    }

    /// Writes the file at a path atomically; blocks the calling thread.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - redaction: The secrets to leave out of the file.
    /// - Throws: ``HARError`` on failure, which leaves an existing file unchanged.
    public func write(to path: String, redacting redaction: Redaction = .standard) throws {
        do {
            let text = Data(json(redacting: redaction).bytes(.pretty) + [UInt8(ascii: "\n")])
            try text.write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw HARError(description: "\(path) cannot be written: \(error.localizedDescription)")
        }
    }
}

/// An error that indicates that a file isn't a valid archive, or cannot be read or written.
public struct HARError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A description of the error: `example.har:3:5: error: …`.
    public let description: String
}
#endif
