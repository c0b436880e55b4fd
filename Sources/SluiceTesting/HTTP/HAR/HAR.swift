internal import Foundation
public import SluiceHTTP
internal import SluiceJSON

/// An HTTP archive (HAR 1.2): what browsers and proxies save, and show.
///
/// ```swift
/// let har = try HAR(contentsOf: "example.com.har")             // saved by a browser
/// let cassette = Cassette(replaying: har.exchanges)
/// try CassetteDocument(har.exchanges.map(Redaction.standard.redacted)).write(to: "example.json")
/// ```
///
/// ``HARRecorder`` makes one of what a chain sends; ``write(to:redacting:)`` writes what Chromium's devtools import.
public struct HAR: Sendable {
    /// The exchanges, in their order.
    public var exchanges: [RecordedExchange]

    /// An archive of these exchanges.
    public init(_ exchanges: [RecordedExchange] = []) { self.exchanges = exchanges }

    /// Archives that are longer are refused.
    static let maximumByteCount = 256 << 20
    /// More entries than that are refused.
    static let maximumEntryCount = 100_000

    /// Reads the text of an archive.
    ///
    /// What is unknown is passed over. Entries without an answer, and those of addresses that are not of the web, are
    /// left out; bodies that the archive does not have are empty.
    ///
    /// - Throws: `JSONError` where it is not JSON; `JSONErrors` with the place of all that is wrong with it.
    /// - Complexity: O(*n*) in its length.
    public init(parsing bytes: some Sequence<UInt8>) throws {
        let limits = JSONLimits(maximumByteCount: Self.maximumByteCount)
        let document = try JSONDocument(parsing: bytes, limits: limits, duplicateKeys: .firstWins)
        var reader = HARReader()
        exchanges = reader.exchanges(document.root)
        try reader.check.throwErrors()
    }

    /// Reads the file at a path; blocks while it does.
    ///
    /// - Throws: ``HARError`` when it cannot be read, or is none; it says the line and the column.
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

    /// Writes the file at a path, at once or not at all; blocks while it does.
    ///
    /// - Parameter redaction: what is a secret, and does not get into the file.
    /// - Throws: ``HARError`` when that fails; a file that was there is as it was.
    public func write(to path: String, redacting redaction: Redaction = .standard) throws {
        do {
            let text = Data(json(redacting: redaction).bytes(.pretty) + [UInt8(ascii: "\n")])
            try text.write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw HARError(description: "\(path) cannot be written: \(error.localizedDescription)")
        }
    }
}

/// Why a file is no archive, or cannot be read or written.
public struct HARError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong: `example.har:3:5: error: …`.
    public let description: String
}
