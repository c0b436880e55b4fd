public import Foundation

/// What a part of a form sends as a file.
///
/// ```swift
/// let photo = MultipartFile.file("/photos/ada.jpg")                  // filename ada.jpg, image/jpeg
/// let note = MultipartFile.bytes(Array("hi".utf8), filename: "note.txt")  // text/plain
/// ```
public struct MultipartFile: Sendable {
    /// What is sent.
    public let content: RequestBody
    /// The name that the receiver is told; `nil` for none: the part is a field then.
    public let filename: String?
    /// The media type that the receiver is told; `nil` for none, which means text.
    public let contentType: String?

    /// A part's content from any body.
    ///
    /// - Parameter contentType: by the end of `filename` unless given.
    public init(_ content: RequestBody, filename: String?, contentType: String? = nil) {
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
        return MultipartFile(.file(path), filename: name, contentType: contentType)
    }

    /// The file behind a file URL; see ``file(_:filename:contentType:)``.
    public static func file(_ url: URL, filename: String? = nil, contentType: String? = nil) -> MultipartFile {
        file(url.path(percentEncoded: false), filename: filename, contentType: contentType)
    }

    /// Chunks that come while the form is sent. If the stream says how many bytes it has, having more or fewer fails the
    /// sending; if it does not, the form has no length.
    ///
    /// - Parameter contentType: by the end of `filename` unless given.
    public static func stream(
        _ stream: RequestStream,
        filename: String,
        contentType: String? = nil
    ) -> MultipartFile {
        MultipartFile(.stream(stream), filename: filename, contentType: contentType)
    }
}
