public import Foundation

/// What a part of a form sends as a file.
///
/// ```swift
/// let photo = MultipartFile.file("/photos/ada.jpg")                  // filename ada.jpg, image/jpeg
/// let note = MultipartFile.bytes(Array("hi".utf8), filename: "note.txt")  // text/plain
/// ```
public struct MultipartFile: Sendable {
    /// Where the bytes of a part come from.
    enum Content: Sendable {
        case bytes([UInt8])
        case file(path: String)
        case stream(count: Int?, isReplayable: Bool, chunks: MultipartChunks.Source)
    }

    let content: Content
    /// The name that the receiver is told; `nil` for none: the part is a field then.
    public let filename: String?
    /// The media type that the receiver is told; `nil` for none, which means text.
    public let contentType: String?

    init(_ content: Content, filename: String?, contentType: String?) {
        self.content = content
        self.filename = filename
        self.contentType = contentType ?? filename.map(MediaTypeTable.type(ofName:))
    }

    /// Bytes in memory.
    ///
    /// - Parameter contentType: by the end of `filename` unless given.
    public static func bytes(_ bytes: [UInt8], filename: String, contentType: String? = nil) -> MultipartFile {
        MultipartFile(.bytes(bytes), filename: filename, contentType: contentType)
    }

    /// A regular file, read piece by piece when the form is sent.
    ///
    /// - Parameters:
    ///   - filename: the last part of `path` unless given.
    ///   - contentType: by the end of the filename unless given.
    public static func file(_ path: String, filename: String? = nil, contentType: String? = nil) -> MultipartFile {
        let name = filename ?? path.split(separator: "/").last.map(String.init) ?? path
        return MultipartFile(.file(path: path), filename: name, contentType: contentType)
    }

    /// The file behind a file URL; see ``file(_:filename:contentType:)``.
    public static func file(_ url: URL, filename: String? = nil, contentType: String? = nil) -> MultipartFile {
        file(url.path(percentEncoded: false), filename: filename, contentType: contentType)
    }

    /// Bytes that come while the form is sent.
    ///
    /// - Parameters:
    ///   - count: how many bytes come; `nil` if that is not known, and the form has no length then. A stream that has
    ///     more or fewer fails the sending.
    ///   - isReplayable: whether `chunks` gives the same bytes each time it is called.
    ///   - contentType: by the end of `filename` unless given.
    ///   - chunks: called once for each sending, on the task that sends.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        count: Int? = nil,
        isReplayable: Bool,
        filename: String,
        contentType: String? = nil,
        chunks: @escaping @Sendable () -> Chunks
    ) -> MultipartFile where Chunks.Element == [UInt8] {
        MultipartFile(
            .stream(count: count, isReplayable: isReplayable, chunks: MultipartChunks.Source(chunks)),
            filename: filename,
            contentType: contentType
        )
    }
}
