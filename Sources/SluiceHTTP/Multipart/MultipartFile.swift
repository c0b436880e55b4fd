#if HTTP
public import Foundation

/// The content of a form's part that is sent as a file.
///
/// ```swift
/// let photo = MultipartFile.file("/photos/ada.jpg")                  // filename ada.jpg, image/jpeg
/// let note = MultipartFile.bytes(Array("hi".utf8), filename: "note.txt")  // text/plain
/// ```
public struct MultipartFile: Sendable {
    /// The content that is sent.
    public let content: RequestBody
    /// The filename that is sent; `nil` sends no name, so that the part is a field.
    public let filename: String?
    /// The media type that is sent; `nil` sends no type, which means text.
    public let contentType: String?

    /// Makes a part's content from any body.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - filename: The name of the file.
    ///   - contentType: the media type; by default, that of the extension of `filename`.
    public init(_ content: RequestBody, filename: String?, contentType: String? = nil) {
        self.content = content
        self.filename = filename
        self.contentType = contentType ?? filename.map(MediaTypeTable.type(ofName:))
    }

    /// Makes a file of bytes in memory.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - filename: The name of the file.
    ///   - contentType: the media type; by default, that of the extension of `filename`.
    public static func bytes(_ bytes: [UInt8], filename: String, contentType: String? = nil) -> MultipartFile {
        MultipartFile(.bytes(bytes), filename: filename, contentType: contentType)
    }

    /// Makes a file from a regular file on disk, which is read piece by piece when the form is sent.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - filename: the name of the file; by default, the last part of `path`.
    ///   - contentType: the media type; by default, that of the filename extension.
    public static func file(_ path: String, filename: String? = nil, contentType: String? = nil) -> MultipartFile {
        let name = filename ?? path.split(separator: "/").last.map(String.init) ?? path
        return MultipartFile(.file(path), filename: name, contentType: contentType)
    }

    /// Makes a file from the file at a file URL; see ``file(_:filename:contentType:)``.
    public static func file(_ url: URL, filename: String? = nil, contentType: String? = nil) -> MultipartFile {
        file(url.path(percentEncoded: false), filename: filename, contentType: contentType)
    }

    /// Makes a file of chunks that arrive while the form is sent. If the stream declares its number of bytes, any other
    /// number is an error; if it does not, the form has no length.
    ///
    /// - Parameters:
    ///   - stream: The stream of the content.
    ///   - filename: The name of the file.
    ///   - contentType: the media type; by default, that of the extension of `filename`.
    public static func stream(
        _ stream: RequestStream,
        filename: String,
        contentType: String? = nil
    ) -> MultipartFile {
        MultipartFile(.stream(stream), filename: filename, contentType: contentType)
    }
}
#endif
