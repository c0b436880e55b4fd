#if HTTP
public import SluiceFilters

/// A form with files, as `multipart/form-data` (RFC 7578).
///
/// ```swift
/// var form = MultipartForm()
/// form.append("title", "Summer")
/// form.append("photo", .file("/photos/ada.jpg"))
/// let request = TransportRequest(
///     .post,
///     try UserRoute.users.url(),
///     headers: [.contentType: form.contentType],
///     body: try await form.body()
/// )
/// ```
///
/// Parts are sent in the order in which they were added. Files are read while the form is sent, 64 KiB at a time, off
/// the cooperative threads; they are never completely in memory.
///
/// Names and filenames are written as browsers write them (WHATWG, HTML, multipart/form-data encoding): `"` as `%22`,
/// line ends in names as `%0D%0A`, in filenames each as `%0D` or `%0A`; all other characters unchanged, in UTF-8. In
/// addition, backslashes at the very end are `%5C`, since many receivers read `\"` as a quote that does not end the
/// name. Values are never changed.
public struct MultipartForm: Sendable {
    /// A part: a name and its content.
    struct Part: Sendable {
        let name: String
        let file: MultipartFile
    }

    /// The text that separates the parts.
    public let boundary: String
    /// A Boolean value that indicates whether the boundary is random, so that no content can contain it.
    private let isDrawn: Bool
    private(set) var parts: [Part] = []

    /// Makes a form without parts and with a random boundary of 128 bits from the operating system, which can't be
    /// predicted to write contents that end a part.
    public init() { self.init(random: RandomSource { .random(in: .min ... .max) }) }

    /// Makes a form without parts and with a boundary of 128 bits from a source: a seeded one gives tests a predictable
    /// body.
    public init(random: RandomSource) {
        let words = [random.next(), random.next()].map { String($0, radix: 16) }
        boundary = "sluice-" + words.map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
        isDrawn = true
    }

    /// Makes a form without parts and with a custom boundary, which must not occur in any of its files.
    ///
    /// - Throws: ``MultipartError`` unless it is 1 to 70 letters, digits, `-`, `_` and `.`.
    public init(boundary: String) throws(MultipartError) {
        let characters = LiteralCharacters.unreserved
        let isGood = boundary.utf8.allSatisfy { characters.contains($0) && $0 != UInt8(ascii: "~") }
        guard isGood, (1...70).contains(boundary.utf8.count) else {
            throw MultipartError("a boundary is 1 to 70 letters, digits, - _ and .: \(boundary.debugDescription)")
        }
        self.boundary = boundary
        isDrawn = false
    }

    /// Adds a field with a text.
    public mutating func append(_ name: String, _ value: String) { append(name, bytes: Array(value.utf8)) }

    /// Adds a field with bytes.
    ///
    /// - Parameters:
    ///   - name: The name of the part.
    ///   - bytes: The bytes.
    ///   - contentType: the type of the bytes; `nil` sends no type, which means text.
    public mutating func append(_ name: String, bytes: [UInt8], contentType: String? = nil) {
        append(name, MultipartFile(.bytes(bytes), filename: nil, contentType: contentType))
    }

    /// Adds a file.
    public mutating func append(_ name: String, _ file: MultipartFile) { parts.append(Part(name: name, file: file)) }

    /// Adds the fields of a model, with the names and values of the encoder.
    ///
    /// - Throws: as `URLEncodedFormEncoder.fields(_:)`.
    public mutating func append(model: some Encodable, encoder: URLEncodedFormEncoder = .init()) throws {
        for field in try encoder.fields(model) { append(field.name, field.value) }
    }

    /// The content type of the body.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// A Boolean value that indicates whether the body can be sent again: `false` if a part is a stream that can be
    /// read only once.
    public var isReplayable: Bool {
        parts.allSatisfy(\.file.content.isReplayable)
    }

    /// Returns the body: bytes if all parts are in memory, otherwise a stream, with a known length unless a part is a
    /// stream without one.
    ///
    /// The lengths of files are read now: if a file has another length when the body is sent, sending fails.
    ///
    /// - Throws: ``MultipartError`` for a file that cannot be read, or a part whose bytes contain a custom boundary;
    ///   `CancellationError` when canceled.
    nonisolated(nonsending) public func body() async throws -> RequestBody {
        let (segments, count) = try await layout()
        if case .bytes(let bytes)? = segments.first, segments.count == 1 { return .bytes(bytes) }
        return .stream(
            RequestStream(count: count, isReplayable: isReplayable) {
                ByteStream(MultipartChunks(segments: segments))
            }
        )
    }

    /// Returns the pieces of the body, a single one if everything is in memory, and their total length.
    private func layout() async throws -> (segments: [MultipartChunks.Segment], count: Int?) {
        var segments: [MultipartChunks.Segment] = []
        var text: [UInt8] = []
        var count: Int? = 0
        func add(_ segment: MultipartChunks.Segment, _ length: Int?) {
            segments += [.bytes(text), segment]
            count = count.flatMap { sum in length.map { sum + text.count + $0 } }
            text = []
        }
        for part in parts {
            text += head(of: part).utf8
            switch part.file.content {
            case .bytes(let bytes):
                try check(bytes, of: part)
                text += bytes
            case .file(let path):
                let length = try await MultipartError.reading { try await BodyFile.opened(path) }.count
                add(.file(path: path, count: length), length)
            case .stream(let stream): add(.stream(stream, name: part.name), stream.count)
            }
            text += "\r\n".utf8
        }
        text += "--\(boundary)--\r\n".utf8
        return (segments + [.bytes(text)], count.map { $0 + text.count })
    }

    private func head(of part: Part) -> String {
        var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escaped(Self.name(part.name)))\""
        if let filename = part.file.filename { head += "; filename=\"\(Self.escaped(filename))\"" }
        if let type = part.file.contentType { head += "\r\nContent-Type: \(Self.line(type))" }
        return head + "\r\n\r\n"
    }

    /// Returns a name with all line ends as CR LF.
    private static func name(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == 10 || $0 == 13 }) else { return name }
        var result = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in name.unicodeScalars {
            if scalar == "\n", last != "\r" { result.append("\r") }
            if last == "\r", scalar != "\n" { result.append("\n") }
            result.append(scalar)
            last = scalar
        }
        if last == "\r" { result.append("\n") }
        return String(result)
    }

    private static func escaped(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 != 10 && $0 != 13 && $0 != UInt8(ascii: "\"") }
        if isPlain, text.utf8.last != UInt8(ascii: "\\") { return text }
        var bytes: [UInt8] = []
        let end = text.utf8.count - text.utf8.reversed().prefix { $0 == UInt8(ascii: "\\") }.count
        for (place, byte) in text.utf8.enumerated() {
            let isLiteral = byte != 10 && byte != 13 && byte != UInt8(ascii: "\"") && place < end
            PercentEncoding.append(byte, to: &bytes, isLiteral: isLiteral)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a text without line ends, so that it can't begin a new line.
    private static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
    }

    /// Checks that a custom boundary does not occur in the bytes of a part.
    private func check(_ bytes: [UInt8], of part: Part) throws(MultipartError) {
        guard !isDrawn else { return }
        if bytes.firstRange(of: Array("--\(boundary)".utf8)) != nil {
            throw MultipartError("\(part.name): the boundary occurs in its bytes: choose another")
        }
    }
}
#endif
